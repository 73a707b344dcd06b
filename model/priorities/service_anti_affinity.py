"""Spreading the pods of a service over the values of a node label."""

from collections import Counter
from collections.abc import Sequence

from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities.inputs import matching_pods, service_selectors
from model.rules import clause, reached
from model.semantics import PriorityFunction


@clause("S-070", "The share of the first service's pods that are elsewhere than under the node's value of the label")
def service_anti_affinity(label: str) -> PriorityFunction:
    """Which service is the first depends on the lister; nodes without the label score 0."""

    def score(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
        reached("S-070")
        first = service_selectors(attempt)[:1]
        counts = list(matching_pods(attempt, feasible, first)) if first else [0] * len(feasible)
        total = sum(counts)
        under: Counter[str] = Counter()
        for info, count in zip(feasible, counts, strict=True):
            if label in info.labels:
                under[info.labels[label]] += count
        best = attempt.semantics.max_score
        return [
            _share_elsewhere(total, under[info.labels[label]], best) if label in info.labels else 0 for info in feasible
        ]

    return score


def _share_elsewhere(total: int, here: int, best: int) -> int:
    return int(float(best) * (float(total - here) / float(total))) if total > 0 else best
