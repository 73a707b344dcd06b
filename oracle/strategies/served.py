"""Pods that go by what a service of theirs, or of another namespace, has where: in a few open nodes."""

from oracle.strategies.configurations import service_affinity
from oracle.strategies.contests import nominated
from oracle.strategies.pods import placed
from oracle.strategies.pools import NAMESPACES, ZONE, names_of
from oracle.strategies.scenes import few_nodes, labelled, like, some_of
from oracle.strategies.swarm import Draw
from oracle.strategies.twist import Twist
from oracle.strategies.workloads import service


def served(draw: Draw) -> Twist:
    """Services that select the pod together with others, some of them from a namespace that is not its own."""
    lists, wanted = few_nodes(draw, most=4), labelled(draw, "p")
    names = names_of(lists["nodes"])
    place, own = wanted["metadata"]["namespace"], wanted["metadata"]["labels"]
    places = draw.pick(((place,), NAMESPACES, tuple(other for other in NAMESPACES if other != place)))
    lists["services"] = [service(draw, f"s{at}", draw.pick(places)) for at in range(draw.number(1, 3))]
    for document in lists["services"]:
        if draw.chance(0.7):
            document["spec"]["selector"] = some_of(draw, own)
    lists["pods"] = []
    for at in range(1, draw.number(2, 6)):
        document = labelled(draw, f"p{at}")
        document = like(wanted, document) if draw.chance(0.7) else document
        lists["pods"].append(
            nominated(draw, document) if draw.chance(0.1) else placed(draw, document, draw.pick(names))
        )
    config = {}
    if draw.chance(0.5):
        config["predicates"] = [service_affinity(draw)]
    if draw.chance(0.6):
        argument = {"serviceAntiAffinity": {"label": draw.pick(("disk", "rack", ZONE, ZONE))}}
        config["priorities"] = [{"name": "Apart", "weight": 1, "argument": argument}]
    return Twist(lists, wanted, config)
