"""Nodes big enough for what the pod may grow to."""

from collections.abc import Sequence

from model.api.resources import pod_limits
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.rules import rule


@rule("S-064", "1 on a node whose allocatable covers the pod's CPU limit or its memory limit, else 0")
def resource_limits(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    limits = pod_limits(attempt.pod)
    return [
        int(
            _covers(info.allocatable.milli_cpu, limits.milli_cpu) or _covers(info.allocatable.memory, limits.memory),
        )
        for info in feasible
    ]


def _covers(allocatable: int, limit: int) -> bool:
    return limit != 0 and allocatable != 0 and limit <= allocatable
