"""Go's fixed-width integers.  [O-001, O-065]"""

import re

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
_INTEGER = re.compile(r"[+-]?[0-9]+")


def int64(number: int) -> int:
    """The low 64 bits of `number`, read as a signed integer: Go's int64 wraps.  [O-001]"""
    return number if INT64_MIN <= number <= INT64_MAX else (number + 2**63) % 2**64 - 2**63


def int32(number: int) -> int:
    """The low 32 bits of `number`, read as a signed integer.  [O-001]"""
    return (number + 2**31) % 2**32 - 2**31


def quotient(dividend: int, divisor: int) -> int:
    """Integer division that truncates toward zero, as Go's `/` does (Python's `//` rounds down).  [O-001]

    Raises ZeroDivisionError for a zero divisor.
    """
    return dividend // divisor if (dividend < 0) == (divisor < 0) else -(abs(dividend) // abs(divisor))


def truncated(number: float) -> int:
    """Go's `int64(x)` of a float, on amd64: toward zero, and what no int64 holds becomes the least of them.  [O-001]"""
    return int(number) if -(2.0**63) <= number < 2.0**63 else INT64_MIN


def is_integer(text: str) -> bool:
    """An optional sign and base-10 digits, of any size.  [O-065]"""
    return _INTEGER.fullmatch(text) is not None


def parse_integer(text: str) -> int | None:
    """A base-10 int64, or None; Python itself reads no number of thousands of digits.  [O-065]"""
    digits = text.lstrip("+-0")
    if not is_integer(text) or len(digits) > 19:
        return None
    number = int(f"-{digits}" if text.startswith("-") else digits) if digits else 0
    return number if INT64_MIN <= number <= INT64_MAX else None
