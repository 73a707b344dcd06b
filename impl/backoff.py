"""How long each pod has to wait after failures.  [Q-020..Q-028]"""

from collections.abc import Iterator, Mapping

from model.api.clock import Instant
from model.api.components import BackoffEntry
from model.api.objects import Pod

INITIAL_MS = 1_000
MAXIMUM_MS = 10_000
NEVER = Instant(-(2**62))
"""The zero instant of pods without an entry: before everything.  [Q-012]"""

Key = tuple[str, str]


def duration(attempts: int) -> int:
    """1, 2, 4, 8, 10, 10, ... seconds, in ms.  [Q-020]"""
    return min(INITIAL_MS << min(attempts - 1, 4), MAXIMUM_MS)


class BackoffMap:
    """Entries by namespace and name, the least recently updated first; the clock must not go back."""

    __slots__ = ("_ends", "_entries")

    def __init__(self) -> None:
        self._entries: dict[Key, BackoffEntry] = {}
        self._ends: dict[Key, Instant] = {}

    def items(self) -> Iterator[tuple[str, BackoffEntry]]:
        for (namespace, name), entry in self._entries.items():
            yield f"{namespace}/{name}", entry

    @property
    def ends(self) -> Mapping[Key, Instant]:
        """When each back-off is over.  [Q-021]"""
        return self._ends

    def end(self, pod: Pod) -> Instant | None:
        """[Q-021]"""
        return self._ends.get(_key(pod))

    def is_backing_off(self, pod: Pod, now: Instant) -> bool:
        """[Q-022]"""
        return self._ends.get(_key(pod), NEVER) > now

    def start(self, pod: Pod, now: Instant) -> None:
        """Count a failure, unless the last back-off is not over; old entries of all pods go first.  [Q-024, Q-025]"""
        self._collect(now)
        key = _key(pod)
        if self._ends.get(key, NEVER) >= now:
            return
        entry = self._entries.pop(key, None)
        attempts = entry.attempts + 1 if entry else 1
        self._entries[key] = BackoffEntry(attempts, now)
        self._ends[key] = now.plus(duration(attempts))

    def clear(self, pod: Pod) -> None:
        """[Q-026]"""
        key = _key(pod)
        if self._entries.pop(key, None):
            del self._ends[key]

    def _collect(self, now: Instant) -> None:
        """Drop what was last updated more than the longest back-off ago.  [Q-023]"""
        while self._entries:
            key = next(iter(self._entries))
            if self._entries[key].last_update.plus(MAXIMUM_MS) >= now:
                return
            del self._entries[key], self._ends[key]


def _key(pod: Pod) -> Key:
    """[O-012, Q-028]"""
    return pod.namespace, pod.name
