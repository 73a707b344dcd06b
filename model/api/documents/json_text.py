"""JSON, one document or several in a row.  Stricter than Python's reader: no infinite number, no NaN, no key twice."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from model.api.documents.plain import DocumentError, check_documents

_SOMETHING = re.compile(r"\S")


def json_documents(text: str) -> Iterator[Any]:
    """What they hold is still to be looked through for numbers that JSON does not know."""
    decoder = json.JSONDecoder(object_pairs_hook=_unique)
    position = 0
    while match := _SOMETHING.search(text, position):
        try:
            document, position = decoder.raw_decode(text, match.start())
        except json.JSONDecodeError as error:
            raise DocumentError(f"line {error.lineno}, column {error.colno}: {error.msg.removesuffix(' at')}") from None
        except DocumentError:
            raise
        except ValueError:  # the one thing left: integers of thousands of digits
            raise DocumentError("a number has too many digits") from None
        yield document


def json_document(text: str | bytes) -> Any:
    """One document, looked through only where a number is odd: of files with many cases each line is one.

    Raises DocumentError, and ValueError for what is no JSON at all.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_float=_finite, parse_constant=_finite)
    except OverflowError:
        document = json.loads(text)
        check_documents([document], len(text))  # which tells where it stands
        return document


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise DocumentError(f"key {next(k for k in keys if keys.count(k) > 1)!r} occurs twice in one object")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise OverflowError
    return number


def write_json(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
