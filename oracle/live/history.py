"""Every change of the cluster since the start: a state for each revision, and news for those who wait."""

from collections.abc import Callable, Mapping, Sequence

from model.api.cluster import Cluster
from model.api.objects import KubernetesObject
from oracle.environment.watches import Change

STRIDE = 256
"""Changes between two states that are kept; those in between are made from the nearest before."""

Objects = Mapping[tuple[str, str], KubernetesObject]
"""By kind and key, in order of creation."""


class History:
    """Revision r is the state after r changes; 0 is empty.  The resourceVersion of a write is its revision."""

    def __init__(self) -> None:
        self._changes: list[Change] = []
        self._kept: list[dict[tuple[str, str], KubernetesObject]] = [{}]
        self._now: dict[tuple[str, str], KubernetesObject] = {}
        self._created: dict[tuple[str, str], int] = {}
        self._listeners: dict[int, Callable[[], None]] = {}
        self._next_listener = 0

    def publish(self, change: Change) -> None:
        self._changes.append(change)
        if change.before is None and change.after is not None:
            self._created[change.kind, change.after.key] = self.revision
        _apply(change, self._now)
        if len(self._changes) % STRIDE == 0:
            self._kept.append(dict(self._now))
        for listener in list(self._listeners.values()):
            listener()

    @property
    def revision(self) -> int:
        return len(self._changes)

    def since(self, revision: int) -> Sequence[Change]:
        """The changes after that revision; the first of them made revision + 1."""
        return self._changes[revision:]

    def at(self, revision: int) -> Objects:
        """What there was at that revision."""
        if revision == self.revision:
            return dict(self._now)
        nearest = revision // STRIDE
        objects = dict(self._kept[nearest])
        for change in self._changes[nearest * STRIDE : revision]:
            _apply(change, objects)
        return objects

    def cluster(self, revision: int) -> Cluster:
        return Cluster.of(self.at(revision).values())

    def created(self, kind: str, key: str) -> int:
        """The revision at which the object of that name last came to be."""
        return self._created[kind, key]

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call it at every change from now on, in the thread that makes it; answers how to stop that."""
        self._next_listener += 1
        number = self._next_listener
        self._listeners[number] = listener
        return lambda: self._listeners.pop(number, None) and None

    @property
    def listeners(self) -> int:
        return len(self._listeners)


def _apply(change: Change, objects: dict[tuple[str, str], KubernetesObject]) -> None:
    either = change.after or change.before
    assert either is not None
    if change.after is None:
        objects.pop((either.kind, either.key), None)
    else:
        objects[either.kind, either.key] = change.after
