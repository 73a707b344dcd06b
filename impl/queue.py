"""The scheduling queue: active and backoff heaps, the unschedulable map, nominations.  [Q-001..Q-072]

Every operation is given one reading of the clock.  A pod is moved in O(log n); a bulk move visits only
what it moves, in ascending order of the unschedulable keys.
"""

import itertools
from collections.abc import Iterable, Iterator

from impl.backoff import NEVER, BackoffMap
from impl.heap import Heap
from impl.nominations import Nominations
from impl.pod_kind import PodKind, PodKinds
from impl.waking import is_attracted, is_pod_updated
from model.api.clock import Instant
from model.api.objects import Pod
from model.api.selectors import required_affinity_terms

LEFTOVER_MS = 60_000
"""How long a pod may stay unschedulable without an event.  [Q-005, Q-064]"""


class QueueError(Exception):
    """A refused operation; the message is kube-scheduler's.  [Q-042, Q-045]"""


class Entry:
    """A waiting pod and when it came in.  [Q-001, Q-003]"""

    __slots__ = ("backoff_key", "key", "pod", "rank", "timestamp")

    def __init__(self, pod: Pod, timestamp: Instant) -> None:
        self.pod = pod
        self.timestamp = timestamp
        self.key = pod.key
        self.backoff_key = (pod.namespace, pod.name)
        self.rank = (-pod.priority, timestamp)

    def holding(self, pod: Pod) -> "Entry":
        """The same place in line for another version of the pod.  [Q-003]"""
        return Entry(pod, self.timestamp)


def _more_urgent(a: Entry, b: Entry) -> bool:
    """Higher priority, then earlier.  [Q-010]"""
    return a.rank < b.rank


class Queue:
    """Mutable; `unschedulable` is keyed by full name, `cycle` and `move_cycle` as in Q-001."""

    __slots__ = ("_affine", "_backoff_heap", "_kinds", "active", "backoff", "closed", "cycle", "move_cycle",
                 "nominations", "unschedulable")  # fmt: skip

    def __init__(self) -> None:
        self.backoff = BackoffMap()
        ends = self.backoff.ends
        self.active: Heap[Entry] = Heap(_more_urgent)
        self._backoff_heap: Heap[Entry] = Heap(
            lambda a, b: ends.get(a.backoff_key, NEVER) < ends.get(b.backoff_key, NEVER)
        )
        self.unschedulable: dict[str, Entry] = {}
        self._affine: dict[PodKind, set[str]] = {}
        """The unschedulable pods that have required affinity terms, by what they are like."""
        self._kinds = PodKinds()
        self.nominations = Nominations()
        self.cycle = 0
        self.move_cycle = -1
        self.closed = False

    # --- what it shows ---

    @property
    def nominated(self) -> dict[str, list[Pod]]:
        """By node name, in list order; read only.  [Q-034]"""
        return self.nominations.by_node

    @property
    def backing_off(self) -> Iterable[Entry]:
        return self._backoff_heap

    def in_pop_order(self) -> list[Entry]:
        """The active entries as they would be popped."""
        entries = sorted(self.active, key=lambda entry: entry.rank)
        if all(a.rank != b.rank for a, b in itertools.pairwise(entries)):
            return entries
        rehearsal = self.active.copy()
        return [rehearsal.pop() for _ in entries]

    def pending(self) -> Iterator[Pod]:
        """[Q-070]"""
        for entries in (self.active, self._backoff_heap, self.unschedulable.values()):
            for entry in entries:
                yield entry.pod

    # --- pods in and out ---

    def add(self, pod: Pod, now: Instant) -> None:
        """A new pod, or one that lost its node.  [Q-040]"""
        entry = Entry(pod, now)
        self.active.add(entry)
        self._leave_unschedulable(pod.full_name)
        self._backoff_heap.delete(entry.key)
        self.nominations.add(pod)

    def add_if_not_present(self, pod: Pod, now: Instant) -> None:
        """[Q-041]"""
        if self._place_of(pod) is None:
            self.active.add(Entry(pod, now))
            self.nominations.add(pod)

    def add_unschedulable_if_not_present(self, pod: Pod, pod_cycle: int, now: Instant) -> None:
        """Back after a failure; waits for an event, or only for its back-off if one came already.  [Q-042, Q-043]

        Raises QueueError where the pod is waiting already.
        """
        if place := self._place_of(pod):
            raise QueueError(f"pod is already present in {place}")
        self.backoff.start(pod, now)
        entry = Entry(pod, now)
        if self.move_cycle >= pod_cycle:
            self._backoff_heap.add(entry)
        else:
            self._wait(entry)
        self.nominations.add(pod)

    def pop(self) -> Pod | None:
        """The next pod to schedule; None where the real call would block.  Raises QueueError once closed.  [Q-045]"""
        if not len(self.active):
            if self.closed:
                raise QueueError("scheduling queue is closed")
            return None
        self.cycle += 1
        return self.active.pop().pod

    def update(self, old: Pod | None, new: Pod, now: Instant) -> None:
        """Raises Crash for an unschedulable pod without `old`.  [Q-051..Q-054]"""
        if old is not None:
            if entry := self.active.get(old.key):
                self.nominations.update(old, new)
                self.active.add(entry.holding(new))
                return
            if entry := self._backoff_heap.get(old.key):
                self.nominations.update(old, new)
                self._backoff_heap.delete(old.key)
                self.active.add(entry.holding(new))
                return
        if entry := self.unschedulable.get(new.full_name):
            self.nominations.update(old, new)
            if old is not None and is_pod_updated(old, new):
                self.backoff.clear(new)
                self._leave_unschedulable(new.full_name)
                self.active.add(entry.holding(new))
            else:
                self._wait(entry.holding(new))
            return
        self.active.add(Entry(new, now))
        self.nominations.add(new)

    def delete(self, pod: Pod) -> None:
        """[Q-055, Q-056]"""
        self.nominations.delete(pod)
        if self.active.delete(pod.key) is None:
            self.backoff.clear(pod)
            self._backoff_heap.delete(pod.key)
            self._leave_unschedulable(pod.full_name)

    def close(self) -> None:
        """[Q-072]"""
        self.closed = True

    # --- moves ---

    def move_all_to_active(self, now: Instant) -> None:
        """[Q-060]"""
        self._move([entry for _, entry in sorted(self.unschedulable.items())], now)

    def assigned_pod_added(self, pod: Pod, now: Instant) -> None:
        """Wake the pods that may have waited for this one; also for an assigned pod that changed.  [Q-062]

        Raises Crash on a selector that cannot be built.
        """
        attracted = [names for kind, names in self._affine.items() if is_attracted(kind, pod)]
        self._move([self.unschedulable[name] for name in sorted(itertools.chain(*attracted))], now)

    def flush_leftover(self, now: Instant) -> None:
        """[Q-064]"""
        limit = LEFTOVER_MS
        old = [entry for _, entry in sorted(self.unschedulable.items()) if entry.timestamp.plus(limit) < now]
        if old:
            self._move(old, now)

    def flush_backoff(self, now: Instant) -> None:
        """[Q-065, Q-066]"""
        while head := self._backoff_heap.peek():
            if self.backoff.is_backing_off(head.pod, now):
                return
            self.active.add(self._backoff_heap.pop())

    def _move(self, entries: Iterable[Entry], now: Instant) -> None:
        """[Q-061]"""
        for entry in entries:
            heap = self._backoff_heap if self.backoff.is_backing_off(entry.pod, now) else self.active
            heap.add(entry)
            self._leave_unschedulable(entry.pod.full_name)
        self.move_cycle = self.cycle

    # --- the unschedulable map ---

    def _wait(self, entry: Entry) -> None:
        name = entry.pod.full_name
        if before := self.unschedulable.get(name):
            self._lose_interest(name, before.pod)
        self.unschedulable[name] = entry
        if required_affinity_terms(entry.pod):
            self._affine.setdefault(self._kinds.of(entry.pod), set()).add(name)

    def _leave_unschedulable(self, full_name: str) -> None:
        if entry := self.unschedulable.pop(full_name, None):
            self._lose_interest(full_name, entry.pod)

    def _lose_interest(self, full_name: str, pod: Pod) -> None:
        if required_affinity_terms(pod):
            kind = self._kinds.of(pod)
            self._affine[kind].remove(full_name)
            if not self._affine[kind]:
                del self._affine[kind]

    def _place_of(self, pod: Pod) -> str | None:
        """[Q-042]"""
        if pod.full_name in self.unschedulable:
            return "unschedulableQ"
        if pod.key in self.active:
            return "the activeQ"
        if pod.key in self._backoff_heap:
            return "the backoffQ"
        return None
