"""Evictions that may not help: who keeps the preemptor away need not be who can be evicted."""

from typing import Any

from oracle.strategies.configurations import configuration, service_affinity, settled
from oracle.strategies.contests import PRIORITY, asking_for
from oracle.strategies.kinds import affinity, app, broken_kind, kind, pod_of
from oracle.strategies.pods import placed, pod
from oracle.strategies.pools import NAMESPACES, Document, names_of
from oracle.strategies.scenes import few_nodes
from oracle.strategies.swarm import Draw
from oracle.strategies.workloads import service

LOW_AND_HIGH = (0, 5, 50, PRIORITY, 1000)
ROOM = ("PodFitsResources", "GeneralPredicates")


def standoff_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `preempt`."""
    lists, kinds = few_nodes(draw), [kind(draw) for _ in range(draw.number(2, 3))]
    names, wanted = names_of(lists["nodes"]), preemptor(draw)
    if draw.chance(0.3):  # terms that cannot be read, which matter once nobody else is left
        names = names[:1]
        wanted["spec"]["affinity"] = affinity(draw) | broken_kind(draw)["spec"]["affinity"]
    lists["pods"] = [
        holder(draw, draw.pick(kinds), f"p{at}{number}", name)
        for at, name in enumerate(names, 1)
        for number in range(draw.number(0, 3))
    ]
    config = settled(configuration(draw))
    if draw.chance(0.3):
        config["predicates"] = [draw.pick(ROOM), service_affinity(draw)]
        serve(draw, lists, wanted)
    elif draw.chance(0.7):
        config.pop("predicates", None)
    return {"kind": "preempt", "cluster": lists, "config": config, "pod": wanted}


def holder(draw: Draw, own: Document, name: str, node: str) -> Document:
    """A pod that takes room, or is in the way otherwise."""
    document = placed(draw, pod_of(draw, own, name), node)
    asked = asking_for(draw.pick(("100m", "500m", "1", "2")))
    return document | {"spec": document["spec"] | {**asked, "priority": draw.pick(LOW_AND_HIGH)}}


def preemptor(draw: Draw) -> Document:
    document = pod(draw, "p", NAMESPACES[0])
    spec = {**asking_for(draw.pick(("100m", "1", "2"))), "priority": PRIORITY}
    if draw.chance(0.7):
        spec["affinity"] = affinity(draw)
    return document | {"metadata": document["metadata"] | {"labels": app(draw)}, "spec": spec}


def serve(draw: Draw, lists: dict[str, list[Document]], wanted: Document) -> None:
    """A service of the preemptor, whose other pods are on one node, as which node counts is left to chance.  [P-064]"""
    own = wanted["metadata"]["labels"]
    lists["services"] = [service(draw, "s", NAMESPACES[0])]
    lists["services"][0]["spec"]["selector"] = dict(own)
    home = draw.pick(lists["nodes"])["metadata"]["name"]
    for document in lists["pods"]:
        if draw.chance(0.5):
            document["metadata"]["labels"] = dict(own)
        if document["metadata"].get("labels") == own:
            document["spec"]["nodeName"] = home
    if draw.chance(0.5):
        stranger = pod_of(draw, broken_kind(draw), "broken")
        lists["pods"].append(placed(draw, stranger, draw.pick(lists["nodes"])["metadata"]["name"]))
