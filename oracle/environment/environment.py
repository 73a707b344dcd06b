"""The world around a scheduler: plays events against it and tells what came of each.

One event at a time; after each, whatever can run has run.  The same for every scheduler.
"""

from collections.abc import Callable
from typing import Any

from model.api.cluster import Cluster
from model.api.decode import ManifestError
from model.api.objects import KINDS
from model.api.protocol import ApiError, Crash, Event, FinishCycle, Scheduler, StartCycle, Tick
from oracle.environment.kubelet import start_bound_pods
from oracle.environment.operations import (
    Advance,
    BindPod,
    Create,
    Delete,
    Drain,
    HoldWatch,
    KubeletSync,
    Operation,
    Patch,
    PvControllerSync,
    ReapTerminating,
    Redeliver,
    ReleaseBind,
    ReleaseWatch,
    Relist,
    RestartScheduler,
    ScheduleOne,
    Update,
)
from oracle.environment.process import Process
from oracle.environment.requests import ExtenderAnswers, Requests, no_extender
from oracle.environment.server import Server
from oracle.environment.settings import Settings
from oracle.environment.step import Step
from oracle.environment.store import Store
from oracle.environment.volume_controller import bind_claims
from oracle.environment.watches import Watches


class Environment:
    """An API server, a clock, a kubelet and a PV controller around one scheduler."""

    def __init__(self, scheduler: Scheduler, settings: Settings, extender: ExtenderAnswers = no_extender) -> None:
        self.watches = Watches()
        self.store = Store(self.watches)
        self.server = Server(self.store)
        self.requests = Requests(self.server, settings, extender)
        self._scheduler = scheduler
        self._settings = settings

    @property
    def clock(self) -> int:
        """Milliseconds since the start."""
        return self.server.now

    def start(self, cluster: Cluster, observe: bool = True) -> Step:
        """Create the cluster and let the scheduler see it, object by object.  Raises ManifestError for duplicates."""

        def create_all() -> dict[str, Any]:
            for thing in cluster:
                if isinstance(error := self.server.create(thing), ApiError):
                    raise ManifestError(f"cluster: {error.message}")
                self._deliver()
            return {}

        return self._step(create_all, observe)

    def step(self, operation: Operation, observe: bool = True) -> Step:
        """Let one thing happen.  Without `observe` the scheduler is not asked to show itself, which is faster."""
        return self._step(lambda: _PERFORM[type(operation)](self, operation), observe)

    def _step(self, perform: Callable[[], dict[str, Any]], observe: bool) -> Step:
        outcome: dict[str, Any] = {}
        crash = None
        try:
            outcome = perform()
            self._settle()
        except Crash as last_words:
            crash = str(last_words)
        taken = tuple(pod.key for pod in self.requests.taken)
        effects = tuple(self.requests.effects)
        self.requests.taken.clear()
        self.requests.effects.clear()
        return Step(
            clock=self.clock,
            effects=effects,
            crash=crash,
            undelivered=self.watches.undelivered,
            observation=self._scheduler.observe() if observe and crash is None else None,
            **({"popped": taken} if taken else {}) | outcome,
        )

    # --- quiescence ---

    def _tell(self, event: Event) -> None:
        self._scheduler.handle(event, self.requests)

    def _deliver(self) -> None:
        while (event := self.watches.next_event()) is not None:
            self._tell(event)

    def _settle(self) -> None:
        """Deliver what is under way, then let the kubelet act, and deliver what it did."""
        self._deliver()
        if self._settings.kubelet:
            start_bound_pods(self.server)
            self._deliver()

    # --- operations ---

    def _write(self, operation: Create | Update | Patch | Delete | BindPod) -> dict[str, Any]:
        match operation:
            case Create(thing):
                answer: Any = self.server.create(thing)
            case Update(thing):
                answer = self.server.replace(thing)
            case Patch(kind, key, patch):
                answer = self.server.patch(kind, key, patch)
            case Delete(kind, key, graceful):
                answer = self.server.delete(kind, key, graceful)
            case BindPod(key, node):
                answer = self.server.bind(key, node)
        return {"error": answer.reason} if isinstance(answer, ApiError) else {}

    def _advance(self, operation: Advance) -> dict[str, Any]:
        """Every whole second and every instant the scheduler asked for comes, in order, and the last one."""
        until = self.clock + operation.ms
        while self.clock < until:
            self.server.now = min(self._next_instant(), until)
            self.requests.wakes.discard(self.clock)
            self._tell(Tick(self.clock))
            self._settle()
        return {}

    def _next_instant(self) -> int:
        asked = [wake for wake in self.requests.wakes if wake > self.clock]
        return min([(self.clock // 1000 + 1) * 1000, *asked])

    def _schedule_one(self, operation: ScheduleOne) -> dict[str, Any]:
        self.requests.holding = operation.hold_bind
        try:
            return self._cycle(operation.during)
        finally:
            self.requests.holding = False

    def _drain(self, operation: Drain) -> dict[str, Any]:
        self.requests.holding = operation.hold_bind
        try:
            for _ in range(operation.max):
                if self._cycle(()).get("popped") == ():
                    break
                self._settle()
            return {} if self.requests.taken else {"popped": ()}
        finally:
            self.requests.holding = False

    def _cycle(self, during: tuple[Operation, ...]) -> dict[str, Any]:
        """Nothing happens meanwhile when the pod taken is on its way out: no decision is made about it.  [L-050]"""
        taken = len(self.requests.taken)
        self._tell(StartCycle())
        if len(self.requests.taken) == taken:
            return {"popped": ()}
        decides = not self.requests.taken[-1].is_terminating
        errors = [self._meanwhile(operation) for operation in during if decides]
        self._tell(FinishCycle())
        return {"during_errors": tuple(errors)} if during else {}

    def _meanwhile(self, operation: Operation) -> str:
        error: str = _PERFORM[type(operation)](self, operation).get("error", "")
        self._deliver()
        return error

    def _release_bind(self, operation: ReleaseBind) -> dict[str, Any]:
        orphaned, held = (
            [bind for bind in requests if operation.pod in ("", bind.pod.key)]
            for requests in (self.requests.orphaned, self.requests.held)
        )
        if operation.pod:
            orphaned, held = orphaned[:1], held[: not orphaned]
        for request in orphaned:
            self.requests.release_orphan(request)
        for request in held:
            self._tell(self.requests.release(request))
        return {"released": len(orphaned) + len(held)}

    def _hold_watch(self, operation: HoldWatch) -> dict[str, Any]:
        self.watches.hold(operation.kind)
        return {}

    def _release_watch(self, operation: ReleaseWatch) -> dict[str, Any]:
        self.watches.release(operation.kind)
        return {}

    def _relist(self, operation: Relist) -> dict[str, Any]:
        self.watches.relist(operation.kind, self.store.all(operation.kind))
        return {}

    def _redeliver(self, operation: Redeliver) -> dict[str, Any]:
        self.watches.redeliver(operation.kind, operation.key)
        return {}

    def _restart_scheduler(self, operation: RestartScheduler) -> dict[str, Any]:
        """The new process is told the time first, then lists everything in the order of the start."""
        if not isinstance(self._scheduler, Process):
            raise ManifestError("events: this scheduler cannot be restarted")
        self.requests.begin_anew(operation.lose_binds)
        self.watches.begin_anew(thing for kind in KINDS for thing in self.store.all(kind))
        self._scheduler.restart()
        if self.clock:
            self._tell(Tick(self.clock))
        return {}

    def _kubelet_sync(self, _: KubeletSync) -> dict[str, Any]:
        start_bound_pods(self.server)
        return {}

    def _reap_terminating(self, operation: ReapTerminating) -> dict[str, Any]:
        leaving = [pod for pod in self.store.all("Pod") if pod.metadata.deletion_timestamp is not None]
        for pod in leaving[: operation.max]:
            self.store.remove(pod)
        return {}

    def _pv_controller_sync(self, _: PvControllerSync) -> dict[str, Any]:
        bind_claims(self.server)
        return {}


_PERFORM: dict[type[Any], Callable[[Environment, Any], dict[str, Any]]] = {
    Create: Environment._write,
    Update: Environment._write,
    Patch: Environment._write,
    Delete: Environment._write,
    BindPod: Environment._write,
    Advance: Environment._advance,
    ScheduleOne: Environment._schedule_one,
    Drain: Environment._drain,
    ReleaseBind: Environment._release_bind,
    HoldWatch: Environment._hold_watch,
    ReleaseWatch: Environment._release_watch,
    Relist: Environment._relist,
    Redeliver: Environment._redeliver,
    RestartScheduler: Environment._restart_scheduler,
    KubeletSync: Environment._kubelet_sync,
    ReapTerminating: Environment._reap_terminating,
    PvControllerSync: Environment._pv_controller_sync,
}
"""One entry for each operation; what it answers are fields of the step."""
