"""Claims about functions run on unknowns: proved for all of them, or refuted by some."""

from collections.abc import Callable, Iterable
from typing import Any

import z3
from attrs import frozen

from oracle.smt.paths import explored
from oracle.smt.symbolic import Integer, Word, truth

PROOF_MS = 120_000

_BY_BITS = ("simplify", "fpa2bv", "simplify", "bit-blast", "sat")
"""Doubles as circuits, given to the SAT solver at once."""


@frozen
class Proved:
    """No values refute it."""


@frozen(eq=False)
class Refuted:
    """`witness`: values for which it is false."""

    witness: z3.ModelRef

    def __getitem__(self, unknown: Integer | Word) -> int:
        value = self.witness.eval(unknown.term, True)
        return int(value.as_signed_long() if isinstance(unknown, Word) else value.as_long())


def holds(function: Callable[[], Any], given: Iterable[z3.BoolRef] = ()) -> z3.BoolRef:
    """The condition under which the function says yes."""
    return z3.Or([z3.And(path.condition, truth(path.result)) for path in explored(function, given)])


def proof(claim: z3.BoolRef, given: Iterable[z3.BoolRef] = ()) -> Proved | Refuted:
    """Raises TimeoutError where neither a proof nor a witness is found in time."""
    goal = z3.Goal()
    goal.add(*given, z3.Not(claim))
    solver = z3.Then(*_BY_BITS).solver() if z3.Probe("is-qffpbv")(goal) else z3.Solver()
    solver.set("timeout", PROOF_MS)
    solver.add(goal)
    answer = solver.check()
    if answer == z3.unsat:
        return Proved()
    if answer == z3.sat:
        return Refuted(solver.model())
    raise TimeoutError(solver.reason_unknown())
