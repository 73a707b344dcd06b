"""Playing a trace to a scheduler that lives in real time: something happens, then one waits until nothing moves.

Of a trace only what happens to the cluster counts; cycles and the passing of time are up to the scheduler.
"""

from collections.abc import Callable, Iterable, Iterator
from time import monotonic, sleep

from attrs import Factory, define, field

from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.decode import ManifestError
from model.api.objects import KubernetesObject, Pod
from model.api.protocol import ApiError
from oracle.environment import Operation
from oracle.environment.operations import BindPod, Create, Delete, Patch, Update
from oracle.environment.watches import awaits
from oracle.judgement.refusal import refuses
from oracle.live.binding_volumes import binding_volumes
from oracle.live.deeds import Bound, LookedAt, StatusSet
from oracle.live.memory import Memory
from oracle.live.views import Record, fresh_sight, pending_situation
from oracle.live.world import World
from oracle.trace import Trace

QUIET = 0.3
"""Seconds without a request after which the scheduler is taken to stand still, if nothing is left for it to do."""

PATIENCE = 15.0
"""Seconds that a scheduler may take for the next thing there is to do; back-off takes up to ten."""

LONGEST = 120.0
"""Seconds after which one stops to wait whatever moves."""

NEEDED = {"pods", "nodes"}
"""What a scheduler watches before it decides anything."""

_GLANCE = 0.02


class Gone(Exception):
    """The scheduler is gone while one waited for it."""


@define
class Play:
    """One trace played in a world that is empty otherwise.

    Pods that wait for a place are created when the scheduler has seen all else, or its first decisions would
    depend on which of its informers was the fastest.

    `rests`: the revisions at which the scheduler stood still.  `alive`: whether the scheduler is still there.
    `undecided` and `left`: pods that nothing was decided about, and pods that fit and were not tried again.
    """

    world: World
    trace: Trace
    configuration: Configuration
    alive: Callable[[], bool]
    patience: float = PATIENCE
    rests: list[int] = field(factory=list)
    undecided: set[str] = field(factory=set)
    left: set[str] = field(factory=set)
    _first_deed: int = 0
    _given_up: set[str] = field(factory=set)
    """Pods that were waited for in vain."""
    _doubts: dict[str, tuple[int, bool]] = field(factory=dict)
    _memory: Memory = field(
        init=False, default=Factory(lambda self: Memory(self.world.history, self.configuration), takes_self=True)
    )

    def begin(self) -> None:
        """Let the cluster be there.  Raises ManifestError."""
        self._first_deed = len(self.world.deeds)
        self.rests = [self.world.revision]
        self.world.graceful = self.trace.settings.graceful_victims
        self._create(thing for thing in self.trace.cluster if not _is_pending(thing))

    def _create(self, things: Iterable[KubernetesObject]) -> None:
        for thing in things:
            if isinstance(error := self.world.create(thing), ApiError):
                raise ManifestError(f"cluster: {error.message}")

    @property
    def is_watched(self) -> bool:
        """Whether a scheduler is there that can decide."""
        return self.world.watched >= NEEDED

    @property
    def has_been_deadly(self) -> bool:
        """Whether v1.15.3 would have ended at something that happened, whatever it had decided."""
        return self._memory.at(self.world.revision).lost

    def pending(self, key: str) -> Situation | None:
        """A pod that waits now, and the rest of the cluster; None where it is not there, or has its place."""
        return pending_situation(self.world.history, self.world.revision, key, self.configuration)

    def steps(self) -> Iterator[None]:
        """Everything that happens; stops whenever the scheduler stands still.  Raises ManifestError and Gone."""
        self.settle()
        self._create(filter(_is_pending, self.trace.cluster.pods))
        self.settle()
        yield
        for operation in self.trace.events:
            if not self._happens(operation):
                self.settle()
                yield
        self.settle()
        yield

    def record(self, judged: int = 0) -> Record:
        """What there is to judge; `judged`: so many deeds were judged before."""
        with self.world.lock:
            deeds = tuple(self.world.deeds[self._first_deed :])
        return Record(self.world.history, deeds, tuple(self.rests), self.configuration, judged, self._memory)

    # --- what happens ---

    def _happens(self, operation: Operation) -> bool:
        """False for what only a simulated scheduler can be told.  What fails, as on a missing object, is nothing."""
        match operation:
            case Create(thing):
                self.world.create(thing)
            case Update(thing):
                with self.world.writing() as server:
                    server.replace(thing)
            case Patch(kind, key, patch):
                with self.world.writing() as server:
                    server.patch(kind, key, patch)
            case Delete("Pod", key, graceful):
                self.world.delete_pod(key, graceful)
            case Delete(kind, key):
                with self.world.writing() as server:
                    server.delete(kind, key)
            case BindPod(key, node):
                with self.world.writing() as server:
                    server.bind(key, node)
            case _:
                return False
        return True

    # --- waiting ---

    def await_news(self) -> None:
        """Until something happens."""
        deeds, revision = len(self.world.deeds), self.world.revision
        while (deeds, revision) == (len(self.world.deeds), self.world.revision):
            sleep(_GLANCE)

    def settle(self) -> None:
        """Until nothing moves and nothing is left to do, or the scheduler has had its time.  Raises Gone."""
        started = monotonic()
        while monotonic() - started < LONGEST and not self.world.flooded:
            sleep(_GLANCE)
            self.world.reap()
            if not self.alive():
                raise Gone
            if self.world.idle < QUIET or self.world.is_lingering:
                continue
            waiting = [pod for pod in self.world.pods() if self._is_waiting(pod)]
            self.undecided, self.left = self._to_do(waiting)
            under_way = binding_volumes(waiting, self.world.deeds[self._first_deed :])
            waited_for = (self.undecided | self.left | under_way) - self._given_up
            if self.world.idle > self.patience:
                self._given_up |= waited_for
            if not waited_for or self.world.idle > self.patience:
                break
        if self.rests[-1] != self.world.revision:
            self.rests.append(self.world.revision)

    def _to_do(self, waiting: Iterable[Pod]) -> tuple[set[str], set[str]]:
        """The pods that nothing was decided about, and those that would fit now."""
        undecided = {pod.key for pod in waiting if not self._decided(pod)}
        return undecided, {pod.key for pod in waiting if pod.key not in undecided and self._would_fit(pod)}

    def _is_waiting(self, pod: Pod) -> bool:
        return awaits(pod, self.configuration.scheduler_name)

    def _decided(self, pod: Pod) -> bool:
        """Whether the scheduler has done anything about this very pod."""
        created = self._created(pod)
        deeds = self.world.deeds[self._first_deed :]
        about = (deed for deed in deeds if deed.pod == pod.key and deed.at >= created)
        return any(isinstance(deed, Bound | StatusSet | LookedAt) for deed in about)

    def _created(self, pod: Pod) -> int:
        """The revision at which it came to be."""
        return self.world.history.created("Pod", pod.key)

    def _would_fit(self, pod: Pod) -> bool:
        revision, fits = self._doubts.get(pod.key, (-1, False))
        if revision != self.world.revision:
            situation = self.pending(pod.key)
            fits = situation is not None and not refuses(fresh_sight(situation)) and not self._is_remembered_full(pod)
            self._doubts[pod.key] = (self.world.revision, fits)
        return fits

    def _is_remembered_full(self, pod: Pod) -> bool:
        """Whether it is refused by who has seen what was there before.  [C-043]"""
        shadow = self._memory.at(self.world.revision)
        return not shadow.lost and refuses(shadow.view().sight(pod))


def _is_pending(thing: KubernetesObject) -> bool:
    return isinstance(thing, Pod) and not thing.spec.node_name
