"""Logic with constants folded away: what is plain data stays a Python bool, what is to be decided is a Z3 term.

So an encoding says everything once; where nothing is open it costs nothing, where pods may go or volumes
may be chosen it is a formula.
"""

from collections.abc import Iterable
from math import gcd
from typing import TypeAlias

import z3

from model.api.integers import INT64_MAX, INT64_MIN, int64

Term: TypeAlias = bool | z3.BoolRef
Weighted: TypeAlias = Iterable[tuple[int, Term]]
"""Amounts, each counted where its term holds."""

_TRUE, _FALSE = z3.BoolVal(True), z3.BoolVal(False)
_INT32_MAX = 2**31 - 1


def no(term: Term) -> Term:
    return not term if isinstance(term, bool) else z3.Not(term)


def every(terms: Iterable[Term]) -> Term:
    open_terms: list[z3.BoolRef] = []
    for term in terms:
        if term is False:
            return False
        if term is not True:
            open_terms.append(term)
    return open_terms[0] if len(open_terms) == 1 else z3.And(open_terms) if open_terms else True


def some(terms: Iterable[Term]) -> Term:
    open_terms: list[z3.BoolRef] = []
    for term in terms:
        if term is True:
            return True
        if term is not False:
            open_terms.append(term)
    return open_terms[0] if len(open_terms) == 1 else z3.Or(open_terms) if open_terms else False


def implies(condition: Term, consequence: Term) -> Term:
    return some((no(condition), consequence))


def asserted(term: Term) -> z3.BoolRef:
    return (_TRUE if term else _FALSE) if isinstance(term, bool) else term


def at_most(weighted: Weighted, limit: int) -> Term:
    """The sum, over unbounded integers, is at most `limit`."""
    open_terms: list[tuple[int, z3.BoolRef]] = []
    for weight, term in weighted:
        if term is True:
            limit -= weight
        elif term is not False and weight > 0:
            open_terms.append((weight, term))
        elif term is not False and weight < 0:
            limit -= weight
            open_terms.append((-weight, z3.Not(term)))
    if limit < 0:
        return False
    if sum(weight for weight, _ in open_terms) <= limit:
        return True
    unit = gcd(*(weight for weight, _ in open_terms))
    scaled = [(term, weight // unit) for weight, term in open_terms]
    limit //= unit
    if sum(weight for _, weight in scaled) <= _INT32_MAX:
        return z3.PbLe(scaled, limit)
    return z3.Sum([z3.If(term, weight, 0) for term, weight in scaled]) <= limit


def at_most_int64(weighted: Weighted, limit: int) -> Term:
    """The sum, wrapped as Go wraps it, is at most `limit`.  [O-001]

    Bit vectors only where some choice of the open terms leaves 64 bits.
    """
    fixed = 0
    open_terms: list[tuple[int, z3.BoolRef]] = []
    for weight, term in weighted:
        if term is True:
            fixed += weight
        elif term is not False:
            open_terms.append((weight, term))
    lowest = fixed + sum(weight for weight, _ in open_terms if weight < 0)
    highest = fixed + sum(weight for weight, _ in open_terms if weight > 0)
    if not open_terms:
        return int64(fixed) <= limit
    if lowest >= INT64_MIN and highest <= INT64_MAX:
        return at_most(open_terms, limit - fixed)
    total = z3.BitVecVal(fixed, 64)
    for weight, term in open_terms:
        total = total + z3.If(term, z3.BitVecVal(weight, 64), z3.BitVecVal(0, 64))
    return total <= z3.BitVecVal(limit, 64)
