"""The whole loop: a node that holds one pod, three pods of two priorities, and an API server with all its delays."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from model.api.components import Engine
from model.api.objects import KubernetesObject
from model.api.protocol import Scheduler
from model.queue.component import observed
from model.scheduler import ModelScheduler
from oracle.compare.divergence import Record
from oracle.environment import Environment, Step, read_operations
from oracle.explore.queue import pod
from oracle.explore.universe import Happening
from oracle.guard import guarded_scheduler
from oracle.properties import Watch
from oracle.trace import read_trace

NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1"},
    "status": {"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "5"}},
}
ROOMY = {"status": {"allocatable": {"cpu": "2", "memory": "1Gi", "pods": "5"}}}


def waiting(name: str, priority: int) -> dict[str, Any]:
    containers = [{"name": "c", "image": "app:1", "resources": {"requests": {"cpu": "1"}}}]
    document = pod(name, "0", priority, schedulerName="default-scheduler", containers=containers)
    del document["metadata"]["resourceVersion"]
    return document


def created(document: dict[str, Any]) -> Happening:
    return {"op": "create", "kind": "Pod", "object": document}


CASE: Mapping[str, Any] = {"kind": "e2e", "cluster": {"nodes": [NODE]}, "config": {"gracefulVictims": True}}
TRACE = read_trace(CASE)


class LoopSide:
    """In a world of its own."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.environment = Environment(scheduler, TRACE.settings)
        self._watch = Watch(TRACE)
        self.violation: str | None = None
        self._look(self.environment.start(TRACE.cluster))

    def perform(self, happening: Happening) -> None:
        self._let(happening)

    def record(self, happening: Happening) -> Record:
        return self._let(happening).document()

    def _let(self, happening: Happening) -> Step:
        step = self.environment.step(OPERATIONS[str(happening)])
        self._look(step)
        return step

    def _look(self, step: Step) -> None:
        violation = self._watch.look(self.environment.store, step)
        if violation is not None and self.violation is None:
            self.violation = violation.sentence


class LoopUniverse:
    name = "loop"
    usual_depth = 4
    happenings: tuple[Happening, ...] = (
        created(waiting("p", 0)),
        created(waiting("q", 10)),
        created(waiting("r", 0)),
        {"op": "scheduleOne"},
        {"op": "scheduleOne", "holdBind": True},
        {"op": "releaseBind"},
        {"op": "advance", "ms": 1000},
        {"op": "advance", "ms": 31000},
        {"op": "advance", "ms": 61000},
        {"op": "delete", "kind": "Pod", "key": "default/p"},
        {"op": "delete", "kind": "Pod", "key": "default/q", "graceful": True},
        {"op": "reapTerminating"},
        {"op": "patch", "kind": "Node", "key": "n1", "patch": ROOMY},
        {"op": "delete", "kind": "Node", "key": "n1"},
        {"op": "holdWatch", "kind": "Pod"},
        {"op": "releaseWatch", "kind": "Pod"},
        {"op": "restartScheduler"},
    )

    def side(self, engine: Engine) -> LoopSide:
        scheduler = engine.scheduler(TRACE.configuration)
        return LoopSide(
            scheduler if isinstance(scheduler, ModelScheduler) else guarded_scheduler(engine, TRACE.configuration)
        )

    def can(self, happening: Happening, record: Record) -> bool:
        return True

    def key(self, side: LoopSide, record: Record) -> Hashable:
        """What the reference remembers, what the API server holds, and what is under way."""
        assert isinstance(side.scheduler, ModelScheduler)
        state, now, store = side.scheduler.state, side.environment.clock, side.environment.store
        queue = observed(state.queue)
        lines = [(e.pod.key, e.timestamp.ms - now) for name in _QUEUES for e in getattr(queue, name)]
        backoffs = [(key, entry.attempts, entry.last_update.ms - now) for key, entry in queue.pod_backoff.items()]
        deadlines = [
            (uid, held.deadline.ms - now if held.deadline else None, str(held.pod.document.get("spec")))
            for uid, held in state.cache.pods.items()
        ]
        there = [(thing.key, str(_timeless(thing.document))) for kind in ("Node", "Pod") for thing in store.all(kind)]
        shown = {name: value for name, value in record.items() if name not in _TOLD}
        wakes = [wake - now for wake in sorted(side.environment.requests.wakes) if wake > now]
        late = [(bind.pod.key, bind.node) for bind in side.environment.requests.orphaned]
        watches = side.environment.watches
        changes = [(str(_document(change.before)), str(_document(change.after))) for change in watches.under_way]
        under_way = wakes, now % 1000, sorted(watches.held), changes, late
        distance = max(queue.move_request_cycle - queue.scheduling_cycle, -2)
        return str((lines, backoffs, deadlines, there, sorted(shown.items()), under_way, distance, state.decided))

    def broken(self, side: LoopSide, record: Record) -> str | None:
        return side.violation

    def case(self, path: Sequence[Happening]) -> dict[str, Any]:
        return {**CASE, "events": [dict(happening) for happening in path]}


def _document(thing: KubernetesObject | None) -> Any:
    return None if thing is None else _timeless(thing.document)


def _timeless(document: Any) -> Any:
    """Without the marks of when it was written."""
    if isinstance(document, Mapping):
        return {key: _timeless(value) for key, value in document.items() if key not in _STAMPS}
    return [_timeless(item) for item in document] if isinstance(document, list | tuple) else document


_QUEUES = ("active", "backoff", "unschedulable")
_TOLD = frozenset({"clock", "effects", "popped", "empty", "error", "released", "schedulingCycle", "moveRequestCycle"})
_STAMPS = frozenset({"resourceVersion", "lastTransitionTime", "deletionTimestamp"})
OPERATIONS = {str(happening): read_operations([dict(happening)])[0] for happening in LoopUniverse.happenings}
