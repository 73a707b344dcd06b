"""The scheduler cache: assumed and added pods, and nodes; changed in place.  [C-001..C-033, C-046]"""

from collections.abc import Iterator
from contextlib import suppress

from attrs import define

from impl.aggregate import Aggregate
from impl.cache_error import CacheError
from impl.images import Images
from impl.node_tree import NodeTree
from impl.pod_kind import PodKinds
from impl.recency import Recency
from model.api.clock import Instant
from model.api.objects import Node, Pod
from model.api.protocol import Crash

ASSUMPTION_MS = 30_000
"""How long a finished assumption holds.  [C-002]"""


@define
class Held:
    """A pod the cache knows.  [C-001]"""

    pod: Pod
    deadline: Instant | None = None
    binding_finished: bool = False


class Cache:
    """`aggregates`: those of `recency`; `assumed`: UIDs.  Read only."""

    def __init__(self, ttl_ms: int = ASSUMPTION_MS) -> None:
        self._ttl_ms = ttl_ms
        self.pods: dict[str, Held] = {}
        self.assumed: set[str] = set()
        self.kinds = PodKinds()
        self.recency = Recency(self.kinds)
        self.aggregates = self.recency.by_name
        self.images = Images()
        self.tree = NodeTree()

    # --- pods ---

    def assume_pod(self, pod: Pod) -> None:
        """[C-012]"""
        uid = _uid(pod)
        if uid in self.pods:
            raise CacheError(f"pod {uid} is in the cache, so can't be assumed")
        self.recency.count_in(pod)
        self.pods[uid] = Held(pod)
        self.assumed.add(uid)

    def finish_binding(self, pod: Pod, now: Instant) -> None:
        """From now on the assumption has an end.  [C-013]"""
        uid = _uid(pod)
        if uid in self.assumed:
            held = self.pods[uid]
            held.binding_finished = True
            held.deadline = now.plus(self._ttl_ms)

    def forget_pod(self, pod: Pod) -> None:
        """[C-014..C-017]"""
        uid = _uid(pod)
        held = self.pods.get(uid)
        if held and held.pod.spec.node_name != pod.spec.node_name:
            # The two names are the wrong way round, as in the original.
            raise CacheError(f"pod {uid} was assumed on {pod.spec.node_name} but assigned to {held.pod.spec.node_name}")
        if uid not in self.assumed:
            raise CacheError(f"pod {uid} wasn't assumed so cannot be forgotten")
        self.recency.count_out(pod)
        self._let_go(uid)

    def add_pod(self, pod: Pod) -> None:
        """Confirm an assumption, or learn of a pod.  [C-018]

        The aggregate of a confirmed pod keeps the assumed object; only the pod table takes the new one.
        """
        uid = _uid(pod)
        held = self.pods.get(uid)
        if held is None:
            self.recency.count_in(pod)
            self.pods[uid] = Held(pod)
        elif uid not in self.assumed:
            raise CacheError(f"pod {uid} was already in added state")
        else:
            if held.pod.spec.node_name != pod.spec.node_name:
                with suppress(CacheError):
                    self.recency.count_out(held.pod)
                self.recency.count_in(pod)
            self.assumed.discard(uid)
            held.deadline = None
            held.pod = pod

    def update_pod(self, old: Pod, new: Pod) -> None:
        """The entry stays under the old UID.  Raises Crash if the pod changed its node.  [C-019, C-020]"""
        uid = _uid(old)
        held = self.pods.get(uid)
        if held is None or uid in self.assumed:
            raise CacheError(f"pod {uid} is not added to scheduler cache, so cannot be updated")
        _must_be_on(held.pod.spec.node_name, new)
        self.recency.count_out(old)
        self.recency.count_in(new)
        held.pod = new

    def remove_pod(self, pod: Pod) -> None:
        """Raises Crash if the pod changed its node.  [C-021]"""
        uid = _uid(pod)
        held = self.pods.get(uid)
        if held is None or uid in self.assumed:
            raise CacheError(f"pod {uid} is not found in scheduler cache, so cannot be removed from it")
        _must_be_on(held.pod.spec.node_name, pod)
        self.recency.count_out(held.pod)
        self._let_go(uid)

    def is_assumed(self, pod: Pod) -> bool:
        """[C-022]"""
        return _uid(pod) in self.assumed

    def get_pod(self, pod: Pod) -> Pod:
        """[C-022]"""
        uid = _uid(pod)
        if uid not in self.pods:
            raise CacheError(f"pod {uid} does not exist in scheduler cache")
        return self.pods[uid].pod

    def expire(self, now: Instant) -> None:
        """Drop the assumptions whose time is over.  [C-023]"""
        for uid in sorted(self.assumed):
            held = self.pods[uid]
            if held.deadline and held.binding_finished and held.deadline < now:
                try:
                    self.recency.count_out(held.pod)
                except CacheError:
                    continue  # logged, and tried again at the next run
                self._let_go(uid)

    def all_pods(self) -> Iterator[Pod]:
        """Assumed ones included, those of the node that is longest unchanged first; in Go, in any order.  [C-046]"""
        for aggregate in reversed(self.aggregates.values()):
            yield from aggregate.pods

    def _let_go(self, uid: str) -> None:
        self.assumed.discard(uid)
        del self.pods[uid]

    # --- nodes ---

    def add_node(self, node: Node) -> None:
        """[C-030]"""
        aggregate = self._aggregate_for(node)
        self.tree.add(node)
        self._set_node(aggregate, node)

    def update_node(self, old: Node | None, new: Node) -> None:
        """Raises Crash where the tree does.  [C-031]"""
        aggregate = self._aggregate_for(new)
        self.tree.update(old, new)
        self._set_node(aggregate, new)

    def remove_node(self, node: Node) -> None:
        """Pods that are still there keep the entry.  Zone and images are the argument's.  [C-032, C-033]"""
        aggregate = self.aggregates.get(node.name)
        if aggregate is None:
            raise CacheError(f"node {node.name} is not found")
        aggregate.remove_node()
        self.recency.touch(aggregate)
        if not aggregate.pods:
            del self.aggregates[node.name]
        self.tree.remove(node)
        self.images.remove(node)

    def _aggregate_for(self, node: Node) -> Aggregate:
        aggregate = self.aggregates.get(node.name)
        if aggregate is None:
            return self.recency.new(node.name)
        if aggregate.node:
            self.images.remove(aggregate.node)
        return aggregate

    def _set_node(self, aggregate: Aggregate, node: Node) -> None:
        aggregate.images = self.images.add(node)
        aggregate.set_node(node)
        self.recency.touch(aggregate)


def _uid(pod: Pod) -> str:
    """[O-013, C-003]"""
    if not pod.uid:
        raise CacheError("Cannot get cache key for pod with empty UID")
    return pod.uid


def _must_be_on(node_name: str, pod: Pod) -> None:
    """[C-019, C-021]"""
    if pod.spec.node_name != node_name:
        raise Crash("Schedulercache is corrupted and can badly affect scheduling decisions")
