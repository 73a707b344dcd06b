"""What a scheduler could know at one moment, and how a decision about one pod looks from there."""

from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

from attrs import evolve, frozen

from model.algorithm import with_metadata
from model.api.cluster import Cluster
from model.api.objects import KubernetesObject, Pod
from model.attempt import NOT_IN_SNAPSHOT, Attempt
from model.cache.node_tree import NodeTree, walk
from model.cache.pods import forget_pod
from model.cache.snapshot import Snapshot as EarlierSnapshot
from model.cache.snapshot import take_snapshot
from model.fit import PredicateError
from model.fits import pod_fits
from model.loop.state import SchedulerState, world
from model.semantics import Semantics
from model.world import Snapshot, World


class Known(Protocol):
    """Whatever can say what there was, as objects: for a second opinion."""

    @property
    def cluster(self) -> Cluster: ...


@frozen
class Sight:
    """One pod in one view: what an attempt can see, and the node tree."""

    attempt: Attempt
    tree: NodeTree

    @property
    def pod(self) -> Pod:
        return self.attempt.pod

    @cached_property
    def without_nominations(self) -> "Sight":
        """As one sees it who makes no room for nominated pods."""
        return evolve(self, attempt=evolve(self.attempt, world=evolve(self.attempt.world, nominated={})))

    @cached_property
    def feasible(self) -> tuple[str, ...]:
        """The nodes that take the pod, nominated pods considered; none where a predicate fails with an error."""
        found = []
        for name in walk(self.tree):
            try:
                if not pod_fits(self.attempt, self.attempt.snapshot.get(name, NOT_IN_SNAPSHOT), False):
                    found.append(name)
            except PredicateError:
                return ()
        return tuple(found)


@frozen(eq=False)
class View:
    """One moment.  `pods`: all that informers have shown, by key."""

    state: SchedulerState
    pods: Mapping[str, Pod]
    semantics: Semantics

    @cached_property
    def snapshot(self) -> Snapshot:
        return take_snapshot(self.state.snapshot, self.state.cache, self.semantics.quirks).nodes

    @cached_property
    def world(self) -> World:
        return world(self.state)

    @cached_property
    def cluster(self) -> Cluster:
        """As objects; a pod counts where the scheduler has put it."""
        stores = self.state.stores
        things: list[KubernetesObject] = [
            thing
            for store in (
                stores.classes,
                self.world.binder_volumes,
                self.world.binder_claims,
                stores.services,
                stores.replication_controllers,
                stores.replica_sets,
                stores.stateful_sets,
                stores.budgets,
                stores.nodes,
            )
            for thing in store.values()
        ]
        placed = {held.pod.key: held.pod for held in self.state.cache.pods.values()}
        waiting = (pod for key, pod in self.pods.items() if key not in placed and not pod.spec.node_name)
        return Cluster.of([*things, *placed.values(), *waiting])

    @cached_property
    def without_the_gone(self) -> "View":
        """As one sees it who forgets a pod that went while it was bound; v1.15 counts it until that has failed."""
        told, cache = {pod.uid for pod in self.pods.values()}, self.state.cache
        for uid in sorted(cache.assumed - told):
            cache = forget_pod(cache, cache.pods[uid].pod, self.semantics.quirks)
        return self if cache is self.state.cache else evolve(self, state=evolve(self.state, cache=cache))

    @cached_property
    def without_gone_nodes(self) -> "View":
        """As one sees it who has made no snapshot before; v1.15 keeps nodes that went while pods are on them."""
        return evolve(self, state=evolve(self.state, snapshot=EarlierSnapshot()))

    def sight(self, pod: Pod, later: "View | None" = None) -> Sight:
        """`later`: the view of which the stores are seen; preemption looks at the old snapshot with them."""
        attempt = Attempt(pod, self.snapshot, (later or self).world, self.semantics)
        return Sight(with_metadata(attempt), self.state.cache.tree)
