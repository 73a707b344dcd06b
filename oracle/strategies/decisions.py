"""One decision: a cluster as it stands, a pod, and what earlier cycles left behind."""

from typing import Any

from oracle.strategies.clusters import Lists, cluster, crowd
from oracle.strategies.configurations import configuration, with_extenders
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed, pod
from oracle.strategies.pools import POD_CPU, POD_LABELS, TIMES, labels, namespace
from oracle.strategies.swarm import Draw


def schedule_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `schedule` of recorded cases."""
    lists = cluster(draw, running=8, pending=3)
    config = configuration(draw)
    if draw.chance(0.5):
        config |= {"lastNodeIndex": draw.number(0, 7), "nodeTreeSkip": draw.number(0, 5)}
    if draw.chance(0.3, "images"):
        config["resyncNodes"] = True
    case = {"kind": "schedule", "cluster": lists, "config": config, "pod": incoming(draw, lists)}
    return with_extenders(draw, case, lists)


def preempt_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `preempt`: the pod has a high priority, and the nodes are rather full."""
    lists = cluster(draw, running=12, pending=3)
    incoming_pod = incoming(draw, lists)
    if draw.chance(0.4):
        return contested_case(draw, lists, incoming_pod)
    incoming_pod["spec"]["priority"] = draw.pick((5, 10, 100, 1000, 1000))
    if draw.chance(0.7):
        incoming_pod["spec"]["containers"][0].setdefault("resources", {})["requests"] = {"cpu": draw.pick(POD_CPU)}
    crowd(draw, lists)
    case = {"kind": "preempt", "cluster": lists, "config": configuration(draw), "pod": incoming_pod}
    return with_extenders(draw, case, lists)


VICTIMS = (0, 0, 5, -10, -10, -2147483648, 50)
"""Priorities that collide, and whose sums do."""


def contested_case(draw: Draw, lists: Lists, incoming_pod: dict[str, Any]) -> dict[str, Any]:
    """Alike nodes, full of pods that may all have to go: which node is best hangs on who runs there, and since when."""
    names = [f"n{at + 1}" for at in range(draw.number(2, 4))]
    lists |= {"nodes": [plain(node(draw, name)) for name in names], "pods": []}
    priorities, usual = draw.some(VICTIMS, most=2, least=1), draw.number(1, 3)
    for name in names:
        for at in range(usual if draw.chance(0.8) else draw.number(1, 3)):
            document = placed(draw, pod(draw, f"{name}-{at + 1}", namespace(draw)), name)
            document["spec"] = {
                **bare(draw.pick(("500m", "1", "2"))),
                "nodeName": name,
                "priority": draw.pick(priorities),
            }
            document["metadata"]["labels"] = labels(draw, POD_LABELS)
            if draw.chance(0.8):
                document["status"]["startTime"] = draw.pick(TIMES[:3])
            lists["pods"].append(document)
    incoming_pod["spec"] = {**bare("2"), "priority": 100}
    case = {"kind": "preempt", "cluster": lists, "config": configuration(draw), "pod": incoming_pod}
    return with_extenders(draw, case, lists)


def plain(document: dict[str, Any]) -> dict[str, Any]:
    """A node of two cores that refuses nobody."""
    status = document["status"] | {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "110"}, "conditions": []}
    return document | {"spec": {}, "status": status}


def bare(cpu: str) -> dict[str, Any]:
    """The spec of a pod that asks for so much CPU."""
    container = {"name": "c", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}
    return {"schedulerName": "default-scheduler", "containers": [container]}


def incoming(draw: Draw, lists: Lists) -> dict[str, Any]:
    found = pod(draw, "p", namespace(draw))
    if lists.get("nodes") and draw.chance(0.2, "nominated"):
        found["status"]["nominatedNodeName"] = draw.pick(lists["nodes"])["metadata"]["name"]
    return found
