"""One decision: a cluster as it stands, a pod, and what earlier cycles left behind."""

from typing import Any

from oracle.strategies.clusters import Lists, cluster, crowd
from oracle.strategies.configurations import COUNTERS, configuration, settled, with_extenders, with_opinion
from oracle.strategies.contests import contender, contest
from oracle.strategies.extended import extended_case
from oracle.strategies.pods import pod
from oracle.strategies.pools import POD_CPU, namespace
from oracle.strategies.standoffs import standoff_case
from oracle.strategies.swarm import Draw
from oracle.strategies.twists import twisted


def schedule_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `schedule` of recorded cases."""
    if draw.chance(0.25, "extenders"):
        return extended_case(draw)
    twist = twisted(draw) if draw.chance(0.65) else None
    lists = twist.lists if twist else cluster(draw, running=8, pending=3)
    config = configuration(draw)
    if draw.chance(0.5):
        counter = draw.pick(COUNTERS) if draw.chance(0.2, "huge") else draw.number(0, 7)
        config |= {"lastNodeIndex": counter, "nodeTreeSkip": draw.number(0, 5)}
    if draw.chance(0.3, "images"):
        config["resyncNodes"] = True
    if twist:
        config |= twist.config
    if "serviceAffinity" in str(config.get("predicates")):
        together(lists)
    wanted = twist.pod if twist else incoming(draw, lists)
    case = {"kind": "schedule", "cluster": lists, "config": config, "pod": wanted}
    return with_extenders(draw, case, lists) if draw.chance(0.3) else case


def together(lists: Lists) -> None:
    """All pods on one node: where a service's first pod decides, which node is first is left to chance.  [P-064]"""
    placed = [document for document in lists.get("pods", ()) if "nodeName" in document["spec"]]
    for document in placed:
        document["spec"] = document["spec"] | {"nodeName": placed[0]["spec"]["nodeName"]}


def preempt_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `preempt`: the pod has a high priority, and the nodes are rather full."""
    if draw.chance(0.2):
        return standoff_case(draw)
    lists = cluster(draw, running=12, pending=3)
    incoming_pod = incoming(draw, lists)
    if draw.chance(0.5) or draw.has("contests"):
        contest(draw, lists)
        wanted, config = contender(draw, incoming_pod), settled(configuration(draw))
        if draw.chance(0.15):
            wanted["spec"]["preemptionPolicy"] = "Never"
            config["featureGates"] = {"NonPreemptingPriority": draw.chance(0.7)}
        case = {"kind": "preempt", "cluster": lists, "config": config, "pod": wanted}
        return with_opinion(draw, case) if draw.chance(0.15) else case
    incoming_pod["spec"]["priority"] = draw.pick((5, 10, 100, 1000, 1000))
    if draw.chance(0.7):
        incoming_pod["spec"]["containers"][0].setdefault("resources", {})["requests"] = {"cpu": draw.pick(POD_CPU)}
    crowd(draw, lists)
    case = {"kind": "preempt", "cluster": lists, "config": settled(configuration(draw)), "pod": incoming_pod}
    return with_extenders(draw, case, lists) if draw.chance(0.3) else case


def incoming(draw: Draw, lists: Lists) -> dict[str, Any]:
    found = pod(draw, "p", namespace(draw))
    if lists.get("nodes") and draw.chance(0.2, "nominated"):
        found["status"]["nominatedNodeName"] = draw.pick(lists["nodes"])["metadata"]["name"]
    return found
