"""Kinds of pods, few enough that one kind looks for another: what the pods of a kind share."""

from oracle.strategies.contests import asking_for
from oracle.strategies.pods import pod
from oracle.strategies.pools import HOSTNAME, NAMESPACES, ZONE, Document
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import flawed

APPS = ("a", "b")


def pod_of(draw: Draw, own: Document, name: str) -> Document:
    """A pending pod of the kind."""
    document = pod(draw, name, NAMESPACES[0])
    return document | {"metadata": document["metadata"] | own["metadata"], "spec": own["spec"]}


def kind(draw: Draw) -> Document:
    """What the pods of a kind share: their labels and their spec."""
    spec: Document = {**asking_for("100m"), "priority": draw.pick((0, 0, 10, 100))}
    if draw.chance(0.8):
        spec["affinity"] = affinity(draw)
    return {"metadata": {"labels": app(draw) if draw.chance(0.85) else {}}, "spec": spec}


def broken_kind(draw: Draw) -> Document:
    """One whose anti-affinity mostly cannot be read."""
    expression = flawed(draw, {"key": "app", "operator": "In", "values": [draw.pick(APPS)]})
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchExpressions": [expression]}}
    terms = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    return {"metadata": {"labels": {}}, "spec": {**asking_for("100m"), "affinity": {"podAntiAffinity": terms}}}


def affinity(draw: Draw) -> Document:
    """Or anti-affinity, or both, each to pods of one app."""
    return {side: _terms(draw) for side in draw.some(("podAffinity", "podAntiAffinity"), most=2, least=1)}


def _terms(draw: Draw) -> Document:
    selector = {"matchLabels": app(draw)}
    term = {"topologyKey": draw.pick((HOSTNAME, ZONE, ZONE)), "labelSelector": selector}
    if draw.chance(0.8):
        return {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    return {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": term}]}


def app(draw: Draw) -> dict[str, str]:
    return {"app": draw.pick(APPS)}
