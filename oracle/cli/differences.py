"""Showing where a scheduler and what it is held to part."""

import json
from collections.abc import Iterator
from typing import Any

from oracle.conform import Difference

LONGEST = 400
"""Characters of a value before it is cut; --json gives all."""


def difference_document(difference: Difference) -> dict[str, Any]:
    return {
        "where": difference.where,
        "expected": difference.expected,
        "scheduler": difference.actual,
        "note": difference.note,
    }


def difference_lines(difference: Difference) -> Iterator[str]:
    yield f"differs at {difference.where}"
    yield f"  expected:  {shortened(difference.expected)}"
    yield f"  scheduler: {shortened(difference.actual)}"
    if difference.note:
        yield f"  note: {difference.note}"


def shortened(value: Any) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."
