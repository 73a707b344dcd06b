"""Places in the record of a queue, a cache or a whole scheduler, in words."""

import re
from collections.abc import Iterator

from attrs import frozen


@frozen
class Place:
    """`label`: the heading of a row; `has`: what a scheduler does with the `{}` that stands there.

    `lacks`: the same where nothing stands there, "" where it is said like anything else.
    """

    label: str
    has: str
    lacks: str = ""


QUEUE = {
    "active": Place("Active queue, next first", "has {} in the active queue"),
    "backoff": Place("Backing off", "has {} in the backoff queue"),
    "unschedulable": Place("Unschedulable", "has {} among the unschedulable pods"),
    "nominated": Place("Nominated, by node", "has {} nominated"),
    "schedulingCycle": Place("Scheduling cycle", "is in scheduling cycle {}"),
    "moveRequestCycle": Place("Cycle of the last move request", "has {} as the cycle of the last move request"),
    "podBackoff": Place("Refusals and the last of them", "remembers as refusals: {}"),
}
"""Members of a record that are about the scheduling queue, in the order in which they are shown."""

REST = {
    "assumed|assumedPods": Place("Assumed pods", "has {} assumed"),
    r"cacheNodes\.(.+)|nodes\.(.+)\.pods": Place("Pods counted on {0}", "counts {} on {0}"),
    "ghostNodes": Place("Nodes without object that pods are counted on", "counts pods on {} without node objects"),
    r"ghostNodes\.(.+)": Place("Pods counted on {0}, which is gone", "counts {} on {0}, which is gone"),
    "pendingBinds": Place("Bind requests under way", "has bind requests of {} under way"),
    "lastNodeIndex": Place("Round-robin counter", "has its round-robin counter at {}"),
    r"nodes\.(.+)\.podsWithAffinity": Place(
        "Pods with affinity on {0}", "counts {} on {0} among the pods with affinity"
    ),
    r"nodes\.(.+)\.(?:requested|nonzero)\.scalar\.(.+)": Place("{1} requested on {0}", "counts {} of {1} on {0}"),
    r"nodes\.(.+)\.requested\.(.+)": Place("{1} requested on {0}", "counts {} of {1} requested on {0}"),
    r"nodes\.(.+)\.nonzero\.(.+)": Place(
        "{1} requested on {0}, with defaults", "counts {} of {1} requested on {0}, defaults included"
    ),
    r"nodes\.(.+)\.allocatable\.(?:scalar\.)?(.+)": Place("{1} allocatable on {0}", "has {} of {1} allocatable on {0}"),
    r"nodes\.(.+)\.usedPorts": Place(
        "Host ports taken on {0}", "has the host ports {} taken on {0}", "has no host ports taken on {0}"
    ),
    r"nodes\.(.+)\.taints": Place("Taints of {0}", "has the taints {} on {0}", "has no taints on {0}"),
    r"nodes\.(.+)\.imageStates\.(.+)\.numNodes": Place(
        "Nodes with image {1}, as counted for {0}", "counts {} nodes with image {1} for {0}"
    ),
    r"nodes\.(.+)\.imageStates\.(.+)\.size": Place(
        "Size of image {1} on {0}", "has {} bytes as the size of image {1} on {0}"
    ),
    r"nodes\.(.+)\.imageStates\.(.+)": Place("Image {1} on {0}", "has {} as image {1} on {0}"),
    r"nodes\.(.+)\.imageStates": Place("Images on {0}", "has {} as the images on {0}"),
    r"nodes\.(.+)\.conditions\.(.+)": Place("{1} of {0}", "has {} as the {1} of {0}"),
    r"nodes\.(.+)\.hasNode": Place("Node object of {0} is there", "says {} to there being a node object of {0}"),
    r"nodes\.(.+)\.node": Place("Node object of {0}", "has {} as the node object of {0}"),
    r"nodes\.(.+)": Place("Entry of node {0}", "has {} as the entry of node {0}"),
    r"podStates\.(.+)\.pod": Place("Pod with UID {0}", "has {} as the pod with UID {0}"),
    r"podStates\.(.+)\.bindingFinished": Place(
        "Binding of UID {0} is finished", "says {} to the binding of UID {0} being finished"
    ),
    r"podStates\.(.+)\.deadlineMs": Place("UID {0} is assumed until, in ms", "has UID {0} assumed until {} ms"),
    r"podStates\.(.+)": Place("Pod with UID {0}", "has {} as the pod with UID {0}"),
    "list": Place("Nodes, last changed first", "has {} as its nodes, the last changed first"),
    r"nodeTree\.zones": Place("Zones of the node tree", "has {} as the zones of its node tree"),
    r"nodeTree\.zoneIndex": Place(
        "Index of the next zone of the node tree", "has the zone at {} as the next of its node tree"
    ),
    r"nodeTree\.numNodes": Place("Nodes in the node tree", "has {} nodes in its node tree"),
    r"nodeTree\.order": Place("Order of the node tree", "has {} as the order of its node tree"),
    r"imageStates\.(.+)\.nodes": Place("Nodes that have image {0}", "has {} as the nodes with image {0}"),
    r"imageStates\.(.+)\.size": Place("Size of image {0}", "has {} bytes as the size of image {0}"),
    r"imageStates\.(.+)": Place("Image {0}", "has {} as image {0}"),
    r"snapshot\.recloned": Place("Nodes copied again into the snapshot", "copies {} again into the snapshot"),
    "result": Place("Answer", "answers {}"),
    "err|error": Place("Error", "answers with the error “{}”", "answers without an error"),
    "feasible": Place("Feasible nodes", "finds {} feasible"),
    "evaluatedNodes": Place("Nodes evaluated", "evaluates {} nodes"),
    r"totals\.(.+)": Place("Total of {0}", "gives {} points in total to {0}"),
    "eligible": Place("May preempt", "says {} to whether the pod may preempt"),
    "candidates": Place("Nodes where evictions are tried", "tries evictions on {}"),
    r"perNode\.(.+)\.victims": Place("Victims on {0}", "would evict {} from {0}"),
    r"perNode\.(.+)\.numPDBViolations": Place("Budget violations on {0}", "counts {} budget violations on {0}"),
    r"perNode\.(.+)": Place("Victims on {0}", "finds {} to evict on {0}"),
    "nodeTies": Place("Equally good nodes", "finds {} the best to preempt on"),
    r"written\.(\w+)\.metadata\.annotations\.(.+)": Place(
        "Annotation {1} of the {0} it writes", "writes {} as annotation {1} of a {0}"
    ),
    r"written\.(\w+)\.(.+)": Place("{1} of the {0} it writes", "writes {} as {1} of a {0}"),
    "lastNodeIndexAfter": Place("Round-robin counter after", "leaves its round-robin counter at {}"),
    "nextNode": Place("Node that comes next", "has {} as the node that comes next"),
}
"""Patterns of other places, and the places with the groups of the patterns left open; the first that fits counts."""

WITHIN = {
    r"nominated\.(.+)": Place("Nominated to {0}", "has {} nominated to {0}"),
    r"podBackoff\.(.+)\.attempts": Place("Refusals of {0}", "counts {} refusals of {0}"),
    r"podBackoff\.(.+)\.lastUpdateMs": Place(
        "Last refusal of {0}, in ms", "has {} ms as the time of the last refusal of {0}"
    ),
    r"podBackoff\.(.+)": Place("Refusals of {0}", "remembers of {0}: {}"),
}
"""Of the queue's."""

NAMELESS = "(no name)"
UNITS = {
    "milliCPU": "milli-CPU",
    "memory": "memory (bytes)",
    "ephemeralStorage": "ephemeral storage (bytes)",
    "allowedPodNumber": "pods",
    "memoryPressure": "memory pressure",
    "diskPressure": "disk pressure",
    "pidPressure": "PID pressure",
}


def place(path: str) -> Place:
    """`path`: names of members with dots between them, without the step."""
    if path in QUEUE:
        return QUEUE[path]
    path = re.sub(r"\.(?=\.|$)", f".{NAMELESS}", path)
    if path.startswith("snapshot.nodes."):
        inner = place(path.removeprefix("snapshot."))
        lacks = f"{inner.lacks} in the snapshot" if inner.lacks else ""
        return Place(f"{inner.label}, in the snapshot", f"{inner.has} in the snapshot", lacks)
    return next(_found(path), Place(path.replace(".", " "), f"has {{}} as {path.replace('.', ' ')}"))


def _found(path: str) -> Iterator[Place]:
    for pattern, found in (*WITHIN.items(), *REST.items()):
        if match := re.fullmatch(pattern, path):
            names = [UNITS.get(name, name) for name in match.groups(default="") if name]
            yield Place(_filled(found.label, names).strip(), _filled(found.has, names), _filled(found.lacks, names))


def _filled(text: str, names: list[str]) -> str:
    """With the groups put in, and `{}` left as it is."""
    for at, name in enumerate(names):
        text = text.replace(f"{{{at}}}", name)
    return text
