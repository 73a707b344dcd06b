"""Nodes that ask by annotation not to be given the pods of some controller."""

from collections.abc import Sequence

from model.api.avoided_pods import ANNOTATION, avoided_controllers
from model.api.objects import OwnerReference
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities.inputs import controller_of
from model.quirks import quirk
from model.rules import rule

quirk("S-060", "An entry that names no controller ends the scheduler")


@rule("S-060", "0 on a node that asks to avoid the pod's ReplicationController or ReplicaSet, else 10")
def node_prefer_avoid_pods(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    """Raises Crash."""
    controller, best = controller_of(attempt.pod), attempt.semantics.max_score
    if controller is None or controller.kind not in ("ReplicationController", "ReplicaSet"):
        return [best] * len(feasible)
    return [0 if _avoids(attempt, info, controller) else best for info in feasible]


def _avoids(attempt: Attempt, info: NodeInfo, controller: OwnerReference) -> bool:
    for avoided in avoided_controllers(info.node.annotations.get(ANNOTATION)) if info.node else ():
        if avoided is None:
            if attempt.semantics.has("S-060"):
                raise Crash(NIL_DEREFERENCE)
        elif (avoided.kind, avoided.uid) == (controller.kind, controller.uid):
            return True
    return False
