"""Nodes that carry a label, or do not."""

from collections.abc import Sequence

from model.attempt import Attempt
from model.node_info import NodeInfo
from model.rules import clause, reached
from model.semantics import PriorityFunction


@clause("S-066", "10 where the presence of the label is as wished, else 0")
def node_label(label: str, presence: bool) -> PriorityFunction:
    def score(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
        reached("S-066")
        return [attempt.semantics.max_score if (label in info.labels) == presence else 0 for info in feasible]

    return score
