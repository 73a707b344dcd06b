"""The best candidate: five criteria in turn.  [E-035..E-045, L-123]"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from model.preemption.victims import Victims, start_time
from model.quirks import Quirks, quirk
from model.rules import clause, declare, reached, rule

OFFSET = 2**31
"""Makes every summand of E-036 at least 0."""

declare(
    "E-041", "Of victims of equal priority fewer win by the sum; their number alone decides only at -2^31", __name__
)
declare("E-067", "Candidates are compared through their victims and one criterion after the other only", __name__)
declare("E-068", "Nothing promises that the pod will land on the chosen node", __name__)
quirk("E-035", "The highest priority among the victims is read off the first of them, which may not have it")


@rule("E-035", "The first victim's priority stands for the highest")
def highest_priority(victims: Victims) -> int:
    return victims.pods[0].priority


def true_highest_priority(victims: Victims) -> int:
    return max(pod.priority for pod in victims.pods)


@rule("E-036", "The sum of priorities is taken with 2^31 added to each")
def sum_of_priorities(victims: Victims) -> int:
    return sum(pod.priority + OFFSET for pod in victims.pods)


@rule("E-037", "The earliest start among the victims of truly highest priority")
def earliest_start(victims: Victims) -> datetime:
    highest = true_highest_priority(victims)
    return min(start_time(pod) for pod in victims.pods if pod.priority == highest)


Criterion = tuple[str, Callable[[Victims], Any], Callable[..., Any]]


@clause(
    "E-040", "Fewest violations, lowest priority of the first victim, lowest sum, fewest victims, latest earliest start"
)
@clause("E-045", "What ties after the last criterion is chosen arbitrarily")
@rule("L-123", "A candidate without victims wins at once; else the criteria leave ever fewer, until one is left")
def best_candidates(candidates: Mapping[str, Victims], quirks: Quirks) -> Mapping[str, Victims]:
    """All candidates that may be chosen.  [nondet]"""
    free = {name: victims for name, victims in candidates.items() if not victims.pods}
    if free:
        reached("pickOneNode: no victims")
        return free
    reached("E-040")
    left = candidates
    for criterion, measure, best in criteria(quirks):
        if len(left) <= 1:
            return left
        bound = best(measure(victims) for victims in left.values())
        kept = {name: victims for name, victims in left.items() if measure(victims) == bound}
        if len(kept) == 1:
            reached(f"pickOneNode: {criterion}")
        left = kept
    if len(left) > 1:
        reached("E-045")
    return left


def criteria(quirks: Quirks) -> tuple[Criterion, ...]:
    """What is compared, in turn, and whether the least or the greatest is best."""
    return (
        ("fewest PDB violations", lambda victims: victims.pdb_violations, min),
        ("lowest highest priority", highest_priority if "E-035" in quirks else true_highest_priority, min),
        ("lowest sum of priorities", sum_of_priorities, min),
        ("fewest victims", lambda victims: len(victims.pods), min),
        ("latest start", earliest_start, max),
    )
