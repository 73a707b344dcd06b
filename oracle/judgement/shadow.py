"""The state that kube-scheduler would have after the same events and the same deeds."""

from attrs import evolve

from model import queue as q
from model.api.decode import amended
from model.api.objects import Pod
from model.api.protocol import Added, Crash, Deleted, Event, Tick, Updated
from model.cache.pods import finish_binding, forget_pod
from model.cache.snapshot import take_snapshot
from model.cache.state import CacheError
from model.loop import step
from model.loop.cycle import assume
from model.loop.state import SchedulerState
from model.semantics import Semantics
from oracle.judgement.view import View


class Shadow:
    """Hears the same informers, and is told of bindings and nominations; it decides nothing itself.

    `lost`: events came after which kube-scheduler would have ended; nothing can be said from then on.
    """

    def __init__(self, semantics: Semantics) -> None:
        self.lost = False
        self._semantics = semantics
        self._state = SchedulerState()
        self._pods: dict[str, Pod] = {}

    def copy(self) -> "Shadow":
        """Another one that goes on from here."""
        other = Shadow(self._semantics)
        other.lost, other._state, other._pods = self.lost, self._state, dict(self._pods)
        return other

    def view(self) -> View:
        return View(self._state, dict(self._pods), self._semantics)

    def snapshotted(self) -> View:
        """The view at the start of a cycle.  A snapshot is made from the last one, and remembers gone nodes."""
        snapshot = take_snapshot(self._state.snapshot, self._state.cache, self._semantics.quirks)
        self._state = evolve(self._state, snapshot=snapshot)
        return self.view()

    def hear(self, event: Event) -> None:
        match event:
            case Added(Pod() as pod) | Updated(_, Pod() as pod):
                self._pods[pod.key] = pod
            case Deleted(Pod() as pod):
                self._pods.pop(pod.key, None)
        if isinstance(event, Added | Updated | Deleted | Tick):
            try:
                for _ in (transition := self._transition(event)):
                    raise AssertionError(f"without decisions of its own there is nothing to ask for: {transition}")
            except Crash:
                self.lost = True

    def _transition(self, event: Event):  # type: ignore[no-untyped-def]
        self._state = yield from step(self._state, event, self._semantics)

    @property
    def remembers_gone_nodes(self) -> bool:
        return not self._state.snapshot.nodes.keys() <= self._state.stores.nodes.keys()

    def knows_place_of(self, pod: Pod) -> bool:
        """Whether the pod has a node already, as far as was told."""
        return pod.uid in self._state.cache.pods

    def binding(self, pod: Pod, node: str) -> None:
        """A bind request goes out."""
        try:
            self._state = assume(self._state, _on(pod, node), self._semantics)
        except (CacheError, Crash):
            return

    def bound(self, pod: Pod, node: str, accepted: bool) -> None:
        """It was answered."""
        cache = finish_binding(self._state.cache, _on(pod, node), self._state.now)
        if not accepted:
            try:
                cache = forget_pod(cache, _on(pod, node), self._semantics.quirks)
            except (CacheError, Crash):
                return
        self._state = evolve(self._state, cache=cache)

    def nominated(self, pod: Pod, node: str) -> None:
        self._state = evolve(self._state, queue=q.nominate(self._state.queue, pod, node))


def _on(pod: Pod, node: str) -> Pod:
    return amended(pod, {"spec": {"nodeName": node}})
