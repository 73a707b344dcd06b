"""Whole clusters, in the form of a trace's `cluster`: lists of objects by name."""

from typing import Any

from oracle.strategies.nodes import node
from oracle.strategies.pods import placed, pod
from oracle.strategies.pools import NAMESPACES, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.volumes import CLAIM_NAMES, CLASSES, storage_class, volume_and_claim
from oracle.strategies.workloads import CONTROLLERS, budget, controller, service

Lists = dict[str, list[dict[str, Any]]]

GHOST = "gone"
"""A node name no node has."""


def cluster(draw: Draw, running: int, pending: int) -> Lists:
    """At most so many pods that run and that wait."""
    found: Lists = {}
    names = node_names(draw)
    if draw.has("claims"):
        found |= storage(draw)
    if draw.has("services"):
        found["services"] = [service(draw, f"s{at}", namespace(draw)) for at in range(draw.number(0, 2))]
    if draw.has("controllers"):
        for list_name in CONTROLLERS:
            found[list_name] = [
                controller(draw, list_name, f"r{at}", namespace(draw)) for at in range(draw.number(0, 1))
            ]
    if draw.has("budgets"):
        found["podDisruptionBudgets"] = [budget(draw, f"b{at}", namespace(draw)) for at in range(draw.number(1, 3))]
    found["nodes"] = [node(draw, name) for name in names]
    found["pods"] = pods(draw, names, draw.number(0, running), draw.number(0, pending))
    return {name: documents for name, documents in found.items() if documents}


def crowd(draw: Draw, lists: Lists) -> None:
    """Leave many nodes with no place for one more pod."""
    names = [document["spec"].get("nodeName") for document in lists.get("pods", ())]
    for document in lists.get("nodes", ()):
        if draw.chance(0.6):
            count = names.count(document["metadata"]["name"])
            full = {"pods": str(max(count, 1))} if draw.chance(0.4) else {"cpu": draw.pick(("500m", "1", "1500m"))}
            document["status"]["allocatable"] |= full


def node_names(draw: Draw) -> list[str]:
    """Rarely so many that not all of them are looked at."""
    if draw.chance(0.03, "big"):
        count = draw.number(98, 130)
    else:
        count = draw.weighted({0: 1, 1: 6, 2: 14, 3: 14, 4: 8, 5: 4, 8: 2})
    return [f"n{at + 1}" for at in range(count)]


def pods(draw: Draw, node_names: list[str], running: int, pending: int) -> list[dict[str, Any]]:
    """Running ones, one of them perhaps on a node that does not exist, then pending ones."""
    found = []
    for at in range(running + pending):
        document = pod(draw, f"p{at + 1}", namespace(draw))
        if at < running and node_names:
            document = placed(draw, document, GHOST if draw.chance(0.02) else draw.pick(node_names))
        elif draw.chance(0.3, "nominated") and node_names:
            document["status"]["nominatedNodeName"] = draw.pick(node_names)
        found.append(document)
    return found


def storage(draw: Draw) -> Lists:
    classes = [storage_class(draw, name) for name in CLASSES if not draw.chance(0.05)]
    volumes, claims = [], []
    for place in NAMESPACES if draw.has("namespaces") else NAMESPACES[:1]:
        for name in CLAIM_NAMES:
            more_volumes, more_claims = volume_and_claim(draw, name, place)
            volumes += more_volumes
            claims += more_claims
    return {"storageClasses": classes, "persistentVolumes": volumes, "persistentVolumeClaims": claims}
