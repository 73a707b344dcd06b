"""The kill matrix: which mutants the search found, how fast, and how small the case was in the end."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from statistics import median
from typing import Any

from oracle.mutants.hunt import Result, hunt
from oracle.mutants.mutation import Mutant, StillbornError, mutated
from oracle.schedulers import find_engine


def results(
    mutants: Sequence[Mutant], scheduler: str, seconds: float, workers: int = 1
) -> Iterator[tuple[Mutant, Result | None]]:
    """As they come; None for a mutant that cannot even be imported.  Raises ValueError for one without place."""
    if workers == 1:
        for mutant in mutants:
            yield mutant, result(mutant, scheduler, seconds)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        waiting = {pool.submit(result, mutant, scheduler, seconds): mutant for mutant in mutants}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def result(mutant: Mutant, scheduler: str, seconds: float) -> Result | None:
    try:
        engine = mutated(mutant, scheduler)
    except StillbornError:
        return None
    return hunt(mutant, engine, find_engine(scheduler), seconds)


def entry(found: Result, why: str = "") -> dict[str, Any]:
    """In JSON; `why`: of a survivor."""
    kill = found.kill
    written: dict[str, Any] = {
        "id": found.mutant.id,
        "description": found.mutant.description,
        "killed": kill is not None,
        "by": kill.by if kill else None,
        "examples": found.examples,
        "seconds": round(found.seconds, 2),
    }
    if kill:
        written |= {
            "counterexample": {"nodes": kill.nodes, "pods": kill.pods, "events": kill.events},
            "shrinkSeconds": round(kill.shrinking, 2),
            "sentence": kill.sentence,
        }
    elif why:
        written["reason"] = why
    return written


def summary(found: Sequence[Result], explained: Mapping[str, str]) -> dict[str, Any]:
    """Seconds of one core."""
    kills = [(one, one.kill) for one in found if one.kill]
    equivalent = [one for one in found if not one.kill and one.mutant.id in explained]
    return {
        "mutants": len(found),
        "killed": len(kills),
        "survivors": len(found) - len(kills),
        "explained": len(equivalent),
        "medianSeconds": round(median([one.seconds for one, _ in kills]), 2) if kills else None,
        "longestSeconds": round(max([one.seconds for one, _ in kills]), 2) if kills else None,
        "small": sum(kill.is_small for _, kill in kills),
        "longestShrinkSeconds": round(max([kill.shrinking for _, kill in kills]), 2) if kills else None,
    }
