"""Unknown values for plain Python functions to be run on, so that proofs are about the functions themselves.

The operators build Z3 terms; a comparison that is asked for a yes or no makes the code branch.  Integers are
unbounded as Python's are (the code itself says where Go's wrap), floats are IEEE doubles, rounded to nearest even,
texts are compared only.
"""

from typing import Any

import z3
from attrs import frozen

from oracle.smt.paths import branch

DOUBLE = z3.Float64()
NEAREST = z3.RNE()


def truth(result: Any) -> z3.BoolRef:
    return result.term if isinstance(result, Truth) else z3.BoolVal(bool(result))


@frozen(eq=False)
class Truth:
    """The outcome of a comparison; asked for a yes or no, it makes the code branch."""

    term: z3.BoolRef

    def __bool__(self) -> bool:
        return branch(self.term)

    def __eq__(self, other: object) -> "Truth":  # type: ignore[override]
        return Truth(self.term == truth(other))

    __hash__ = None  # type: ignore[assignment]


@frozen(eq=False)
class Integer:
    """An integer of any size."""

    term: z3.ArithRef

    @classmethod
    def unknown(cls, name: str) -> "Integer":
        return cls(z3.Int(name))

    def __add__(self, other: Any) -> "Integer":
        return Integer(self.term + _integer(other))

    def __radd__(self, other: Any) -> "Integer":
        return Integer(_integer(other) + self.term)

    def __sub__(self, other: Any) -> "Integer":
        return Integer(self.term - _integer(other))

    def __rsub__(self, other: Any) -> "Integer":
        return Integer(_integer(other) - self.term)

    def __mul__(self, other: Any) -> "Integer":
        return Integer(self.term * _integer(other))

    __rmul__ = __mul__

    def __neg__(self) -> "Integer":
        return Integer(-self.term)

    def __abs__(self) -> "Integer":
        return Integer(z3.If(self.term < 0, -self.term, self.term))

    def __floordiv__(self, other: Any) -> "Integer":
        """Rounds down, as Python's does; Z3's rounds so that the remainder is not negative."""
        divisor = _integer(other)
        return Integer(z3.If(divisor > 0, self.term / divisor, -self.term / -divisor))

    def __mod__(self, other: int) -> "Integer":
        if other <= 0:
            raise ValueError("a remainder is defined here for positive divisors")
        return Integer(self.term % other)

    def __lt__(self, other: Any) -> Truth:
        return Truth(self.term < _integer(other))

    def __le__(self, other: Any) -> Truth:
        return Truth(self.term <= _integer(other))

    def __gt__(self, other: Any) -> Truth:
        return Truth(self.term > _integer(other))

    def __ge__(self, other: Any) -> Truth:
        return Truth(self.term >= _integer(other))

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(self.term == _integer(other))

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(self.term != _integer(other))

    def __bool__(self) -> bool:
        return bool(self != 0)

    __hash__ = None  # type: ignore[assignment]


def _integer(value: Any) -> z3.ArithRef:
    return value.term if isinstance(value, Integer) else z3.IntVal(int(value))


@frozen(eq=False)
class Word:
    """A signed 64-bit integer on its way into floating point; nothing else is done with it but comparing."""

    term: z3.BitVecRef

    @classmethod
    def unknown(cls, name: str) -> "Word":
        return cls(z3.BitVec(name, 64))

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(self.term == (other.term if isinstance(other, Word) else other))

    def __le__(self, other: Any) -> Truth:
        return Truth(self.term <= (other.term if isinstance(other, Word) else other))

    def __ge__(self, other: Any) -> Truth:
        return Truth(self.term >= (other.term if isinstance(other, Word) else other))

    def as_double(self) -> "Double":
        return Double(z3.fpSignedToFP(NEAREST, self.term, DOUBLE))

    __hash__ = None  # type: ignore[assignment]


@frozen(eq=False)
class Double:
    """An IEEE double."""

    term: z3.FPRef

    @classmethod
    def unknown(cls, name: str) -> "Double":
        return cls(z3.FP(name, DOUBLE))

    def __add__(self, other: Any) -> "Double":
        return Double(z3.fpAdd(NEAREST, self.term, _double(other)))

    def __sub__(self, other: Any) -> "Double":
        return Double(z3.fpSub(NEAREST, self.term, _double(other)))

    def __rsub__(self, other: Any) -> "Double":
        return Double(z3.fpSub(NEAREST, _double(other), self.term))

    def __mul__(self, other: Any) -> "Double":
        return Double(z3.fpMul(NEAREST, self.term, _double(other)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "Double":
        return Double(z3.fpDiv(NEAREST, self.term, _double(other)))

    def __rtruediv__(self, other: Any) -> "Double":
        return Double(z3.fpDiv(NEAREST, _double(other), self.term))

    def __abs__(self) -> "Double":
        return Double(z3.fpAbs(self.term))

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(z3.fpEQ(self.term, _double(other)))

    def __lt__(self, other: Any) -> Truth:
        return Truth(z3.fpLT(self.term, _double(other)))

    def __le__(self, other: Any) -> Truth:
        return Truth(z3.fpLEQ(self.term, _double(other)))

    def __ge__(self, other: Any) -> Truth:
        return Truth(z3.fpGEQ(self.term, _double(other)))

    def truncated(self) -> "Word":
        """Toward zero, as Go's int() does for what fits 64 bits."""
        return Word(z3.fpToSBV(z3.RTZ(), self.term, z3.BitVecSort(64)))

    __hash__ = None  # type: ignore[assignment]


def _double(value: Any) -> z3.FPRef:
    return value.term if isinstance(value, Double) else z3.FPVal(float(value), DOUBLE)


def symbolic_float(value: Any) -> Any:
    """To stand for `float` in code that is run on unknowns."""
    if isinstance(value, Double):
        return value
    return value.as_double() if isinstance(value, Word) else float(value)


def symbolic_int(value: Any) -> Any:
    """To stand for `int` in code that is run on unknowns."""
    return value.truncated() if isinstance(value, Double) else int(value)


@frozen(eq=False)
class Text:
    """A text that is compared with others; empty or not is a question as well."""

    term: z3.SeqRef

    @classmethod
    def unknown(cls, name: str) -> "Text":
        return cls(z3.String(name))

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(self.term == (other.term if isinstance(other, Text) else z3.StringVal(str(other))))

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return Truth(self.term != (other.term if isinstance(other, Text) else z3.StringVal(str(other))))

    def __bool__(self) -> bool:
        return bool(self != "")

    __hash__ = None  # type: ignore[assignment]
