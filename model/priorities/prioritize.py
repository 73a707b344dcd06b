"""From the scores of every priority to one total per feasible node."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from model.api.aggregate import aggregate
from model.api.integers import int64
from model.attempt import Attempt
from model.fit import PriorityError
from model.node_info import NodeInfo
from model.rules import clause, reached, rule
from model.semantics import Priority


@rule("S-010", "The feasible nodes are scored by every priority, then by the extenders")
def prioritize(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    """The totals before the extenders' scores, in the order of `feasible`.

    Raises PriorityError with the aggregate of all errors, and Crash.
    """
    if not attempt.semantics.priorities:
        return unranked(attempt, feasible)
    return weighted_sum(attempt, raw_scores(attempt, feasible), len(feasible))


@rule("S-011", "Without priorities every node scores 1, or 0 where there are extenders to score it")
def unranked(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    return [0 if attempt.semantics.extenders else 1] * len(feasible)


@clause("S-012", "Every priority scores all feasible nodes and sees no others")
@clause("S-015", "An error of any priority fails the attempt with all the errors, each text once")
def raw_scores(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[Sequence[int]]:
    """One list per configured priority; kube-scheduler gives errors in order of occurrence, here by text."""
    reached("S-012")
    scores: list[Sequence[int]] = []
    errors: set[str] = set()
    for priority in attempt.semantics.priorities:
        try:
            scores.append(scores_by(priority, attempt, feasible))
        except PriorityError as error:
            errors.add(str(error))
    if errors:
        reached("S-015")
        raise PriorityError(aggregate(sorted(errors)))
    return scores


@clause("S-016", "A score of each node by itself fails for a node that is not in the snapshot")
def scores_by(priority: Priority, attempt: Attempt, feasible: Sequence[NodeInfo]) -> Sequence[int]:
    """Only an extender can bring in such a node.  Raises PriorityError and Crash."""
    if priority.by_node and any(info.node is None for info in feasible):
        reached("S-016")
        raise PriorityError("node not found")
    return priority.score(attempt, feasible)


@rule("S-013", "A node's total is the sum of its scores times their weights, not clamped")
def weighted_sum(attempt: Attempt, scores: Iterable[Sequence[int]], nodes: int) -> list[int]:
    totals = [0] * nodes
    for priority, given in zip(attempt.semantics.priorities, scores, strict=True):
        totals = [total + score * priority.weight for total, score in zip(totals, given, strict=True)]
    return [int64(total) for total in totals]


@frozen
class ExtenderScores:
    """The answer of one extender: (host, score) as listed, and the extender's weight."""

    scores: Sequence[tuple[str, int]]
    weight: int


@rule("S-018", "The scores of the extenders times their weights are added; hosts that are not feasible are ignored")
def with_extender_scores(
    totals: Sequence[int], feasible: Sequence[str], answers: Iterable[ExtenderScores]
) -> list[int]:
    """`totals` and `feasible`, names, in the same order; a host listed twice is counted twice."""
    combined: dict[str, int] = {}
    for answer in answers:
        for host, score in answer.scores:
            combined[host] = combined.get(host, 0) + score * answer.weight
    if not combined:
        return list(totals)
    return [int64(total + combined.get(name, 0)) for total, name in zip(totals, feasible, strict=True)]
