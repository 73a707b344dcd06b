"""Placements that cannot be: on a node that is not there, or that lacks what the pods on it ask for.

An API server lets a pod be bound anywhere; it is the kubelet that would refuse it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from model.api.configuration import Configuration
from model.api.objects import Node, Pod
from model.api.resources import Resources, add, container_sum, pod_request

_COUNTING = {"GeneralPredicates", "PodFitsResources"}
"""A scheduler that is configured with neither is not asked to count."""


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
    chosen = configuration.predicates
    counts = chosen is None or not _COUNTING.isdisjoint(entry.name for entry in chosen)
    ignored = {r.name for e in configuration.extenders for r in e.managed_resources if r.ignored_by_scheduler}
    last: dict[str, Impossible] = {}
    for key, node in placed.items():
        if node not in allocatable:
            yield Impossible(key, node, "there is no such node")
            continue
        beside = there.get(node, {})
        if key not in beside or not counts:
            continue
        lacking = [name for name in _lacking(beside[key], [*beside.values()], allocatable[node]) if name not in ignored]
        if lacking:
            last[node] = Impossible(key, node, f"too little {', '.join(lacking)} for it and those who run there")
    yield from last.values()


def _lacking(pod: Pod, there: Sequence[Pod], has: Resources) -> Iterator[str]:
    """Resources that the pod asks for, and of which the pods there, it among them, want more than there is."""
    wanted, used = pod_request(pod), [container_sum(one) for one in there]
    if len(there) > has.allowed_pods:
        yield "room for pods"
    if wanted.milli_cpu and sum(one.milli_cpu for one in used) > has.milli_cpu:
        yield "cpu"
    if wanted.memory and sum(one.memory for one in used) > has.memory:
        yield "memory"
    for name, amount in wanted.scalars.items():
        if amount and sum(one.scalars.get(name, 0) for one in used) > has.scalars.get(name, 0):
            yield name
