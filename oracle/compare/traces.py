"""Two schedulers side by side through one trace, each in a world of its own, up to the first step where they part."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import Engine
from oracle.compare.divergence import Divergence, Record, different_ends, ended, on_record
from oracle.conform.e2e import compare_step
from oracle.environment import Step, write_operation
from oracle.guard import guarded_scheduler
from oracle.trace import Trace, play, read_trace


def compare(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Effects first, then what both show of themselves.  Raises ManifestError for a case that cannot be played."""
    trace = read_trace(case)
    reference_run, run = Run(trace, reference), Run(trace, engine)
    for at, event in enumerate((None, *trace.events), start=-1):
        expected, actual = reference_run.next_record(), run.next_record()
        where = f"steps[{at}]" if event else "initial"
        if ended(expected) or ended(actual):
            difference = different_ends(where, expected, actual)
        else:
            assert run.step is not None
            difference = compare_step(where, expected, run.step)
        if difference is not None:
            return Divergence(at, write_operation(event) if event else None, expected, actual, difference)
        if ended(expected):
            return None
    return None


class Run:
    """One scheduler's run through a trace."""

    def __init__(self, trace: Trace, engine: Engine) -> None:
        self._trace, self._engine = trace, engine
        self._steps: Iterator[Step] | None = None
        self.step: Step | None = None

    def next_record(self) -> Record:
        """Of the next step: a STEP, or what ended the run."""
        return on_record(self._next)

    def _next(self) -> Record:
        if self._steps is None:
            self._steps = play(self._trace, guarded_scheduler(self._engine, self._trace.configuration))
        self.step = next(self._steps)
        return self.step.document()
