"""The kill matrix: which mutants the search found, how fast, and how small the case was in the end."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from functools import partial
from json import dumps
from pathlib import Path
from statistics import median
from typing import Any

from model.api.bad_input import MISREAD
from model.api.documents import DocumentError, json_document
from oracle.mutants.hunt import Result, hunt
from oracle.mutants.mutation import Mutant, StillbornError, mutated
from oracle.process_pool import no_interrupts, short_lived
from oracle.schedulers import find_engine
from oracle.written_file import writing

Entry = Mapping[str, Any]

NAMED = {"id", "description", "place"}
HUNTED = {"killed", "by", "examples", "seconds"}
"""Members of an entry: of every one, and of one that could be imported."""


def entries(
    mutants: Sequence[Mutant],
    scheduler: str,
    seconds: float,
    workers: int = 1,
    shrinks: bool = True,
    kept: Path | None = None,
) -> Iterator[Entry]:
    """As they come: first what an earlier run left in `kept`, a file of JSON lines, then the others, kept there too.

    Raises ValueError for a mutant without place, and DocumentError for a file that holds something else.
    """
    known = {one["place"]: one for one in _lines(kept)} if kept and kept.exists() else {}
    missing = [mutant for mutant in mutants if mutant.place not in known]
    yield from (known[mutant.place] for mutant in mutants if mutant.place in known)
    for one in _hunted(missing, partial(_entry, scheduler=scheduler, seconds=seconds, shrinks=shrinks), workers):
        if kept:
            with writing(kept), kept.open("a") as file:
                file.write(dumps(one) + "\n")
        yield one


def _lines(kept: Path) -> Iterator[Entry]:
    for number, line in enumerate(kept.read_text().splitlines(), 1):
        try:
            members = (one := json_document(line)).keys()
            missing = (NAMED if "stillborn" in members else NAMED | HUNTED) - members
        except MISREAD as error:
            raise DocumentError(f"{kept}, line {number}: not what this version writes: {error}") from None
        if missing:
            raise DocumentError(f"{kept}, line {number}: not what this version writes: no {', '.join(sorted(missing))}")
        yield one


def _hunted(mutants: Sequence[Mutant], hunter: "partial[Entry]", workers: int) -> Iterator[Entry]:
    if workers == 1:
        yield from map(hunter, mutants)
        return
    with short_lived(workers) as pool:
        with no_interrupts():
            hunts = [pool.submit(hunter, mutant) for mutant in mutants]
        for done in as_completed(hunts):
            yield done.result()


def _entry(mutant: Mutant, scheduler: str, seconds: float, shrinks: bool) -> Entry:
    try:
        engine = mutated(mutant, scheduler)
    except StillbornError:
        return _named(mutant) | {"stillborn": True}
    return entry(hunt(mutant, engine, find_engine(scheduler), seconds, shrinks=shrinks))


def entry(found: Result) -> Entry:
    """In JSON."""
    kill = found.kill
    written = _named(found.mutant) | {
        "killed": kill is not None,
        "by": kill.by if kill else None,
        "examples": found.examples,
        "seconds": round(found.seconds, 2),
    }
    if kill and kill.shrinking is not None:
        written |= {
            "counterexample": {"nodes": kill.nodes, "pods": kill.pods, "events": kill.events},
            "shrinkSeconds": round(kill.shrinking, 2),
            "sentence": kill.sentence,
        }
    return written


def _named(mutant: Mutant) -> dict[str, Any]:
    return {"id": mutant.id, "description": mutant.description, "place": mutant.place}


def is_small(one: Entry) -> bool:
    """Read at a glance."""
    size = one["counterexample"]
    return bool(size["nodes"] <= 3 and size["pods"] <= 4 and size["events"] <= 8)


def summary(found: Sequence[Entry], explained: Mapping[str, str]) -> dict[str, Any]:
    """Of those that could be imported.  `explained`: by place.  Seconds of one core."""
    living = [one for one in found if "stillborn" not in one]
    kills = [one for one in living if one["killed"]]
    shrunk = [one for one in kills if "counterexample" in one]
    return {
        "mutants": len(living),
        "killed": len(kills),
        "survivors": len(living) - len(kills),
        "explained": sum(not one["killed"] and one["place"] in explained for one in living),
        "stillborn": len(found) - len(living),
        "medianSeconds": round(median([one["seconds"] for one in kills]), 2) if kills else None,
        "longestSeconds": max((one["seconds"] for one in kills), default=None),
        "small": sum(map(is_small, shrunk)),
        "longestShrinkSeconds": max((one["shrinkSeconds"] for one in shrunk), default=None),
    }
