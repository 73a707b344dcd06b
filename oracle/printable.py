"""Text made fit to be shown: names in a dump can be anything, and a scheduler may say anything."""

import re
from collections.abc import Mapping
from typing import Any

_LONGEST = 1000
"""Characters of an error."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def printable(text: str) -> str:
    """The text without what could steer a terminal or turn the direction of writing; newlines and tabs stay."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def in_a_line(text: str) -> str:
    """The text of an error, which may quote names of any length with anything in them."""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."


def counted(number: int, what: str) -> str:
    """`1 node`, `1,500 nodes`"""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def begun(text: str) -> str:
    """As a sentence begins.  Names stay as they are: only an article is written large."""
    return f"The {text.removeprefix('the ')}" if text.startswith("the ") else text


def storable(value: Any) -> Any:
    """A JSON value with escapes for what no encoding can say: halves of surrogate pairs."""
    match value:
        case str():
            return value.encode(errors="backslashreplace").decode()
        case Mapping():
            return {storable(name): storable(member) for name, member in value.items()}
        case list() | tuple():
            return [storable(item) for item in value]
    return value


def without_addresses(text: str) -> str:
    """The text of an exception without the places of objects in memory, which differ from run to run."""
    return _ADDRESS.sub("", text)
