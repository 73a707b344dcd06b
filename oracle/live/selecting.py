"""Field and label selectors as they stand in a query."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from oracle.live.refusals import bad_request

Selects = Callable[[Mapping[str, Any]], bool]

_SET = re.compile(r"^(?P<key>[^\s!=,()]+)\s+(?P<operator>in|notin)\s+\((?P<values>[^)]*)\)$")
_EQUAL = re.compile(r"^(?P<key>[^\s!=,()]+)\s*(?P<operator>==|=|!=)\s*(?P<value>[^\s!=,()]*)$")
_EXISTS = re.compile(r"^(?P<no>!?)\s*(?P<key>[^\s!=,()]+)$")
_COMMA = re.compile(r",(?![^()]*\))")


def selector(fields: str, labels: str) -> Selects:
    """Which documents a query selects.  Raises Refused for a selector that cannot be read."""
    terms = [_field(term) for term in _terms(fields)] + [_label(term) for term in _terms(labels)]
    return lambda document: all(holds(document) for holds in terms)


def _terms(text: str) -> list[str]:
    return [term.strip() for term in _COMMA.split(text) if term.strip()]


def _field(term: str) -> Selects:
    match = _EQUAL.match(term)
    if match is None:
        raise bad_request(f"unable to parse field selector {term!r}")
    path, wanted, equal = match["key"].split("."), match["value"], match["operator"] != "!="

    def holds(document: Mapping[str, Any]) -> bool:
        value: Any = document
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        return (str(value or "") == wanted) == equal

    return holds


def _label(term: str) -> Selects:
    if match := _SET.match(term):
        values = {value.strip() for value in match["values"].split(",")}
        return _has(match["key"], values, match["operator"] == "in")
    if match := _EQUAL.match(term):
        return _has(match["key"], {match["value"]}, match["operator"] != "!=")
    if match := _EXISTS.match(term):
        key, wanted = match["key"], not match["no"]
        return lambda document: (key in _labels(document)) == wanted
    raise bad_request(f"unable to parse label selector {term!r}")


def _has(key: str, values: set[str], wanted: bool) -> Selects:
    return lambda document: (_labels(document).get(key) in values) == wanted


def _labels(document: Mapping[str, Any]) -> Mapping[str, str]:
    return (document.get("metadata") or {}).get("labels") or {}
