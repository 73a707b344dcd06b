"""CheckNodeCondition and the pressure predicates, in use where conditions are not told by taints."""

from collections.abc import Iterator

from model.attempt import Attempt
from model.fit import FITS, Fit, Reason
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.absent_node import UNKNOWN
from model.predicates.metadata import facts
from model.rules import rule


@rule("P-041", "A node that says it is not ready, has no network or is unschedulable takes no pods")
def check_node_condition(attempt: Attempt, info: NodeInfo) -> Fit:
    return tuple(_conditions_against(info)) if info.node else UNKNOWN


def _conditions_against(info: NodeInfo) -> Iterator[Reason]:
    assert info.node
    for condition in info.node.status.conditions:
        if condition.type == "Ready" and condition.status != "True":
            yield reasons.NODE_NOT_READY
        elif condition.type == "NetworkUnavailable" and condition.status != "False":
            yield reasons.NODE_NETWORK_UNAVAILABLE
    if info.node.spec.unschedulable:
        yield reasons.NODE_UNSCHEDULABLE


@rule("P-084", "Under memory pressure a node takes no best-effort pods")
def check_node_memory_pressure(attempt: Attempt, info: NodeInfo) -> Fit:
    if info.memory_pressure == "True" and facts(attempt).best_effort:
        return (reasons.NODE_UNDER_MEMORY_PRESSURE,)
    return FITS


@rule("P-085", "Under disk pressure a node takes no pods")
def check_node_disk_pressure(attempt: Attempt, info: NodeInfo) -> Fit:
    return (reasons.NODE_UNDER_DISK_PRESSURE,) if info.disk_pressure == "True" else FITS


@rule("P-086", "Short of process IDs a node takes no pods")
def check_node_pid_pressure(attempt: Attempt, info: NodeInfo) -> Fit:
    return (reasons.NODE_UNDER_PID_PRESSURE,) if info.pid_pressure == "True" else FITS
