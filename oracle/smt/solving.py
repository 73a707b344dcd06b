"""Asking Z3: do these constraints hold together?  Every answer is bounded in time, and "unknown" is an answer."""

from collections.abc import Iterable, Sequence

import z3
from attrs import frozen

from oracle.smt.constraint import Constraint

LIMIT_MS = 2000

z3.set_param("ctrl_c", False)  # Z3 would take an interrupt for itself and answer "unknown"


@frozen(eq=False)
class Holds:
    model: z3.ModelRef


@frozen(eq=False)
class Broken:
    """`core`: constraints that cannot hold together (with what was assumed besides)."""

    core: tuple[Constraint, ...]


@frozen
class Undecided:
    why: str


Answer = Holds | Broken | Undecided


class OutOfTime(Exception):
    """What an answer depends on was not decided; so it is not known either."""


class Solving:
    """One set of named constraints, asked under changing assumptions.  `limit_ms` for each question."""

    def __init__(self, constraints: Iterable[Constraint], limit_ms: int = LIMIT_MS) -> None:
        self.solver = z3.SimpleSolver()
        self.solver.set("timeout", limit_ms)
        self.solver.set("core.minimize", True)
        self.named: dict[str, Constraint] = {}
        self.names: list[z3.BoolRef] = []
        for index, constraint in enumerate(constraints):
            if constraint.holds is not True:
                name = z3.Bool(f"{index} {constraint.rule}")
                self.solver.add(z3.Not(name) if constraint.holds is False else z3.Implies(name, constraint.holds))
                self.named[name.decl().name()] = constraint
                self.names.append(name)

    def ask(self, *assumptions: z3.BoolRef, only: Sequence[str] | None = None) -> Answer:
        """`only`: leave out the constraints of other predicates."""
        names = [
            name
            for name, constraint in zip(self.names, self.named.values(), strict=True)
            if only is None or constraint.predicate in only
        ]
        answer = self.solver.check(*names, *assumptions)
        if answer == z3.sat:
            return Holds(self.solver.model())
        if answer == z3.unknown:
            return Undecided(self.solver.reason_unknown())
        return Broken(self._core())

    def holds(self, *assumptions: z3.BoolRef) -> bool:
        """Raises OutOfTime."""
        answer = self.ask(*assumptions)
        if isinstance(answer, Undecided):
            raise OutOfTime(answer.why)
        return isinstance(answer, Holds)

    def _core(self) -> tuple[Constraint, ...]:
        core = (self.named.get(each.decl().name()) for each in self.solver.unsat_core())
        return tuple(each for each in core if each is not None)
