"""The search: example after example, on one core or several, until enough was tried or found.

With a number of examples the seed fixes the outcome, byte for byte, whatever the number of workers.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from attrs import Factory, define, evolve, frozen

from model.api.components import Engine
from oracle.compare.signature import signature
from oracle.finding import Finding, Search
from oracle.fuzz.corpus import RARE, Corpus
from oracle.fuzz.describe import describe
from oracle.fuzz.examples import can_try, example
from oracle.fuzz.refutation import describe_refutation, is_asked, refutation_signature, refuted
from oracle.fuzz.trial import Trial, try_case
from oracle.guard import SchedulerFault
from oracle.schedulers import find_engine

ENOUGH = 20
"""Different findings after which a search ends."""

CHUNK = 8
"""Examples that a worker takes at a time."""


@frozen
class Plan:
    """`examples` or `seconds`, whichever is given; `corpus`: cases tried first."""

    scheduler: str
    seed: int = 0
    examples: int | None = None
    seconds: float | None = None
    workers: int = 1
    corpus: Path | None = None

    @property
    def effort(self) -> str:
        return f"--examples {self.examples}" if self.seconds is None else f"--seconds {self.seconds:g}"


@frozen
class Tried:
    """A case, where it came from, and what came of it; None for one that cannot be understood."""

    origin: str
    case: Mapping[str, Any]
    trial: Trial | None


@define
class Progress:
    """What a search knows so far."""

    examples: Counter[str] = Factory(Counter)
    coverage: Counter[str] = Factory(Counter)
    reaching: Counter[str] = Factory(Counter)
    """How many cases reached each rule and outcome."""
    findings: dict[str, Finding] = Factory(dict)
    seen: set[str] = Factory(set)
    moments: list[float] = Factory(list)
    """Seconds after the start at which cases were done."""
    interrupted: bool = False

    def count(self, tried: Tried, trial: Trial) -> None:
        self.examples[str(tried.case["kind"])] += 1
        self.coverage.update(trial.used)
        self.reaching.update(trial.used.keys())


Watcher = Callable[[Progress], None]
"""Told after each case, and after each finding."""


def search(plan: Plan, watch: Watcher = lambda _: None, found: Callable[[Finding], None] = lambda _: None) -> Search:
    """Run the plan.  `found` gets each finding as soon as it is there.

    Raises SchedulerError, and SchedulerFault where the scheduler takes a worker with it when it dies.
    """
    engine = find_engine(plan.scheduler)
    progress, start = Progress(), time.monotonic()
    corpus = Corpus(plan.corpus) if plan.corpus else None
    try:
        for tried in _all_tried(plan, engine, corpus):
            _take_in(tried, progress, plan, engine, corpus, found)
            progress.moments.append(time.monotonic() - start)
            watch(progress)
            if len(progress.findings) >= ENOUGH or _over(plan, start):
                break
    except KeyboardInterrupt:
        progress.interrupted = True
    return Search(
        scheduler=plan.scheduler,
        seed=plan.seed,
        effort=plan.effort,
        examples=dict(sorted(progress.examples.items())),
        coverage=dict(sorted(progress.coverage.items())),
        findings=tuple(progress.findings.values()),
        throughput=() if plan.seconds is None else _throughput(progress.moments),
        interrupted=progress.interrupted,
    )


def _over(plan: Plan, start: float) -> bool:
    return plan.seconds is not None and time.monotonic() - start >= plan.seconds


def _take_in(
    tried: Tried,
    progress: Progress,
    plan: Plan,
    engine: Engine,
    corpus: Corpus | None,
    found: Callable[[Finding], None],
) -> None:
    if (trial := tried.trial) is None:
        return
    is_rare = any(progress.reaching[what] < RARE for what in trial.used)
    progress.count(tried, trial)
    sort = _sort(tried.case, trial)
    if sort is None:
        if corpus and is_rare and not tried.origin.startswith("corpus/"):
            corpus.keep(tried.case)
        return
    if sort in progress.seen:
        return
    progress.seen.add(sort)
    finding = _described(tried, trial, engine, plan.scheduler)
    if finding.signature not in progress.findings:
        progress.findings[finding.signature] = finding
        found(finding)
    if corpus:
        corpus.keep(finding.trace)


def _sort(case: Mapping[str, Any], trial: Trial) -> str | None:
    """The signature of what was found, None where it was nothing."""
    if trial.divergence is not None:
        return signature(case, trial.divergence)
    return refutation_signature(case, trial.refuted) if trial.refuted is not None else None


def _described(tried: Tried, trial: Trial, engine: Engine, scheduler: str) -> Finding:
    if trial.divergence is not None:
        return describe(tried.case, trial.divergence, engine, scheduler, tried.origin)
    assert trial.refuted is not None
    return describe_refutation(tried.case, trial.refuted, engine, scheduler, tried.origin)


# --- where cases come from ------------------------------------------------------------------------


def _all_tried(plan: Plan, engine: Engine, corpus: Corpus | None) -> Iterator[Tried]:
    """The corpus, then examples in order of their numbers."""
    for name, case in tuple(corpus or ()):
        if can_try(case["kind"], engine):
            yield Tried(f"corpus/{name}", case, try_case(case, engine))
    yield from _in_order(plan) if plan.workers > 1 else _one_by_one(plan, engine)


def _one_by_one(plan: Plan, engine: Engine) -> Iterator[Tried]:
    for number in _numbers(plan):
        yield _tried(plan.seed, number, engine)


def _tried(seed: int, number: int, engine: Engine) -> Tried:
    case = example(seed, number, engine)
    trial = try_case(case, engine)
    if trial is not None and trial.divergence is None and is_asked(number):
        trial = evolve(trial, refuted=refuted(case, engine))
    return Tried(f"{seed}/{number}", case, trial)


def _numbers(plan: Plan) -> Iterator[int]:
    number = 0
    while plan.examples is None or number < plan.examples:
        yield number
        number += 1


# --- several cores --------------------------------------------------------------------------------


def _in_order(plan: Plan) -> Iterator[Tried]:
    """Chunks are tried on all workers, a few ahead, and come back in order."""
    chunks = _chunks(_numbers(plan))
    with ProcessPoolExecutor(plan.workers, get_context("spawn"), _prepare, (plan.scheduler,)) as pool:
        waiting: list[Future[list[Tried]]] = []
        try:
            while True:
                while len(waiting) < 2 * plan.workers and (chunk := next(chunks, None)):
                    waiting.append(pool.submit(_work, plan.seed, chunk))
                if not waiting:
                    return
                yield from waiting.pop(0).result()
        except BrokenProcessPool as error:
            raise SchedulerFault("a process that tried cases with it is gone", str(error)) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _chunks(numbers: Iterable[int]) -> Iterator[list[int]]:
    chunk: list[int] = []
    for number in numbers:
        chunk.append(number)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


_engine: Engine | None = None


def _prepare(scheduler: str) -> None:
    global _engine
    _engine = find_engine(scheduler)


def _work(seed: int, numbers: list[int]) -> list[Tried]:
    assert _engine is not None
    return [_tried(seed, number, _engine) for number in numbers]


def _throughput(moments: list[float], slices: int = 20) -> tuple[float, ...]:
    if not moments:
        return ()
    length = moments[-1] / slices
    counts = Counter(min(int(moment / length), slices - 1) for moment in moments) if length else Counter()
    return tuple(round(counts[at] / length, 1) for at in range(slices)) if length else ()
