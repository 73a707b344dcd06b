"""Go's fixed-width integers.  [O-001]"""

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1


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
