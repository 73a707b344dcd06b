"""No preference at all."""

from collections.abc import Sequence

from model.attempt import Attempt
from model.node_info import NodeInfo
from model.rules import rule


@rule("S-068", "Every node scores 1")
def equal(_: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    return [1] * len(feasible)
