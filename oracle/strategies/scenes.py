"""What small decisions are made of: a few open nodes, plain pods with labels, terms that meet them."""

from oracle.strategies.clusters import Lists
from oracle.strategies.contests import asking_for, open_node
from oracle.strategies.nodes import node
from oracle.strategies.pods import pod
from oracle.strategies.pools import HOSTNAME, POD_LABELS, ZONE, Document, labels, namespace
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import pod_affinity, pod_affinity_term, preference_weight


def few_nodes(draw: Draw, most: int = 3) -> Lists:
    """At least two, mostly of one zone, that refuse nobody."""
    documents = [open_node(node(draw, f"n{at}")) for at in range(1, draw.number(2, most) + 1)]
    for document in documents:
        if draw.chance(0.7):
            document["metadata"].setdefault("labels", {})[ZONE] = draw.pick(("a", "a", "b"))
    return {"nodes": documents}


def labelled(draw: Draw, name: str) -> Document:
    """A pending pod with labels and a small request."""
    document = pod(draw, name, namespace(draw))
    spec = {**asking_for("100m"), "priority": draw.pick((0, 0, 10))}
    meta = document["metadata"] | {"labels": labels(draw, POD_LABELS) or {"app": "a"}}
    return document | {"metadata": meta, "spec": spec}


def like(other: Document, document: Document) -> Document:
    """In the namespace of another pod, and with its labels."""
    same = {member: other["metadata"][member] for member in ("namespace", "labels")}
    return document | {"metadata": document["metadata"] | same}


def some_of(draw: Draw, labels: dict[str, str]) -> dict[str, str]:
    return {key: labels[key] for key in draw.some(tuple(labels), most=2, least=1)}


def best_effort(spec: Document) -> Document:
    return spec | {"containers": [{"name": "c", "image": "app:1"}]}


def with_terms(draw: Draw, document: Document, target: Document, required: float = 0.5) -> Document:
    """With terms of affinity or anti-affinity, the first of which mostly selects the target.

    `required`: how many are requirements; fewer where weights may be huge, as only preferences have weights.
    """
    kind, terms = draw.pick(("podAffinity", "podAntiAffinity")), pod_affinity(draw)
    if draw.chance(0.7):
        selector = {"matchLabels": some_of(draw, target["metadata"]["labels"])}
        term = {"topologyKey": draw.pick((HOSTNAME, ZONE, ZONE)), "labelSelector": selector}
        listed = [term, pod_affinity_term(draw)] if draw.chance(0.4) else [term]
        if draw.chance(0.4 * required if draw.has("huge") else required):
            terms = {"requiredDuringSchedulingIgnoredDuringExecution": listed}
        else:
            preferred = [{"weight": preference_weight(draw), "podAffinityTerm": each} for each in listed]
            terms = {"preferredDuringSchedulingIgnoredDuringExecution": preferred}
    return document | {"spec": document["spec"] | {"affinity": {kind: terms}}}
