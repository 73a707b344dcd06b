"""A cluster as the reference sees it, and the same cluster after a few changes, without taking all of it in again."""

from attrs import evolve, frozen

from model.algorithm import Attempted, basic_checks, chosen, filtered, with_metadata
from model.api.cluster import Cluster
from model.api.decode import amended
from model.api.objects import Pod
from model.attempt import Attempt
from model.cache import Cache, add_pod, remove_pod, take_snapshot, update_node
from model.cache.snapshot import Snapshot
from model.decision import answered
from model.queue import add
from model.queue.state import Queue
from model.semantics import Semantics
from model.standing import START, filled_cache, unfinished, world_of


@frozen
class Ground:
    """`cluster` does not hold the pod that is asked about."""

    cluster: Cluster
    semantics: Semantics
    cache: Cache
    queue: Queue

    @classmethod
    def of(cls, cluster: Cluster, semantics: Semantics) -> "Ground":
        return cls(cluster, semantics, filled_cache(cluster, False, semantics.quirks), _nominated(cluster, semantics))

    def after(self, cluster: Cluster) -> "Ground":
        """The same with nodes and running pods replaced, running pods gone, other objects as they may be.

        All pods of a node with such a change are put there anew: a port that two of them hold is not free when one
        goes, though a running scheduler takes it for free.  [O-096]
        """
        cache = self.cache
        for old, new in zip(self.cluster.nodes, cluster.nodes, strict=True):
            if new is not old:
                cache = update_node(cache, old, new, self.semantics.quirks)
        left = {pod.key: pod for pod in cluster.pods}
        placed = [pod for pod in unfinished(self.cluster.pods) if pod.spec.node_name]
        touched = {pod.spec.node_name for pod in placed if left.get(pod.key) is not pod}
        anew = [pod for pod in placed if pod.spec.node_name in touched]
        for pod in anew:
            cache = remove_pod(cache, pod, self.semantics.quirks)
        for pod in anew:
            if pod.key in left:
                cache = add_pod(cache, left[pod.key], self.semantics.quirks)
        return Ground(cluster, self.semantics, cache, _nominated(cluster, self.semantics))

    def attempt(self, pod: Pod) -> Attempt:
        snapshot = take_snapshot(Snapshot(), self.cache, self.semantics.quirks).nodes
        world = world_of(self.cluster, self.cache, self.queue)
        return with_metadata(Attempt(pod, snapshot, world, self.semantics))

    def search(self, attempt: Attempt) -> Attempted:
        """Up to the feasible nodes, without extenders."""
        start = Attempted(self.cache.tree, 0)
        if refusal := basic_checks(attempt.pod, attempt.world):
            return evolve(start, error=refusal)
        return answered(filtered(attempt, start), {})

    def schedule(self, attempt: Attempt) -> Attempted:
        """To the host, the counter of the round robin standing at 0.  Raises Crash."""
        found = self.search(attempt)
        return found if found.error else answered(chosen(attempt, found), {})


def unplaced(pod: Pod) -> Pod:
    """The pod as it was before it had a node."""
    return amended(pod, {"spec": {"nodeName": None}}) if pod.spec.node_name else pod


def _nominated(cluster: Cluster, semantics: Semantics) -> Queue:
    """Of the waiting pods only the nominated ones matter."""
    queue = Queue()
    for pod in unfinished(cluster.pods):
        if pod.status.nominated_node_name and not pod.spec.node_name:
            queue = add(queue, pod, START, semantics.quirks)
    return queue
