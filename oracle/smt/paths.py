"""Every way through a plain Python function that is run on unknowns.

for path in explored(lambda: quotient(x, 3), given=[x >= 0]): ...

A condition that the code branches on is taken both ways, each path with what was assumed on it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import z3
from attrs import frozen

Result = TypeVar("Result")

_PROBE_MS = 500


@frozen(eq=False)
class Path(Generic[Result]):
    """`condition`: what is true when the code goes this way; `result`: what it then gives, or the error it raises."""

    condition: z3.BoolRef
    result: Result


class _Exploration:
    """Decides branches: those of `script` as told, later ones True first where both ways are possible."""

    def __init__(self, given: list[z3.BoolRef], script: list[bool]) -> None:
        self.solver = z3.Solver()
        self.solver.set("timeout", _PROBE_MS)
        self.solver.add(given)
        self.script = script
        self.taken: list[bool] = []
        self.conditions: list[z3.BoolRef] = []
        self.other_way: list[list[bool]] = []

    def branch(self, condition: z3.BoolRef) -> bool:
        """A branch that is possible as far as the solver can tell in a moment."""
        at = len(self.taken)
        if at < len(self.script):
            taken = self.script[at]
        else:
            taken = self.solver.check(condition) != z3.unsat
            if taken and self.solver.check(z3.Not(condition)) != z3.unsat:
                self.other_way.append([*self.taken, False])
        self.taken.append(taken)
        self.conditions.append(condition if taken else z3.Not(condition))
        self.solver.add(self.conditions[-1])
        return taken


_current: list[_Exploration] = []


def branch(condition: z3.BoolRef) -> bool:
    """Which way to go now; for unknowns that are asked for a yes or no."""
    return _current[-1].branch(condition)


def explored(function: Callable[[], Result], given: Iterable[z3.BoolRef] = ()) -> Iterator[Path[Result]]:
    """Every way through the function that is possible under what is given."""
    assumed = list(given)
    waiting: list[list[bool]] = [[]]
    while waiting:
        exploration = _Exploration(assumed, waiting.pop())
        with _exploring(exploration):
            result = function()
        waiting += exploration.other_way
        yield Path(z3.And(exploration.conditions), result)


@contextmanager
def _exploring(exploration: _Exploration) -> Iterator[None]:
    _current.append(exploration)
    try:
        yield
    finally:
        _current.pop()
