"""Go's arithmetic on one number or on a whole column: every formula is written once and serves both.

Columns are int64 arrays, single numbers numpy scalars, so both wrap as Go does.  Division by zero has an
arbitrary result here; the formulas replace it by `choose`.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Codes: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]

Lane: TypeAlias = Any
"""A numpy scalar or an array."""

Rows: TypeAlias = Any
"""Which rows: an int, a slice, or an index array."""

silent = np.errstate(all="ignore")
"""Decorates what works with numpy scalars, which complain when they wrap."""


def choose(condition: Lane, then: Lane, otherwise: Lane) -> Lane:
    """`then` where the condition holds, `otherwise` elsewhere."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, then, otherwise)
    return then if condition else otherwise


def quotient(dividend: Lane, divisor: Lane) -> Lane:
    """Truncated toward zero; arbitrary for a zero divisor.  [O-001]"""
    floor = dividend // (divisor + (divisor == 0))
    negative = floor < 0
    return floor + (negative & (floor * divisor != dividend)) if np.count_nonzero(negative) else floor


def ratio(part: Lane, whole: Lane) -> Lane:
    """float64(part) / float64(whole); arbitrary for a zero whole."""
    return part / (whole + (whole == 0))


def truncated(number: Lane) -> Lane:
    """Go's int(x) of a float: what no int64 holds is the least of them."""
    return number.astype(np.int64) if isinstance(number, np.ndarray) else np.float64(number).astype(np.int64)
