"""Kubernetes quantities with the rounding and the overflow of the real parser.  [O-022..O-031]"""

import re
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil

from attrs import field, frozen

from model.api.integers import INT64_MAX, INT64_MIN, int32, int64

_SHAPE = re.compile(r"[+-]?([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_WRAPPING_POWERS = {1, 2, 3, 6, 9}
_NANO = 10**9
# No memory or disk has 10^4096 bytes; beyond it exact arithmetic would only burn memory.
_LARGEST_EXPONENT = 4096


class QuantityError(ValueError):
    """The text is no quantity; the message is the API's own.  [O-023]"""


_MALFORMED = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_BAD_SUFFIX = "unable to parse quantity's suffix"
_BAD_NUMBER = "unable to parse numeric part of quantity"


@frozen
class Quantity:
    """An amount as written, and the number the API server keeps for it.

    Equality is by text: the scheduler's deep comparison tells `1` from `1000m`.  [O-029]
    `mantissa * 10**scale` is the *fast* representation; `exact` the arbitrary-precision one.  [O-024]
    """

    text: str
    mantissa: int | None = field(eq=False, repr=False)
    scale: int = field(eq=False, repr=False)
    exact: Fraction = field(eq=False, repr=False)

    @cached_property
    def number(self) -> Fraction:
        """The stored number, for exact comparison.  [O-028]"""
        if self.mantissa is None:
            return self.exact
        return self.mantissa * Fraction(10) ** min(self.scale, _LARGEST_EXPONENT)

    @property
    def value(self) -> int:
        """The amount in whole units, rounded up, as int64.  [O-026, O-027]"""
        return self._scaled(0)

    @property
    def milli_value(self) -> int:
        """The amount in thousandths, rounded up, as int64.  [O-026, O-027]"""
        return self._scaled(3)

    def _scaled(self, shift: int) -> int:
        if self.mantissa is None:
            return _dec_scaled(self.exact * Fraction(10) ** shift)
        return _fast_scaled(self.mantissa, self.scale + shift)


def _fast_scaled(mantissa: int, power: int) -> int:
    """mantissa * 10^power: away from zero below the point, wrapped or zeroed on overflow.  [O-027]"""
    if mantissa == 0:
        return 0
    if power < 0:
        magnitude: int = -(-abs(mantissa) // 10 ** min(-power, 64))
        return magnitude if mantissa > 0 else -magnitude
    product: int = mantissa * 10 ** min(power, 64)
    if INT64_MIN <= product <= INT64_MAX:
        return product
    return int64(product) if power in _WRAPPING_POWERS else 0


def _dec_scaled(number: Fraction) -> int:
    """The ceiling, wrapped; a negative number is truncated toward zero, plus one if inexact.  [O-027, O-031]"""
    return int64(ceil(number) if number >= 0 or number.denominator == 1 else 1 - int(-number))


@lru_cache(maxsize=65536)
def parse_quantity(text: str) -> Quantity:
    """Read a quantity as the API server does.  [O-022..O-025]

    Raises QuantityError with the API's message.
    """
    shape = _SHAPE.fullmatch(text) if text else None
    if shape is None:
        raise QuantityError(_MALFORMED)
    digits, fraction, suffix = shape[1], shape[2] or "", shape[3]
    negative = text.startswith("-")
    base, exponent = _interpret(suffix)
    fast = _fast(digits.lstrip("0") or "0", fraction, base, exponent)
    if fast is not None:
        mantissa, scale = fast
        return Quantity(text, -mantissa if negative else mantissa, scale, Fraction(0))
    if not digits and not fraction:
        raise QuantityError(_BAD_NUMBER)
    magnitude = _dec(int(digits + fraction), len(fraction), base, exponent)
    return Quantity(text, None, 0, -magnitude if negative else magnitude)


def _interpret(suffix: str) -> tuple[int, int]:
    """The base and exponent that a suffix stands for.  [O-022]"""
    if suffix in _DECIMAL:
        return 10, _DECIMAL[suffix]
    if suffix in _BINARY:
        return 2, _BINARY[suffix]
    if re.fullmatch(r"[eE][+-]?[0-9]+", suffix) and INT64_MIN <= int(suffix[1:]) <= INT64_MAX:
        return 10, int32(int(suffix[1:]))
    raise QuantityError(_BAD_SUFFIX)


def _fast(integer: str, fraction: str, base: int, exponent: int) -> tuple[int, int] | None:
    """Mantissa and scale, where the int64 representation is used.  [O-024]"""
    if base == 10:
        scale = exponent - len(fraction)
        if len(integer) + len(fraction) <= 18 and scale >= -9:
            return int(integer + fraction), scale
        return None
    if fraction or 15 - len(integer) - exponent * 3 // 10 - 1 < 0:
        return None
    product = int(integer) << exponent
    return (product, 0) if product <= INT64_MAX else None


def _dec(digits: int, decimals: int, base: int, exponent: int) -> Fraction:
    """The exact number, rounded away from zero to 10^-9, binary ones capped at 2^63-1.  [O-025]"""
    if digits == 0:
        return Fraction(0)
    if exponent > _LARGEST_EXPONENT:
        raise QuantityError(_BAD_NUMBER)
    number = Fraction(digits, 10**decimals) * Fraction(base) ** max(exponent, -_LARGEST_EXPONENT)
    rounded = Fraction(ceil(number * _NANO), _NANO)
    return min(rounded, Fraction(INT64_MAX)) if base == 2 else rounded
