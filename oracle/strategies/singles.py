"""One predicate about one node, or the points that one priority or several give, with arguments of its own."""

from typing import Any

from oracle.strategies.attachments import LIMITS, attachments
from oracle.strategies.clusters import cluster
from oracle.strategies.configurations import LABELS, PREDICATES, PRIORITIES, shape
from oracle.strategies.decisions import incoming, together
from oracle.strategies.pools import EXTENDED, names_of
from oracle.strategies.scenes import few_nodes
from oracle.strategies.swarm import Draw
from oracle.strategies.twist import Twist
from oracle.strategies.twists import twisted

COUNTING = tuple(predicate for _, predicate in LIMITS.values())
FURTHER_PREDICATES = (
    "CheckNodeLabelPresence",
    "CheckServiceAffinity",
    "CheckNodeCondition",
    "CheckNodeDiskPressure",
    "CheckNodeMemoryPressure",
    "CheckNodePIDPressure",
    "CheckNodeUnschedulable",
    "PodToleratesNodeNoExecuteTaints",
    "PodToleratesNodeTaints",
)
FURTHER_PRIORITIES = ("ResourceLimitsPriority", "NodeLabelPriority", "ServiceAntiAffinityPriority")
BALANCE = ("BalancedResourceAllocation",) * 8
"""Nothing else is told how many volumes the nodes have."""

MOST_VOLUMES = ("1",) * 6 + ("2", "2", "3", "0", "-1", "+2", "x", "9223372036854775807", "9223372036854775808")
"""Of the environment variable KUBE_MAX_PD_VOLS, mostly of use."""


def predicate_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `predicate` of recorded cases."""
    name = draw.pick((*PREDICATES, *FURTHER_PREDICATES, *COUNTING * 3))
    twist = attachments(draw) if name in COUNTING else some_twist(draw)
    args: dict[str, Any] = {}
    if name == "CheckNodeLabelPresence":
        args = {"labels": draw.some(LABELS, most=2, least=1), "presence": draw.chance(0.5)}
    elif name == "CheckServiceAffinity":
        args = {"labels": draw.some(LABELS, most=2, least=1)}
        together(twist.lists)
    elif name == "PodFitsResources" and draw.chance(0.5):
        args = {"ignoredExtendedResources": draw.some(EXTENDED, most=2, least=1)}
    elif name in COUNTING and draw.chance(0.6):
        args = {"KUBE_MAX_PD_VOLS": draw.pick(MOST_VOLUMES)}
    case = {
        "kind": "predicate",
        "predicate": name,
        "node": draw.pick(names_of(twist.lists["nodes"])),
        **asked_about(twist, args),
    }
    if args.get("KUBE_MAX_PD_VOLS") and draw.chance(0.7):
        case["featureGates"] = {"AttachVolumeLimit": False}
    return case


def priority_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `priority` of recorded cases."""
    name, twist = draw.pick((*PRIORITIES, *FURTHER_PRIORITIES, *BALANCE)), some_twist(draw)
    case = {"kind": "priority", "priority": name, **asked_about(twist, {})}
    match name:
        case "NodeLabelPriority":
            case["args"] = {"label": draw.pick(LABELS), "presence": draw.chance(0.6)}
        case "ServiceAntiAffinityPriority":
            case["args"] = {"label": draw.pick(LABELS)}
        case "RequestedToCapacityRatioPriority" if draw.chance(0.8):
            case["args"] = {"shape": shape(draw)}
        case "InterPodAffinityPriority" if draw.chance(0.7):
            case["args"] = {"hardPodAffinityWeight": draw.pick((0, 1, 10, 100))}
        case "ResourceLimitsPriority":
            case["featureGates"] = {"ResourceLimitsPriorityFunction": True}
        case "BalancedResourceAllocation" if draw.chance(0.7):
            case["featureGates"] = {"BalanceAttachedNodeVolumes": True}
            case["args"] = {"transientVolumes": volume_counts(draw, twist)}
    return case


def prioritize_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `prioritize` of recorded cases."""
    names = draw.some(PRIORITIES, most=4, least=1)
    listed = [{"name": name, "weight": draw.pick((1, 1, 2, 10, 1000))} for name in names]
    return {"kind": "prioritize", **asked_about(some_twist(draw), {"priorities": listed})}


def some_twist(draw: Draw) -> Twist:
    """A cluster with at least one node, and a pod."""
    if draw.chance(0.5) and (twist := twisted(draw)) is not None:
        return twist
    lists = cluster(draw, running=8, pending=3)
    if not lists.get("nodes"):
        lists |= few_nodes(draw)
    return Twist(lists, incoming(draw, lists))


def asked_about(twist: Twist, args: dict[str, Any]) -> dict[str, Any]:
    return {"cluster": twist.lists, "pod": twist.pod, "args": args}


def volume_counts(draw: Draw, twist: Twist) -> dict[str, dict[str, int]]:
    """Of some of the nodes: how many volumes they could take, and how many the pod would bring."""
    return {
        name: {"allocatableVolumesCount": draw.number(0, 5), "requestedVolumes": draw.number(0, 5)}
        for name in names_of(twist.lists["nodes"])
        if draw.chance(0.7)
    }
