"""JSON, one document or several in a row.  Stricter than Python's reader: no NaN, no key twice."""

import json
import re
from collections.abc import Iterator
from typing import Any

from model.api.documents.plain import DocumentError

_SOMETHING = re.compile(r"\S")


def json_documents(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
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


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise DocumentError(f"key {next(k for k in keys if keys.count(k) > 1)!r} occurs twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise DocumentError(f"{name} is not a JSON value")


def write_json(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
