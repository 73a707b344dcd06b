"""Fields of a configuration file that kube-scheduler ignores: most often misspelt.  [L-243]"""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import attrs

from model.api.decode import json_name


def unknown_fields(document: Mapping[str, Any], kind: type[Any], path: str = "") -> Iterator[str]:
    """Paths of the fields of a document that the class it is read into does not have."""
    known = {json_name(field.name): field.type for field in attrs.fields(attrs.resolve_types(kind))}
    for key, value in document.items():
        if key not in known:
            yield f"{path}{key}"
            continue
        for inner in _classes(known[key]):
            for place, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(part, dict):
                    yield from unknown_fields(part, inner, f"{path}{key}{'' if place is None else f'[{place}]'}.")


def _classes(kind: Any) -> Iterator[type[Any]]:
    """Those in `X | None`, `tuple[X, ...]` and the like."""
    if attrs.has(kind):
        yield kind
    for argument in get_args(kind):
        yield from _classes(argument)
