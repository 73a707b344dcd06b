"""Nodes with fewer taints that the pod would rather avoid."""

from collections.abc import Sequence

from model.api.objects import Taint
from model.api.tolerations import any_tolerates
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities.normalized import normalized
from model.rules import rule

PREFER_NO_SCHEDULE = "PreferNoSchedule"


@rule("S-042", "The number of PreferNoSchedule taints the pod does not tolerate, normalised in reverse")
def taint_toleration(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    tolerations = [t for t in attempt.pod.spec.tolerations if t.effect in ("", PREFER_NO_SCHEDULE)]
    intolerable = [
        len([taint for taint in _preferences(info) if not any_tolerates(tolerations, taint)]) for info in feasible
    ]
    return normalized(intolerable, attempt.semantics.max_score, reverse=True)


def _preferences(info: NodeInfo) -> list[Taint]:
    return [taint for taint in info.node.spec.taints if taint.effect == PREFER_NO_SCHEDULE] if info.node else []
