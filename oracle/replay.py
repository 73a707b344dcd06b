"""Playing a trace through a scheduler beside what it should do: what was recorded, or else what the model does."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from attrs import frozen

from model.api.components import Engine
from model.api.configuration import ConfigurationError
from model.api.protocol import Crash, Scheduler
from model.engine import Reference
from oracle.compare.divergence import different_ends
from oracle.compare.written import Written, compare_written, written
from oracle.conform.e2e import compare_step
from oracle.conform.verdict import Difference
from oracle.environment import Operation, Step
from oracle.guard import guarded_scheduler
from oracle.trace import Trace, play


@frozen
class Replayed:
    """One step: `event` is None for the start; `expected` is a STEP document, None where the record has ended."""

    event: Operation | None
    step: Step
    expected: Mapping[str, Any] | None
    difference: Difference | None


def replay(trace: Trace, engine: Engine, alone: bool = False) -> Iterator[Replayed]:
    """Step by step, up to and including the first difference; `alone`: compared with nothing.

    Raises SchedulerFault, and ConfigurationError where the model refuses the configuration as the scheduler does.
    """
    record: Iterator[Mapping[str, Any]] = iter(())
    mine: list[Written] = []
    models: list[Written] = []
    if not alone:
        record = _recorded(trace.expect) if trace.expect is not None else _by_the_model(trace, models)
    steps = _played(trace, lambda: guarded_scheduler(engine, trace.configuration), mine)
    for at, (event, step) in enumerate(zip((None, *trace.events), steps, strict=False)):
        expected = next(record, None)
        where = f"steps[{at - 1}]" if at else "initial"
        if step.refused is not None and step.refused == next(_by_the_model(trace, [])).get("refused"):
            raise ConfigurationError(step.refused)
        difference = None if expected is None else _parted(where, expected, step)
        if difference is None and models and expected is not None:
            difference = compare_written(where, models[-1], mine[-1])
        yield Replayed(event, step, expected, difference)
        if difference is not None:
            return


def _parted(where: str, expected: Mapping[str, Any], step: Step) -> Difference | None:
    if step.refused is not None or "refused" in expected:
        return different_ends(where, expected, step.document())
    return compare_step(where, expected, step)


def _recorded(expect: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The steps that bind: nothing does from an uncertain step on, nor from a crash of the recorded scheduler."""
    end = expect.get("ambiguousAt", expect.get("crashAt"))
    yield expect.get("initial") or {}
    yield from (step or {} for step in islice(expect.get("steps") or (), end))


def _by_the_model(trace: Trace, models: list[Written]) -> Iterator[Mapping[str, Any]]:
    for step in _played(trace, lambda: Reference().scheduler(trace.configuration), models):
        yield step.document()


def _played(trace: Trace, start: Callable[[], Scheduler], found: list[Written]) -> Iterator[Step]:
    """`found` takes what each step wrote; the end of a scheduler that does not even start is a step, too."""
    try:
        scheduler = start()
    except Crash as crash:
        end = Step(clock=0, crash=str(crash))
    except ConfigurationError as refusal:
        end = Step(clock=0, refused=str(refusal))
    else:
        yield from play(trace, scheduler, onlooker=lambda store, step: found.append(written(store, step)))
        return
    found.append(())
    yield end
