"""What every document must keep to: the values of JSON, of a bounded size and depth."""

import math
from typing import Any

from model.api.bad_input import BadInput

DEEPEST = 200
ALIASED_VALUES = 1_000_000
"""How many values a document may hold beyond the characters of its text; only aliases can make any."""


class DocumentError(BadInput):
    """Text that is no JSON or YAML, or that no Kubernetes object could be; the message says where."""


_Place = tuple[Any, str | int] | None
"""Where a value stands: the place of its holder, and its key or index there."""


def check_documents(documents: list[Any], allowance: int) -> None:
    """Refuse what JSON cannot hold, and documents that aliases make larger than their text by far."""
    values: list[tuple[Any, int, _Place]] = [(document, 0, None) for document in documents]
    while values:
        value, depth, place = values.pop()
        allowance -= 1
        if allowance < 0:
            raise DocumentError(f"aliases expand this to more than {ALIASED_VALUES:,} additional values")
        if depth > DEEPEST:
            raise DocumentError(f"nested more than {DEEPEST} levels deep")
        if isinstance(value, str):
            _check_text(value, place)
        elif isinstance(value, dict):
            for key in value:
                _check_text(key, place)
            values += [(item, depth + 1, (place, key)) for key, item in value.items()]
        elif isinstance(value, list):
            values += [(item, depth + 1, (place, index)) for index, item in enumerate(value)]
        elif isinstance(value, float) and not math.isfinite(value):
            raise DocumentError(f"{_path(place)}: a number is infinite or not a number")


def _check_text(text: str, place: _Place) -> None:
    try:
        if not text.isascii():
            text.encode()
    except UnicodeEncodeError:
        raise DocumentError(f"{_path(place)}: {ascii(text)[:60]} is not valid Unicode") from None


def _path(place: _Place) -> str:
    path = ""
    while place is not None:
        place, step = place
        path = (f"[{step}]" if isinstance(step, int) else f".{step}") + path
    return path.removeprefix(".")
