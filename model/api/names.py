"""Qualified names and label values, and what is wrong with others, in the API's words.  [O-061, O-062]"""

import re
from functools import cache

_NAME = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")

_NAME_PROBLEM = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_SUBDOMAIN_PROBLEM = (
    "prefix part a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_VALUE_PROBLEM = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
    "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)


def _bytes(text: str) -> int:
    """What the limits are in, though the messages say characters."""
    return len(text.encode(errors="surrogatepass"))


@cache
def name_problems(key: str) -> tuple[str, ...]:
    """What is wrong with a qualified name, in the API's words; nothing for a good one.  [O-061]"""
    parts = key.split("/")
    if len(parts) > 2:
        return (
            "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with "
            "an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
            "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' "
            "(e.g. 'example.com/MyName')",
        )
    problems = []
    if len(parts) == 2:
        prefix = parts[0]
        if not prefix:
            problems.append("prefix part must be non-empty")
        else:
            if _bytes(prefix) > 253:
                problems.append("prefix part must be no more than 253 characters")
            if not _SUBDOMAIN.fullmatch(prefix):
                problems.append(_SUBDOMAIN_PROBLEM)
    name = parts[-1]
    if not name:
        problems.append("name part must be non-empty")
    elif _bytes(name) > 63:
        problems.append("name part must be no more than 63 characters")
    if not _NAME.fullmatch(name):
        problems.append(_NAME_PROBLEM)
    return tuple(problems)


def is_qualified_name(key: str) -> bool:
    """[O-061]"""
    return not name_problems(key)


@cache
def value_problems(value: str) -> tuple[str, ...]:
    """What is wrong with a label value.  [O-062]"""
    problems = []
    if _bytes(value) > 63:
        problems.append("must be no more than 63 characters")
    if value and not _NAME.fullmatch(value):
        problems.append(_VALUE_PROBLEM)
    return tuple(problems)
