"""Where an implementation and a record part."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen


@frozen
class Difference:
    """`where`: the step and the path in it."""

    where: str
    expected: Any
    actual: Any
    note: str = ""


def first_difference(where: str, expected: Any, actual: Any) -> Difference | None:
    """The innermost place where two JSON values differ; members of objects are told apart, lists are compared whole."""
    if expected == actual:
        return None
    if not isinstance(expected, Mapping) or not isinstance(actual, Mapping):
        return Difference(where, expected, actual)
    for key in (*expected, *(key for key in actual if key not in expected)):
        inner = f"{where}.{key}"
        if (key in expected) != (key in actual):
            return Difference(inner, expected.get(key, "(nothing)"), actual.get(key, "(nothing)"))
        if (found := first_difference(inner, expected[key], actual[key])) is not None:
            return found
    return None


Comparison = tuple[str, Any, Any]
"""Where, what was recorded, what the implementation says."""


def first_unequal(comparisons: Iterable[Comparison]) -> Difference | None:
    """The first comparison that fails; later ones are not even made."""
    return next((Difference(*c) for c in comparisons if c[1] != c[2]), None)
