"""CheckNodeUnschedulable, PodToleratesNodeTaints and PodToleratesNodeNoExecuteTaints."""

from collections.abc import Container

from model.api.objects import Taint
from model.api.tolerations import any_tolerates, tolerates_all
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.absent_node import UNKNOWN
from model.rules import declare, rule

UNSCHEDULABLE = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")

declare("P-057", "A toleration's empty key, even with Equal, and empty effect match any", "model.api.tolerations")


@rule("P-042", "An unschedulable node takes only pods that tolerate the taint of that meaning, present or not")
def check_node_unschedulable(attempt: Attempt, info: NodeInfo) -> Fit:
    if info.node is None:
        return UNKNOWN
    if info.node.spec.unschedulable and not any_tolerates(attempt.pod.spec.tolerations, UNSCHEDULABLE):
        return (reasons.NODE_UNSCHEDULABLE,)
    return FITS


@rule("P-056", "Every taint that keeps pods out or drives them off is tolerated")
def pod_tolerates_node_taints(attempt: Attempt, info: NodeInfo) -> Fit:
    return _tolerates(attempt, info, ("NoSchedule", "NoExecute"))


@rule("P-058", "Every taint that drives pods off is tolerated; not registered under any name")
def pod_tolerates_node_no_execute_taints(attempt: Attempt, info: NodeInfo) -> Fit:
    return _tolerates(attempt, info, ("NoExecute",))


def _tolerates(attempt: Attempt, info: NodeInfo, effects: Container[str]) -> Fit:
    if info.node is None:
        return UNKNOWN
    if tolerates_all(attempt.pod.spec.tolerations, info.taints, lambda taint: taint.effect in effects):
        return FITS
    return (reasons.TAINTS_TOLERATIONS_NOT_MATCH,)
