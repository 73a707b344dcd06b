"""What is counted of each node, most recently changed first.  [C-011, C-040..C-045]

A snapshot is brought up to date by visiting only what changed since.
"""

from collections import OrderedDict
from collections.abc import Collection
from typing import Protocol

from impl.aggregate import Aggregate, AggregateError
from impl.cache_error import CacheError
from impl.pod_kind import PodKinds
from model.api.objects import Pod


class Snapshot(Protocol):
    """The nodes as of the start of a scheduling cycle; the cache brings it up to date.  [C-041]"""

    generation: int

    def put(self, aggregate: Aggregate) -> None:
        """Take over everything of a node, which is new or changed."""
        ...

    def drop(self, name: str) -> None: ...

    def names(self) -> Collection[str]: ...


class Recency:
    """`by_name`: by node name, most recently changed first; read only."""

    def __init__(self, kinds: PodKinds) -> None:
        self._kinds = kinds
        self._generation = 0
        self.by_name: OrderedDict[str, Aggregate] = OrderedDict()

    def refresh(self, snapshot: Snapshot) -> None:
        """Bring a snapshot up to date.  [C-042]

        An entry without node object leaves what the snapshot holds of it as it was; vanished names go
        only while the snapshot holds more names than the cache.  [C-043]
        """
        for aggregate in self.by_name.values():
            if aggregate.generation <= snapshot.generation:
                break
            if aggregate.node:
                snapshot.put(aggregate)
        if self.by_name:
            snapshot.generation = next(iter(self.by_name.values())).generation
        names = snapshot.names()
        if len(names) > len(self.by_name):
            for name in [name for name in names if name not in self.by_name]:
                snapshot.drop(name)

    def count_in(self, pod: Pod) -> None:
        """[C-011]"""
        name = pod.spec.node_name
        aggregate = self.by_name.get(name) or self.new(name)
        aggregate.add_pod(pod, self._kinds.of(pod))
        self.touch(aggregate)

    def count_out(self, pod: Pod) -> None:
        """Raises CacheError.  [C-011]"""
        aggregate = self.by_name.get(pod.spec.node_name)
        if aggregate is None:
            raise CacheError(f"node {pod.spec.node_name} is not found")
        try:
            aggregate.remove_pod(pod, self._kinds.of(pod))
        except AggregateError as error:
            raise CacheError(str(error)) from None
        self.touch(aggregate)
        if not aggregate.pods and aggregate.node is None:
            del self.by_name[aggregate.name]

    def new(self, name: str) -> Aggregate:
        aggregate = self.by_name[name] = Aggregate(name)
        return aggregate

    def touch(self, aggregate: Aggregate) -> None:
        """The next generation, and to the front.  [O-091, C-040]"""
        self._generation += 1
        aggregate.generation = self._generation
        self.by_name.move_to_end(aggregate.name, last=False)
