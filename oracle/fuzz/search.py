"""The search: example after example, here, on several cores or on a cluster, until enough was tried or found.

With a number of examples the seed fixes the outcome, byte for byte, wherever they are tried.
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from itertools import chain, count
from typing import Any

from model.api.bad_input import BadInput
from model.api.components import Engine
from oracle.compare import hung
from oracle.compare.signature import signature
from oracle.finding import Finding, Search
from oracle.fuzz.corpus import CORPUS, RARE, Corpus
from oracle.fuzz.describe import describe
from oracle.fuzz.examples import can_try
from oracle.fuzz.plan import Plan, PlanError
from oracle.fuzz.portions import Item, Kept, Tried, portions, try_item
from oracle.fuzz.processes import on_processes
from oracle.fuzz.progress import Progress, Unfinished
from oracle.fuzz.refutation import describe_refutation, refutation_signature
from oracle.fuzz.trial import Trial
from oracle.guard import SchedulerFault
from oracle.printable import counted
from oracle.schedulers import find_engine

ENOUGH = 20
"""Different findings after which a search ends."""


Watcher = Callable[[Progress], None]
"""Told after each case, and after each finding."""


def search(plan: Plan, watch: Watcher = lambda _: None, found: Callable[[Finding], None] = lambda _: None) -> Search:
    """Run the plan.  `found` gets each finding as soon as it is there.

    Raises SchedulerError, PlanError, and SchedulerFault where the scheduler takes a process with it
    when it dies.
    """
    engine = find_engine(plan.scheduler)
    corpus = Corpus(plan.memory / CORPUS) if plan.memory else None
    kept = {name: case for name, case in corpus or () if can_try(case["kind"], engine)}
    unfinished = Unfinished(plan.memory, plan.scheduler, plan.seed) if plan.memory else None
    progress = unfinished.load() if unfinished and plan.resume else Progress(corpus=list(kept))
    start, interrupted = time.monotonic() - progress.elapsed, False
    try:
        if unfinished:
            unfinished.save(progress)
        with closing(_all_tried(plan, engine, _items(plan, progress, kept))) as tries:
            while not _over(plan, progress) and (tried := next(tries, None)):
                _take_in(tried, progress, plan, engine, corpus, found)
                progress.end_case(tried, time.monotonic() - start)
                watch(progress)
                if unfinished:
                    unfinished.save(progress)
        if unfinished:
            unfinished.end()
    except KeyboardInterrupt:
        interrupted = True
    except (BadInput, SchedulerFault):
        if unfinished and not progress.examples:
            unfinished.end()
        raise
    return Search(
        scheduler=plan.scheduler,
        seed=plan.seed,
        effort=plan.effort,
        examples=dict(sorted(progress.examples.items())),
        coverage=dict(sorted(progress.coverage.items())),
        findings=tuple(progress.findings.values()),
        throughput=() if plan.seconds is None else progress.pace.rates,
        interrupted=interrupted,
        kept=progress.kept,
        stopped=_why_stop(progress),
    )


def _over(plan: Plan, progress: Progress) -> bool:
    is_late = plan.seconds is not None and progress.elapsed >= plan.seconds
    return is_late or bool(_why_stop(progress))


def _why_stop(progress: Progress) -> str:
    """Before the time; "" while there is no reason.  Where one case hangs, many do, each for as long."""
    if any(hung(finding.actual) for finding in progress.findings.values()):
        return "the scheduler hung"
    return counted(ENOUGH, "different finding") if len(progress.findings) >= ENOUGH else ""


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
        if corpus and is_rare and not isinstance(tried.item, Kept):
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


def _items(plan: Plan, progress: Progress, kept: Mapping[str, Any]) -> Iterator[Item]:
    """What is left: of the corpus as it was at the start, then examples in order of their numbers."""
    again = (Kept(name, kept[name]) for name in progress.corpus[progress.kept :] if name in kept)
    new = count(progress.done) if plan.examples is None else range(progress.done, plan.examples)
    return chain(again, new)


def _all_tried(plan: Plan, engine: Engine, items: Iterator[Item]) -> Generator[Tried]:
    """In order of the items."""
    if plan.dask is not None:
        try:
            from oracle.fuzz.cluster import on_cluster
        except ImportError as error:
            raise PlanError(f"for a Dask cluster, install sched-oracle[dask]: {error}") from None
        return on_cluster(portions(plan.scheduler, plan.seed, items), plan.dask)
    if plan.workers > 1:
        return on_processes(portions(plan.scheduler, plan.seed, items), plan.workers)
    return (try_item(plan.seed, item, engine) for item in items)
