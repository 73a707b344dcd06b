"""Where scheduler and reference agree, and Z3 refutes them both."""

from collections.abc import Mapping
from typing import Any

from model.api.components import Engine
from model.api.decode import ManifestError
from oracle.compare.decisions import preempt_members, schedule_members
from oracle.compare.divergence import Record
from oracle.compare.traces import Run
from oracle.conform.situation import read_situation
from oracle.finding import JUDGED, REFUTED, Finding
from oracle.guard import SchedulerFault
from oracle.shrink import shrink
from oracle.trace import read_trace
from oracle.verify import Opinion, Standing, verify_case

EVERY = 10
"""Z3 is asked about one example of so many, by their numbers: it takes about as long as the comparison."""

LIMIT_MS = 20_000
"""For each question: far more than one takes, so that a search can be repeated on any machine."""


def is_asked(number: int) -> bool:
    return number % EVERY == 0


def refuted(case: Mapping[str, Any], engine: Engine) -> Opinion | None:
    """The first claim of the scheduler that Z3 refutes.  Raises ManifestError."""
    try:
        opinions = verify_case(case, engine, LIMIT_MS)
        return next((opinion for opinion in opinions if opinion.standing is Standing.DISAGREES), None)
    except SchedulerFault:
        return None


def refutation_signature(case: Mapping[str, Any], opinion: Opinion) -> str:
    kind = "trace" if case["kind"] == "e2e" else case["kind"]
    return f"{kind}-{opinion.refutation_tag}"


def describe_refutation(
    case: Mapping[str, Any], opinion: Opinion, engine: Engine, scheduler: str, seed: str
) -> Finding:
    """In the smallest case in which the same sort of claim is refuted."""

    def shown(candidate: Mapping[str, Any]) -> Opinion | None:
        try:
            found = refuted(candidate, engine)
        except (ManifestError, KeyError, TypeError, ValueError, AttributeError):
            return None  # no longer a case that can be understood
        return found if found is not None and found.sort == opinion.sort else None

    if opinion.step is not None:
        case = {**case, "events": case["events"][: opinion.step + 1]}
    small = shrink(case, lambda candidate: shown(candidate) is not None)
    found = shown(small) or opinion
    record = _record(small, found.step, engine)
    return Finding(
        signature=refutation_signature(case, opinion),
        sentence=found.refutation,
        kind=case["kind"],
        scheduler=scheduler,
        seed=seed,
        trace={**small, JUDGED: REFUTED},
        step=found.step,
        expected=record,
        actual=record,
        differences=(),
    )


def _record(case: Mapping[str, Any], step: int | None, engine: Engine) -> Record:
    """What the scheduler does there, as the reference does."""
    if step is None:
        situation = read_situation(case)
        if case["kind"] == "schedule":
            return dict(schedule_members(engine.decide(situation)))
        return dict(preempt_members(engine.preempt(situation)))
    run = Run(read_trace(case), engine)
    *_, last = (run.next_record() for _ in range(step + 2))
    return last
