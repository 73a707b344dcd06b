"""Small decisions around one idea each, with nothing else in the way: what random clusters seldom come to."""

from collections.abc import Callable

from oracle.strategies.attachments import attachments
from oracle.strategies.clusters import GHOST
from oracle.strategies.configurations import service_affinity
from oracle.strategies.contests import nominated, open_node
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed
from oracle.strategies.pools import HOSTNAME, POD_LABELS, ZONE, Document, labels, names_of
from oracle.strategies.scenes import best_effort, few_nodes, labelled, like, some_of, with_terms
from oracle.strategies.served import served
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import preference_weight
from oracle.strategies.twist import Twist
from oracle.strategies.volumes import SHARED, inline_volume
from oracle.strategies.workloads import CONTROLLERS, controller, service


def twisted(draw: Draw) -> Twist | None:
    """None where the case lacks what all of them are about."""
    possible = list(dict.fromkeys(twist for feature, twist in TWISTS if draw.has(feature)))
    return draw.pick(possible)(draw) if possible else None


def neighbours(draw: Draw) -> Twist:
    """Terms of the pod, and pods nominated or running that these select."""
    lists = few_nodes(draw)
    lists["pods"] = [
        nominated(draw, labelled(draw, f"p{at}")) if draw.chance(0.5) else placed(draw, labelled(draw, f"p{at}"), "n1")
        for at in range(1, draw.number(2, 3))
    ]
    return Twist(lists, with_terms(draw, labelled(draw, "p"), draw.pick(lists["pods"]), required=0.8))


def echoes(draw: Draw) -> Twist:
    """Terms of running pods that may select the pod, which has none of its own most of the time."""
    lists, wanted = few_nodes(draw), labelled(draw, "p")
    lists["pods"] = [
        placed(draw, with_terms(draw, labelled(draw, f"p{at}"), wanted), "n1") for at in range(1, draw.number(3, 4))
    ]
    if draw.chance(0.5):
        for document in lists["pods"]:
            document["spec"]["affinity"] = lists["pods"][0]["spec"]["affinity"]
    return Twist(lists, with_terms(draw, wanted, draw.pick(lists["pods"])) if draw.chance(0.2) else wanted)


def preferring(draw: Draw) -> Twist:
    """Preferences for nodes, some of which the pod cannot go to."""
    lists, wanted = few_nodes(draw, most=4), labelled(draw, "p")
    for document in lists["nodes"]:
        taints = [{"key": "slow", "effect": "PreferNoSchedule"}] if draw.chance(0.3) else []
        document["spec"] = {"unschedulable": draw.chance(0.3), "taints": taints}
    terms = [
        {"weight": preference_weight(draw), "preference": {"matchExpressions": [node_in(draw.pick(("a", "b")))]}}
        for _ in range(draw.number(1, 2))
    ]
    wanted["spec"]["affinity"] = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": terms}}
    return Twist(lists, wanted)


def node_in(zone: str) -> Document:
    return {"key": ZONE, "operator": "In", "values": [zone]}


def workloads(draw: Draw) -> Twist:
    """Services and controllers that select the pod together with others, some of them where it cannot go."""
    lists, wanted = few_nodes(draw, most=4), labelled(draw, "p")
    if draw.chance(0.5):
        lists["nodes"][0]["spec"] = {"unschedulable": True}
    names = names_of(lists["nodes"])
    place, own = wanted["metadata"]["namespace"], wanted["metadata"]["labels"]
    lists["services"] = [service(draw, f"s{at}", place) for at in range(draw.number(1, 2))]
    for list_name in CONTROLLERS:
        lists[list_name] = [controller(draw, list_name, "r", place) for _ in range(draw.number(0, 1))]
    for list_name in ("services", *CONTROLLERS):
        for document in lists[list_name]:
            if draw.chance(0.7):
                document["spec"]["selector"] = selecting(draw, document["kind"], own)
    still_waiting = draw.pick((0.2, 0.2, 0.2, 1.0))
    for at in range(1, draw.number(3, 7)):
        document = labelled(draw, f"p{at}")
        document = like(wanted, document) if draw.chance(0.5) else document
        waits = draw.chance(still_waiting)
        lists.setdefault("pods", []).append(
            nominated(draw, document) if waits else placed(draw, document, draw.pick(names))
        )
    return Twist(lists, wanted, {"predicates": [service_affinity(draw)]} if draw.chance(0.3) else {})


def selecting(draw: Draw, kind: str, own: dict[str, str]) -> Document:
    """In the form that this kind of workload has: some of the labels, now and then with another value."""
    wanted = some_of(draw, own)
    if draw.chance(0.2):
        wanted |= labels(draw, POD_LABELS, most=1)
    return {"matchLabels": wanted} if kind in ("ReplicaSet", "StatefulSet") else wanted


def first_of_its_kind(draw: Draw) -> Twist:
    """A pod that wants to be near its like, and perhaps some of these, perhaps where the topology key is missing."""
    lists, wanted = few_nodes(draw), labelled(draw, "p")
    own = {"matchLabels": dict(wanted["metadata"]["labels"])}
    terms = [{"topologyKey": draw.pick((ZONE, ZONE, "rack")), "labelSelector": own}]
    if draw.chance(0.2):
        terms.append({"topologyKey": HOSTNAME, "labelSelector": draw.pick((own, {"matchLabels": {"app": "a"}}))})
    required = {"requiredDuringSchedulingIgnoredDuringExecution": terms}
    wanted["spec"]["affinity"] = {"podAffinity": required}
    names = names_of(lists["nodes"])
    lists["pods"] = [
        placed(draw, like(wanted, labelled(draw, f"p{at}")), draw.pick(names)) for at in range(draw.number(0, 2))
    ]
    return Twist(lists, wanted)


def named_nodes(draw: Draw) -> Twist:
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
    return Twist(lists, wanted)


def pressed_nodes(draw: Draw) -> Twist:
    """Nodes under pressure, where that is no taint."""
    lists, wanted = few_nodes(draw), labelled(draw, "p")
    for document in lists["nodes"]:
        pressures = draw.some(("MemoryPressure", "DiskPressure", "PIDPressure"), most=3)
        document["status"]["conditions"] = [
            {"type": kind, "status": draw.pick(("True", "True", "False"))} for kind in pressures
        ]
    if draw.chance(0.7):
        wanted["spec"] = best_effort(wanted["spec"])
    gates = {"TaintNodesByCondition": False}
    return Twist(lists, wanted, {"featureGates": gates, "alwaysCheckAllPredicates": draw.chance(0.3)})


def shared_disks(draw: Draw) -> Twist:
    """Pods that mount few disks of one type, some of them for reading only."""
    lists, kind = few_nodes(draw), draw.pick(SHARED)
    names = names_of(lists["nodes"])
    wanted, *others = (mounting(draw, labelled(draw, name), kind) for name in ("p", "p1", "p2", "p3"))
    lists["pods"] = [placed(draw, document, draw.pick(names)) for document in others]
    return Twist(lists, wanted)


def mounting(draw: Draw, document: Document, kind: str) -> Document:
    disks = [{"name": f"v{at}", **inline_volume(draw, kind)} for at in range(draw.number(1, 2))]
    return document | {"spec": document["spec"] | {"volumes": disks}}


def many_nodes(draw: Draw) -> Twist:
    """So many that not all of them are looked at."""
    lists = {"nodes": [open_node(node(draw, f"n{at + 1}")) for at in range(draw.number(101, 106))]}
    for document in draw.some(lists["nodes"], most=1):
        document["spec"] = {"unschedulable": True}
    return Twist(lists, labelled(draw, "p"), {"percentageOfNodesToScore": draw.pick((1, 30, 98, 0))})


TWISTS: tuple[tuple[str, Callable[[Draw], Twist]], ...] = (
    ("nominated", neighbours),
    ("affinity", neighbours),
    ("preferences", echoes),
    ("preferences", preferring),
    ("unschedulable", preferring),
    ("anti-affinity", echoes),
    ("huge", echoes),
    ("services", workloads),
    ("services", served),
    ("zones", workloads),
    ("controllers", workloads),
    ("node-selectors", named_nodes),
    ("affinity", first_of_its_kind),
    ("conditions", pressed_nodes),
    ("big", many_nodes),
    ("volume-limits", attachments),
    ("disks", attachments),
    ("disks", shared_disks),
)
"""By the feature it needs."""
