"""Changes of a JSON document that leave the original as it is; places in it are tuples of keys and indices."""

from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str | int, ...]


def value_at(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def put(document: Any, path: Path, value: Any) -> Any:
    """The document with another value at a place."""
    if not path:
        return value
    key, *rest = path
    changed = dict(document) if isinstance(document, Mapping) else list(document)
    changed[key] = put(document[key], tuple(rest), value)  # type: ignore[index]
    return changed


def drop(document: Any, path: Path) -> Any:
    """The document without a member."""
    *place, key = path
    owner = value_at(document, tuple(place))
    return put(document, tuple(place), {member: value for member, value in owner.items() if member != key})


def walk(document: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All places with what is there, the outer before the inner."""
    yield path, document
    if isinstance(document, Mapping):
        for key, value in document.items():
            yield from walk(value, (*path, key))
    elif isinstance(document, list):
        for at, value in enumerate(document):
            yield from walk(value, (*path, at))


def renamed(document: Any, names: Mapping[str, str]) -> Any:
    """With names replaced wherever one stands alone or as a part of a key."""
    if isinstance(document, Mapping):
        return {renamed(key, names): renamed(value, names) for key, value in document.items()}
    if isinstance(document, list):
        return [renamed(value, names) for value in document]
    if isinstance(document, str):
        return "/".join(names.get(part, part) for part in document.split("/"))
    return document
