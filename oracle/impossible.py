"""Placements that cannot be: on a node that is not there, or that lacks what the pods on it ask for.

An API server lets a pod be bound anywhere; it is the kubelet that would refuse it.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from model.api.configuration import Configuration
from model.api.objects import Node, Pod
from model.api.resources import Resources, add, container_sum
from oracle.shortage import has_to_count, lacking

_ROOM = {"pods": "room for pods"}


@frozen
class Impossible:
    pod: str
    node: str
    why: str


def impossible(
    placed: Mapping[str, str], nodes: Iterable[Node], running: Iterable[Pod], configuration: Configuration
) -> Iterator[Impossible]:
    """Of what a scheduler placed (pod -> node), in its order, and of an overfull node only the last that adds to it."""
    there: dict[str, dict[str, Pod]] = {}
    for pod in running:
        there.setdefault(pod.spec.node_name, {})[pod.key] = pod
    allocatable = {node.name: add(Resources(), node.status.allocatable) for node in nodes}
    counts = has_to_count(configuration)
    ignored = {r.name for e in configuration.extenders for r in e.managed_resources if r.ignored_by_scheduler}
    used: dict[str, list[Resources]] = {}
    last: dict[str, Impossible] = {}
    for key, node in placed.items():
        if node not in allocatable:
            yield Impossible(key, node, "there is no such node")
            continue
        beside = there.get(node, {})
        if key not in beside or not counts:
            continue
        if node not in used:
            used[node] = [container_sum(one) for one in beside.values()]
        short = lacking(beside[key], used[node], allocatable[node])
        if missing := [_ROOM.get(name, name) for name in short if name not in ignored]:
            last[node] = Impossible(key, node, f"too little {', '.join(missing)} for it and those who run there")
    yield from last.values()
