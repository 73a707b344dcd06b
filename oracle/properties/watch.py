"""Looking at a run, moment by moment."""

from attrs import frozen

from model.rules import reached
from oracle.environment import Step
from oracle.environment.store import Store
from oracle.properties.always import ALWAYS
from oracle.properties.moment import Moment, next_moment
from oracle.properties.sometimes import SOMETIMES
from oracle.trace import Trace


@frozen
class Violation:
    """`sentence` says how the property is broken."""

    property: str
    sentence: str


class Watch:
    """Of one run through a trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._moment: Moment | None = None

    def look(self, store: Store, step: Step) -> Violation | None:
        """After each step, the start included."""
        if step.crash is not None:
            return None
        moment = self._moment = next_moment(self._trace, store, step, self._moment)
        for name, holds in SOMETIMES.items():
            if holds(moment):
                reached(f"sometimes: {name}")
        return next(
            (Violation(name, sentence) for name, broken in ALWAYS.items() if (sentence := broken(moment))), None
        )
