"""Watch events on their way from the API server to the scheduler's informers."""

from collections import deque
from collections.abc import Iterable

from attrs import frozen

from model.api.objects import KubernetesObject, Pod
from model.api.protocol import Added, Deleted, Event, Updated

FINISHED = {"Succeeded", "Failed"}


def awaits(pod: Pod, scheduler_name: str) -> bool:
    """Whether that scheduler is to place it; pods that are over, or on their way out, are nobody's to place."""
    ours = pod.spec.scheduler_name == scheduler_name
    return ours and not pod.spec.node_name and not pod.is_terminating and pod.status.phase not in FINISHED


@frozen
class Change:
    """One write: what an object was before and is after; None for what does not exist."""

    before: KubernetesObject | None
    after: KubernetesObject | None

    @property
    def kind(self) -> str:
        either = self.after or self.before
        assert either is not None
        return either.kind


def selected(thing: KubernetesObject | None) -> KubernetesObject | None:
    """The object as far as the scheduler's informers select it: finished pods do not exist for them.  [L-020]"""
    return None if isinstance(thing, Pod) and thing.status.phase in FINISHED else thing


class Watches:
    """Undelivered changes in the order of their writes, and what each informer has seen so far."""

    def __init__(self) -> None:
        self._pending: deque[Change] = deque()
        self._held: set[str] = set()
        self._seen: dict[tuple[str, str], KubernetesObject] = {}

    def publish(self, change: Change) -> None:
        before, after = selected(change.before), selected(change.after)
        if before is not None or after is not None:
            self._pending.append(Change(before, after))

    def hold(self, kind: str) -> None:
        self._held.add(kind)

    def release(self, kind: str) -> None:
        self._held.discard(kind)

    def relist(self, kind: str, things: Iterable[KubernetesObject]) -> None:
        """The watch broke: what was under way is lost, and the informer compares with all there is now.  [L-023]"""
        self._pending = deque(change for change in self._pending if change.kind != kind)
        listed = {(kind, thing.key): thing for thing in things if selected(thing) is not None}
        self._pending += [
            Change(seen, None) for key, seen in self._seen.items() if key[0] == kind and key not in listed
        ]
        self._pending += [Change(self._seen.get(key), thing) for key, thing in listed.items()]

    def redeliver(self, kind: str, key: str) -> None:
        """Before anything newer, so that no informer goes back in time."""
        again = [seen for (of, name), seen in self._seen.items() if of == kind and key in ("", name)]
        self._pending.extendleft(Change(seen, seen) for seen in reversed(again))

    def begin_anew(self, things: Iterable[KubernetesObject]) -> None:
        """Informers of a new process: nothing is under way, nothing is held, and everything is listed."""
        self._held.clear()
        self._seen.clear()
        self._pending = deque(Change(None, thing) for thing in things if selected(thing) is not None)

    @property
    def undelivered(self) -> int:
        return len(self._pending)

    @property
    def under_way(self) -> tuple[Change, ...]:
        return tuple(self._pending)

    @property
    def held(self) -> frozenset[str]:
        """Kinds whose changes are kept back."""
        return frozenset(self._held)

    def next_event(self) -> Event | None:
        """The oldest change that is not held, as the informer delivers it; None when there is none."""
        while (change := self._take()) is not None:
            if (event := self._informed(change)) is not None:
                return event
        return None

    def _take(self) -> Change | None:
        for at, change in enumerate(self._pending):
            if change.kind not in self._held:
                del self._pending[at]
                return change
        return None

    def _informed(self, change: Change) -> Event | None:
        """An informer tells added from updated, and the old object, by its own store.  [L-023]"""
        either = change.after or change.before
        assert either is not None
        key = (either.kind, either.key)
        old = self._seen.pop(key, None)
        if change.after is None:
            return Deleted(change.before or either) if old is not None else None
        self._seen[key] = change.after
        return Added(change.after) if old is None else Updated(old, change.after)
