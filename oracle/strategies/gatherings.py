"""Stories of pods that look for one another: few kinds of them, few nodes, and some of both go meanwhile."""

from collections.abc import Callable
from typing import Any

from oracle.strategies.configurations import configuration, settled
from oracle.strategies.contests import PRIORITY, asking_for, open_node
from oracle.strategies.events import Event, create, patch
from oracle.strategies.kinds import broken_kind, kind, pod_of
from oracle.strategies.nodes import node
from oracle.strategies.pods import placed
from oracle.strategies.pools import HOSTNAME, NAMESPACES, ZONE, Document, names_of
from oracle.strategies.scenes import few_nodes
from oracle.strategies.standoffs import holder
from oracle.strategies.story import Story
from oracle.strategies.swarm import Draw

TERMINATING = {"deletionTimestamp": "2019-12-01T00:00:30Z", "deletionGracePeriodSeconds": 30}


class Gathering(Story):
    """All new pods are of the same few kinds, and all new nodes refuse nobody.

    `node_goes`: early on, under a pod whose terms cannot be read; what is known of it stays in the snapshot.
    `standoff`: the new pods, all of one kind, ask for so much that others have to go, and one who cannot keeps them
    away at first.
    """

    def __init__(self, draw: Draw) -> None:
        self.kinds = [kind(draw) for _ in range(2)]
        self.cluster = few_nodes(draw)
        names = names_of(self.cluster["nodes"])
        self.node_goes = draw.chance(0.4)
        self.standoff = not self.node_goes and draw.chance(0.4)
        there = holder if self.standoff else running
        self.cluster["pods"] = [
            there(draw, draw.pick(self.kinds), f"p{at}", draw.pick(names)) for at in range(1, draw.number(2, 4))
        ]
        if self.standoff:
            self.cluster["pods"].append(placed(draw, pod_of(draw, keeper(draw, self.kinds[0]), "keeper"), names[0]))
        if self.node_goes:
            self.cluster["pods"].append(placed(draw, pod_of(draw, broken_kind(draw), "broken"), names[0]))
        super().__init__(draw, self.cluster)

    def new_pod(self) -> Document:
        own = self.kinds[0] if self.standoff else self.draw.pick(self.kinds)
        document = pod_of(self.draw, own, self.next_name("p"))
        if self.standoff:
            document["spec"] = document["spec"] | {**asking_for("2"), "priority": PRIORITY}
        self.pods.append(f"{NAMESPACES[0]}/{document['metadata']['name']}")
        return document

    def arrive(self) -> list[Event]:
        return [*self.create_pod(), {"op": "drain", "max": 5}]

    def create_node(self) -> list[Event]:
        return [create(open_node(node(self.draw, self.some_node())))]

    def close_node(self) -> list[Event]:
        return [patch("Node", self.some_node(), {"spec": {"unschedulable": self.draw.pick((True, True, None))}})]

    def terminate_pod(self) -> list[Event]:
        return [patch("Pod", self.some_pod(), {"metadata": TERMINATING})]


def keeper(draw: Draw, kept: Document) -> Document:
    """The kind of a pod that is more important than new ones, and does not want them near."""
    selector = {"matchLabels": kept["metadata"]["labels"]}
    term = {"topologyKey": draw.pick((ZONE, ZONE, HOSTNAME)), "labelSelector": selector}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    return {"metadata": {}, "spec": {**asking_for("100m"), "priority": 2 * PRIORITY, "affinity": affinity}}


def running(draw: Draw, own: Document, name: str, node: str) -> Document:
    return placed(draw, pod_of(draw, own, name), node)


WEIGHTS: dict[Callable[[Gathering], list[Event]], int] = {
    Gathering.arrive: 16,
    Gathering.drain: 1,
    Gathering.advance: 2,
    Gathering.delete_pod: 4,
    Gathering.terminate_pod: 3,
    Gathering.change_pod: 1,
    Gathering.close_node: 3,
    Gathering.delete_node: 3,
    Gathering.create_node: 1,
}


def gathering_case(draw: Draw) -> dict[str, Any]:
    """Of the kind `e2e`."""
    story = Gathering(draw)
    events = story.arrive()
    if story.node_goes:
        events.append({"op": "delete", "kind": "Node", "key": story.nodes[0]})
    if story.standoff:
        events += [{"op": "delete", "kind": "Pod", "key": f"{NAMESPACES[0]}/keeper"}, *story.arrive()]
    events += [event for _ in range(draw.number(2, 7)) for event in draw.weighted(WEIGHTS)(story)]
    config = settled(configuration(draw))
    if draw.chance(0.8):
        config.pop("predicates", None)
    return {"kind": "e2e", "cluster": story.cluster, "config": config, "events": events}
