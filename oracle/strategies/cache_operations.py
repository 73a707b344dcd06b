"""Operations on a cache by itself, in the form of recorded cases of this kind."""

from oracle.strategies.clusters import GHOST
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed, pod
from oracle.strategies.pools import INSTANTS, Document, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import label_selector
from oracle.strategies.versions import Versions, changed_pod

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
