"""Alike nodes, full of pods that may all have to go: which node is best hangs on who runs there, and since when."""

from typing import Any

from oracle.strategies.clusters import Lists
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed, pod
from oracle.strategies.pools import NAMESPACES, TIMES, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.workloads import budget

PRIORITY = 100
WEIGHTLESS = -2147483648
"""Adds nothing to the sum of the victims' priorities."""

VICTIMS = (0, 0, 5, -10, -10, WEIGHTLESS, 50)
"""Priorities that collide, and whose sums do."""

STARTS = (*TIMES[:3], TIMES[0].replace("Z", ".25Z"), TIMES[0].replace("Z", ".75Z"))
"""Some differ by less than a second."""


def contest(draw: Draw, lists: Lists) -> None:
    """Such nodes and pods instead of the cluster's own."""
    count = draw.number(9, 12) if draw.chance(0.15, "big") else draw.number(2, 4)
    names = [f"n{at}" for at in range(1, count + 1)]
    priorities, usual = draw.some(VICTIMS, most=3, least=1), draw.number(1, 3)
    alike = draw.chance(0.8)
    if draw.chance(0.3):
        priorities, alike = [priorities[0], WEIGHTLESS], False
    lists["nodes"] = [open_node(node(draw, name)) for name in names]
    if draw.chance(0.6):
        lists["podDisruptionBudgets"] = [each for place in NAMESPACES for each in budgets(draw, place)]
    lists["pods"] = [
        victim(draw, f"p{at}{number}", name, draw.pick(priorities))
        for at, name in enumerate(names, 1)
        for number in range(usual if alike else draw.number(1, 3))
    ]


def contender(draw: Draw, document: dict[str, Any]) -> dict[str, Any]:
    """The pod, asking for a whole node."""
    if draw.chance(0.3):
        document = nominated(draw, document)
    return document | {"spec": {**asking_for("2"), "priority": PRIORITY}}


def nominated(draw: Draw, document: dict[str, Any]) -> dict[str, Any]:
    return document | {"status": document["status"] | {"nominatedNodeName": draw.pick(("n1", "n2"))}}


def open_node(document: dict[str, Any]) -> dict[str, Any]:
    """Of two cores, and it refuses nobody."""
    status = document["status"] | {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "110"}, "conditions": []}
    return document | {"spec": {}, "status": status}


def victim(draw: Draw, name: str, node_name: str, priority: int) -> dict[str, Any]:
    document = placed(draw, pod(draw, name, namespace(draw)), node_name)
    document["spec"] = {**asking_for(draw.pick(("500m", "1", "2"))), "nodeName": node_name, "priority": priority}
    document["metadata"]["labels"] = {"app": draw.pick(("a", "b"))}
    if draw.chance(0.1):
        document["metadata"] |= {"deletionTimestamp": "2019-12-01T00:00:20Z", "deletionGracePeriodSeconds": 30}
    if document["metadata"].get("deletionTimestamp") and draw.chance(0.5):
        document["spec"]["priority"] = PRIORITY
    if draw.chance(0.8):
        document["status"]["startTime"] = draw.pick(STARTS)
    return document


def budgets(draw: Draw, namespace: str) -> list[dict[str, Any]]:
    """Nobody of an app may go; another budget may allow it, and be asked before or after."""
    strict = app_budget(draw, "strict", namespace, allowed=0)
    if draw.chance(0.6):
        return [strict]
    lenient = app_budget(draw, "lenient", namespace, allowed=1)
    return draw.pick(([strict, lenient], [lenient, strict]))


def app_budget(draw: Draw, name: str, namespace: str, allowed: int) -> dict[str, Any]:
    document = budget(draw, name, namespace)
    document["spec"]["selector"] = {"matchLabels": {"app": draw.pick(("a", "b"))}}
    document["status"]["disruptionsAllowed"] = allowed
    return document


def asking_for(cpu: str) -> dict[str, Any]:
    container = {"name": "c", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}
    return {"schedulerName": "default-scheduler", "containers": [container]}
