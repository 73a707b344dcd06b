"""Operations on a queue or a cache by itself, in the form of recorded cases of these kinds."""

from collections.abc import Callable
from typing import Any

from oracle.strategies.clusters import GHOST
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed, pod
from oracle.strategies.pools import PRIORITIES, namespace
from oracle.strategies.stories import INSTANTS
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import flawed, label_selector, pod_affinity_term

Document = dict[str, Any]


class Versions:
    """Versions of a few objects, each under a reference of its own."""

    def __init__(
        self, draw: Draw, letter: str, make: Callable[[str], Document], changed: Callable[[Document], Document]
    ):
        self._draw, self._letter, self._make, self._changed = draw, letter, make, changed
        self.table: dict[str, Document] = {}
        self._of: dict[str, list[str]] = {}

    def any(self, names: int = 4) -> str:
        """Some version of one of so many objects: mostly the latest."""
        draw = self._draw
        name = f"{self._letter}{draw.number(1, names)}"
        versions = self._of.setdefault(name, [])
        if not versions or draw.chance(0.08):
            return self._new(versions, self._make(name))
        if draw.chance(0.25):
            return self._new(versions, self._changed(self.table[versions[-1]]))
        return versions[-1] if draw.chance(0.8) else draw.pick(versions)

    def pair(self) -> tuple[str, str]:
        """Two versions of one object, the latest last."""
        old = self.any()
        versions = self._of[self.table[old]["metadata"]["name"]]
        return old, self._new(versions, self._changed(self.table[old]))

    def after(self, reference: str, change: Callable[[Document], Document]) -> str:
        """A new version of what some version is of."""
        document = self.table[reference]
        return self._new(self._of[document["metadata"]["name"]], change(document))

    def _new(self, versions: list[str], document: Document) -> str:
        reference = f"{self._letter}-{len(self.table) + 1}"
        version = {"resourceVersion": str(len(self.table) + 1)}
        self.table[reference] = document | {"metadata": document["metadata"] | version}
        versions.append(reference)
        return reference


def changed_pod(draw: Draw, document: Document) -> Document:
    meta, spec, status = document["metadata"], document["spec"], document["status"]
    match draw.number(0, 6):
        case 0:
            meta = meta | {"labels": {"app": draw.pick(("a", "b", "c"))}}
        case 1:
            spec = spec | {"priority": draw.pick(PRIORITIES)}
        case 2:
            status = status | {"message": f"m{draw.number(1, 3)}"}
        case 3:
            meta = meta | {"uid": f"{meta['uid']}+"}
        case 4:
            status = {member: value for member, value in status.items() if member != "nominatedNodeName"}
            status |= draw.pick(({"nominatedNodeName": f"n{draw.number(1, 3)}"}, {}))
        case 5:
            spec = spec | {"containers": pod(draw, "other", "default")["spec"]["containers"]}
        case _:
            pass
    return document | {"metadata": meta, "spec": spec, "status": status}


# --- queue ----------------------------------------------------------------------------------------

QUEUE_WEIGHTS = {
    "Add": 8,
    "AddIfNotPresent": 3,
    "AddUnschedulableIfNotPresent": 14,
    "Pop": 12,
    "Update": 8,
    "Delete": 5,
    "AssignedPodAdded": 4,
    "AssignedPodUpdated": 2,
    "UpdateNominatedPodForNode": 4,
    "DeleteNominatedPodIfExists": 2,
    "NominatedPodsForNode": 1,
    "PendingPods": 1,
    "MoveAllToActiveQueue": 5,
    "FlushBackoffQCompleted": 6,
    "FlushUnschedulableQLeftover": 4,
    "Advance": 14,
}


def queue_case(draw: Draw) -> Document:
    """Of the kind `queue`."""
    pods = Versions(draw, "p", lambda name: queued_pod(draw, name), lambda document: changed_pod(draw, document))
    operations: list[Document] = []
    for _ in range(draw.number(5, 60)):
        if draw.chance(0.05):
            operations += attracted_pod(draw, pods)
        else:
            operations.append(queue_operation(draw, draw.weighted(QUEUE_WEIGHTS), pods))
    if draw.chance(0.05):
        operations.insert(draw.number(0, len(operations)), {"op": "Close"})
    return {"kind": "queue", "pods": pods.table, "ops": operations}


def attracted_pod(draw: Draw, pods: Versions) -> list[Document]:
    """A pod that wants to be near others, perhaps by a term that cannot be read, waits when one comes or changes."""
    waiting = pods.after(pods.any(), lambda document: with_affinity(draw, document))
    told = [{"op": "AddUnschedulableIfNotPresent", "pod": waiting, "cycle": draw.pick(("current", 0))}]
    return [*told, {"op": draw.pick(("AssignedPodAdded", "AssignedPodUpdated")), "pod": pods.any()}]


def with_affinity(draw: Draw, document: Document) -> Document:
    term = pod_affinity_term(draw)
    if draw.chance(0.5, "invalid"):
        term["labelSelector"] = {"matchExpressions": [flawed(draw, {"key": "app", "operator": "In", "values": ["a"]})]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    return document | {"spec": document["spec"] | {"affinity": {"podAffinity": required}}}


def queued_pod(draw: Draw, name: str) -> Document:
    document = pod(draw, name, namespace(draw))
    if draw.chance(0.2, "nominated"):
        document["status"]["nominatedNodeName"] = f"n{draw.number(1, 3)}"
    return document


def queue_operation(draw: Draw, name: str, pods: Versions) -> Document:
    match name:
        case "Pop" | "PendingPods" | "MoveAllToActiveQueue" | "FlushBackoffQCompleted" | "FlushUnschedulableQLeftover":
            return {"op": name}
        case "Advance":
            return {"op": name, "ms": draw.pick(INSTANTS)}
        case "Update":
            old, new = pods.pair()
            return {"op": name, "old": None if draw.chance(0.1) else old, "new": new}
        case "NominatedPodsForNode":
            return {"op": name, "node": f"n{draw.number(1, 3)}"}
        case "UpdateNominatedPodForNode":
            return {"op": name, "pod": pods.any(), "node": draw.pick(("", "n1", "n2", "n3"))}
        case "AddUnschedulableIfNotPresent":
            return {"op": name, "pod": pods.any(), "cycle": draw.pick(("current", "current", 0, -1, -2, 1))}
        case _:
            return {"op": name, "pod": pods.any()}


# --- cache ----------------------------------------------------------------------------------------

CACHE_WEIGHTS = {
    "AssumePod": 10,
    "FinishBinding": 8,
    "ForgetPod": 4,
    "AddPod": 9,
    "UpdatePod": 6,
    "RemovePod": 5,
    "IsAssumedPod": 1,
    "GetPod": 1,
    "AddNode": 8,
    "UpdateNode": 6,
    "RemoveNode": 4,
    "CleanupExpired": 5,
    "UpdateNodeInfoSnapshot": 9,
    "NodeTreeNext": 4,
    "ListNodes": 1,
    "List": 1,
    "FilteredList": 1,
}


def cache_case(draw: Draw) -> Document:
    """Of the kind `cache`.  Pods keep their node most of the time: another one ends the process."""
    pods = Versions(draw, "p", lambda name: cached_pod(draw, name), lambda document: moved_pod(draw, document))
    nodes = Versions(
        draw, "n", lambda name: node(draw, name), lambda document: node(draw, document["metadata"]["name"])
    )
    ttl = draw.pick((30000, 30000, 1000, 0))
    now = 0
    operations: list[Document] = []
    while len(operations) < 5 or draw.chance(0.97):
        now += draw.pick(INSTANTS) if draw.chance(0.3) else 0
        if draw.chance(0.12):
            turn = draw.pick((vanishing_node, expiring_pod, straying_pod))(draw, pods, nodes, ttl)
        else:
            turn = [cache_operation(draw, draw.weighted(CACHE_WEIGHTS), pods, nodes)]
        for operation in turn:
            now += operation.pop("after", 0)
            operations.append(operation | {"ms": now})
    return {"kind": "cache", "ttlMs": ttl, "pods": pods.table, "nodes": nodes.table, "ops": operations}


# Turns that seldom come about by chance; `after`: how much later, in ms.


def vanishing_node(draw: Draw, pods: Versions, nodes: Versions, _: int) -> list[Document]:
    """A node goes while a snapshot knows it and, perhaps, pods are on it or on a node never heard of."""
    node, snapshot = nodes.any(names=3), {"op": "UpdateNodeInfoSnapshot", "snapshot": "s1"}
    told: list[Document] = [{"op": "AddNode", "node": node}, dict(snapshot)]
    if draw.chance(0.5):
        told.insert(draw.number(0, 2), {"op": "AddPod", "pod": pods.any()})
    told.append({"op": "RemoveNode", "node": node})
    if draw.chance(0.3):
        told.insert(draw.number(2, len(told)), {"op": "AddPod", "pod": pods.any()})
    return [*told, dict(snapshot)]


def expiring_pod(draw: Draw, pods: Versions, _: Versions, ttl: int) -> list[Document]:
    """An assumption ends, and the pod may be heard of late."""
    pod = pods.any()
    told: list[Document] = [{"op": "AssumePod", "pod": pod}, {"op": "FinishBinding", "pod": pod}]
    told.append({"op": "CleanupExpired", "after": ttl + draw.pick((-1, 0, 1, 1000))})
    return [*told, {"op": draw.pick(("AddPod", "AssumePod", "GetPod")), "pod": pod}]


def straying_pod(draw: Draw, pods: Versions, _: Versions, __: int) -> list[Document]:
    """A pod is heard of on another node than it is on, or was on another in the event that changes it."""
    pod, node = pods.any(), draw.pick(("n1", "n2", "n3", GHOST))
    stray = pods.after(pod, lambda document: document | {"spec": document["spec"] | {"nodeName": node}})
    new = pods.after(pod if draw.chance(0.5) else stray, lambda document: changed_pod(draw, document))
    told: list[Document] = [{"op": draw.pick(("AssumePod", "AddPod")), "pod": pod}]
    if draw.chance(0.7):
        told.append({"op": "AddPod", "pod": stray})
    last = (
        {"op": "UpdatePod", "old": stray, "new": new},
        {"op": "RemovePod", "pod": stray},
        {"op": "ForgetPod", "pod": stray},
    )
    return [*told, draw.pick(last)]


def cached_pod(draw: Draw, name: str) -> Document:
    return placed(draw, pod(draw, name, namespace(draw)), GHOST if draw.chance(0.05) else f"n{draw.number(1, 3)}")


def moved_pod(draw: Draw, document: Document) -> Document:
    if draw.chance(0.06):
        return document | {"spec": document["spec"] | {"nodeName": f"n{draw.number(1, 3)}"}}
    return changed_pod(draw, document)


def cache_operation(draw: Draw, name: str, pods: Versions, nodes: Versions) -> Document:
    match name:
        case "UpdatePod":
            old, new = pods.pair()
            return {"op": name, "old": old, "new": new}
        case "UpdateNode":
            old, new = nodes.pair()
            return {"op": name, "old": None if draw.chance(0.05) else old, "new": new}
        case "AddNode" | "RemoveNode":
            return {"op": name, "node": nodes.any()}
        case "CleanupExpired" | "ListNodes":
            return {"op": name}
        case "UpdateNodeInfoSnapshot":
            return {"op": name, "snapshot": "s2" if draw.chance(0.1) else "s1"}
        case "NodeTreeNext":
            return {"op": name, "count": draw.number(1, 4)}
        case "List":
            return {"op": name, "selector": label_selector(draw) or {}}
        case "FilteredList":
            return {"op": name, "node": f"n{draw.number(1, 3)}"}
        case _:
            return {"op": name, "pod": pods.any()}
