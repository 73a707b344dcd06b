"""Small decisions around one idea each, with nothing else in the way: what random clusters seldom come to."""

from collections.abc import Callable
from typing import Any

from oracle.strategies.clusters import GHOST, Lists
from oracle.strategies.contests import asking_for, open_node
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed, pod
from oracle.strategies.pools import HOSTNAME, POD_LABELS, ZONE, labels, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import pod_affinity, preference_weight
from oracle.strategies.workloads import CONTROLLERS, controller, service

Document = dict[str, Any]


def twisted(draw: Draw) -> tuple[Lists, Document] | None:
    """A cluster and a pod to decide about; None where the case lacks what all of them are about."""
    possible = [twist for feature, twist in TWISTS if draw.has(feature)]
    return draw.pick(possible)(draw) if possible else None


def neighbours(draw: Draw) -> tuple[Lists, Document]:
    """Terms of the pod, and pods nominated or running that these select."""
    lists = few_nodes(draw)
    lists["pods"] = [
        nominated(draw, labelled(draw, f"p{at}")) if draw.chance(0.7) else placed(draw, labelled(draw, f"p{at}"), "n1")
        for at in range(1, draw.number(2, 3))
    ]
    return lists, with_terms(draw, labelled(draw, "p"), draw.pick(lists["pods"]))


def echoes(draw: Draw) -> tuple[Lists, Document]:
    """Terms of running pods that may select the pod, which has none of its own most of the time."""
    lists, wanted = few_nodes(draw), labelled(draw, "p")
    lists["pods"] = [
        placed(draw, with_terms(draw, labelled(draw, f"p{at}"), wanted), "n1") for at in range(1, draw.number(3, 4))
    ]
    if draw.chance(0.5):
        for document in lists["pods"]:
            document["spec"]["affinity"] = lists["pods"][0]["spec"]["affinity"]
    return lists, with_terms(draw, wanted, draw.pick(lists["pods"])) if draw.chance(0.2) else wanted


def workloads(draw: Draw) -> tuple[Lists, Document]:
    """Services and controllers that select the pod together with others, some of them where it cannot go."""
    lists, wanted = few_nodes(draw, most=4), labelled(draw, "p")
    if draw.chance(0.5):
        lists["nodes"][0]["spec"] = {"unschedulable": True}
    names = [document["metadata"]["name"] for document in lists["nodes"]]
    place, own = wanted["metadata"]["namespace"], wanted["metadata"]["labels"]
    lists["services"] = [service(draw, f"s{at}", place) for at in range(draw.number(1, 2))]
    for list_name in CONTROLLERS:
        lists[list_name] = [controller(draw, list_name, "r", place) for _ in range(draw.number(0, 1))]
    for document in (*lists["services"], *lists["replicationControllers"]):
        if draw.chance(0.7):
            document["spec"]["selector"] = {key: own[key] for key in draw.some(tuple(own), most=2, least=1)}
    still_waiting = draw.pick((0.2, 0.2, 1.0))
    lists["pods"] = [
        nominated(draw, labelled(draw, f"p{at}"))
        if draw.chance(still_waiting, "nominated")
        else placed(draw, labelled(draw, f"p{at}"), draw.pick(names))
        for at in range(1, draw.number(3, 7))
    ]
    return lists, wanted


def named_nodes(draw: Draw) -> tuple[Lists, Document]:
    """A pod that names its node, and hostname labels that are not the nodes' names."""
    lists, wanted = few_nodes(draw), labelled(draw, "p")
    for document in lists["nodes"]:
        document["metadata"].setdefault("labels", {})[HOSTNAME] = draw.pick(("n1", "n2", "other"))
    if draw.chance(0.4):
        wanted["spec"]["nodeName"] = draw.pick(("n1", "n2", GHOST))
    else:
        field = {"key": "metadata.name", "operator": draw.pick(("In", "NotIn")), "values": [draw.pick(("n1", "n2"))]}
        required = {"nodeSelectorTerms": [{"matchFields": [field]}]}
        wanted["spec"]["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    return lists, wanted


TWISTS: tuple[tuple[str, Callable[[Draw], tuple[Lists, Document]]], ...] = (
    ("nominated", neighbours),
    ("affinity", neighbours),
    ("preferences", echoes),
    ("anti-affinity", echoes),
    ("huge", echoes),
    ("services", workloads),
    ("zones", workloads),
    ("controllers", workloads),
    ("node-selectors", named_nodes),
)
"""By the feature it needs."""


# --- parts ----------------------------------------------------------------------------------------


def few_nodes(draw: Draw, most: int = 3) -> Lists:
    """At least two, mostly of one zone, that refuse nobody."""
    documents = [open_node(node(draw, f"n{at}")) for at in range(1, draw.number(2, most) + 1)]
    for document in documents:
        if draw.chance(0.7, "zones"):
            document["metadata"].setdefault("labels", {})[ZONE] = draw.pick(("a", "a", "b"))
    return {"nodes": documents}


def labelled(draw: Draw, name: str) -> Document:
    """A pending pod with labels and a small request."""
    document = pod(draw, name, namespace(draw))
    spec = {**asking_for("100m"), "priority": draw.pick((0, 0, 10))}
    meta = document["metadata"] | {"labels": labels(draw, POD_LABELS) or {"app": "a"}}
    return document | {"metadata": meta, "spec": spec}


def nominated(draw: Draw, document: Document) -> Document:
    return document | {"status": document["status"] | {"nominatedNodeName": draw.pick(("n1", "n2"))}}


def with_terms(draw: Draw, document: Document, target: Document) -> Document:
    """With a term of affinity or anti-affinity, which mostly selects the target."""
    kind, terms = draw.pick(("podAffinity", "podAntiAffinity")), pod_affinity(draw)
    if draw.chance(0.7):
        own = target["metadata"]["labels"]
        selector = {"matchLabels": {key: own[key] for key in draw.some(tuple(own), most=2, least=1)}}
        term = {"topologyKey": draw.pick((HOSTNAME, ZONE)), "labelSelector": selector}
        preferred = {"weight": preference_weight(draw), "podAffinityTerm": term}
        terms = draw.pick(
            (
                {"requiredDuringSchedulingIgnoredDuringExecution": [term]},
                {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]},
            )
        )
    return document | {"spec": document["spec"] | {"affinity": {kind: terms}}}
