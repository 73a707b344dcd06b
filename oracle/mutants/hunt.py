"""Looking for the case that gives a fault away, and making it small."""

from collections.abc import Mapping
from time import process_time
from typing import Any

from attrs import frozen

from model.api.components import Engine
from oracle.compare.signature import signature
from oracle.fuzz.describe import describe
from oracle.fuzz.examples import example
from oracle.fuzz.trial import try_case
from oracle.mutants.mutation import Mutant

SEED = 1


@frozen
class Kill:
    """`by`: the signature of the difference.

    `shrinking`: the seconds of one core until the case was small; None for one that is as it was met.
    """

    by: str
    case: Mapping[str, Any]
    sentence: str = ""
    shrinking: float | None = None

    @property
    def nodes(self) -> int:
        return len(_objects(self.case, "nodes", "Node"))

    @property
    def pods(self) -> int:
        return len(_objects(self.case, "pods", "Pod"))

    @property
    def events(self) -> int:
        return sum(1 + len(event.get("during", ())) for event in self.case.get("events", self.case.get("ops", ())))


@frozen
class Result:
    """`kill` is None for a mutant that survived so many examples and seconds of one core."""

    mutant: Mutant
    kill: Kill | None
    examples: int
    seconds: float


def hunt(
    mutant: Mutant, engine: Engine, sound: Engine, seconds: float, seed: int = SEED, shrinks: bool = True
) -> Result:
    """Try the examples of a search in order, until the mutant departs where the sound scheduler does not."""
    start, number = process_time(), 0
    while (elapsed := process_time() - start) < seconds:
        case = example(seed, number, engine)
        number += 1
        trial = try_case(case, engine)
        if trial and trial.divergence and _agrees(case, sound):
            elapsed = process_time() - start
            if not shrinks:
                return Result(mutant, Kill(signature(case, trial.divergence), case), number, elapsed)
            finding = describe(case, trial.divergence, engine, mutant.id, f"{seed}/{number - 1}")
            shrinking = process_time() - start - elapsed
            return Result(mutant, Kill(finding.signature, finding.trace, finding.sentence, shrinking), number, elapsed)
    return Result(mutant, None, number, elapsed)


def _agrees(case: Mapping[str, Any], sound: Engine) -> bool:
    trial = try_case(case, sound)
    return trial is not None and trial.divergence is None


def _objects(case: Mapping[str, Any], list_name: str, kind: str) -> set[str]:
    """Names of the objects of a kind that a case has, before or among its events."""
    listed = case.get("cluster", {}).get(list_name, ())
    table = case.get(list_name, {})
    created = [
        event["object"] for event in _flat(case.get("events", ())) if event.get("kind") == kind and "object" in event
    ]
    decided = [case["pod"]] if kind == "Pod" and "pod" in case else []
    documents = [*listed, *(table.values() if isinstance(table, Mapping) else table), *created, *decided]
    return {f"{d['metadata'].get('namespace', '')}/{d['metadata']['name']}" for d in documents}


def _flat(events: Any) -> list[Any]:
    return [each for event in events for each in (event, *event.get("during", ()))]
