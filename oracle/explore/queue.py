"""The scheduling queue by itself: two pods, one of them after the other, and a third that runs."""

from collections.abc import Hashable, Sequence
from typing import Any

from model.api.components import Engine, QueueComponent
from model.api.objects import Pod
from oracle.compare.divergence import Record
from oracle.conform import queue as queues
from oracle.conform.recorded import Objects
from oracle.explore.universe import Happening, from_now

AFFINITY = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "a"}}}


def pod(name: str, version: str, priority: int = 0, **spec: Any) -> dict[str, Any]:
    meta = {"name": name, "namespace": "default", "uid": f"uid-{name}", "resourceVersion": version}
    meta["labels"] = {"app": "a", "version": version}  # type: ignore[assignment]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": {"priority": priority, **spec}, "status": {}}


PODS = {
    "p-1": pod("p", "1"),
    "p-2": pod("p", "2"),
    "q-1": pod("q", "3", 10, affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [AFFINITY]}}),
    "r-1": pod("r", "4", nodeName="n1"),
}


class QueueSide:
    def __init__(self, queue: QueueComponent, pods: Objects) -> None:
        self.queue, self.now = queue, 0
        self._pods = pods

    def perform(self, happening: Happening) -> Any:
        self.now += happening.get("ms", 0)
        return queues.perform(self.queue, happening, self._pods, self.now)

    def record(self, happening: Happening) -> Record:
        outcome = self.perform(happening)
        result = queues.recorded_result(happening["op"], outcome, self._pods)
        return {"err": outcome.error, "result": result, **self.shown()}

    def shown(self) -> Record:
        return queues.recorded_state(self.queue.state(), self._pods, self.now)


class QueueUniverse:
    name = "queue"
    usual_depth = 5
    happenings: tuple[Happening, ...] = (
        {"op": "Add", "pod": "p-1"},
        {"op": "Add", "pod": "q-1"},
        {"op": "Pop"},
        {"op": "AddUnschedulableIfNotPresent", "pod": "p-1", "cycle": "current"},
        {"op": "AddUnschedulableIfNotPresent", "pod": "q-1", "cycle": "current"},
        {"op": "AddUnschedulableIfNotPresent", "pod": "p-1", "cycle": -1},
        {"op": "Update", "old": "p-1", "new": "p-2"},
        {"op": "Delete", "pod": "p-1"},
        {"op": "Delete", "pod": "q-1"},
        {"op": "AssignedPodAdded", "pod": "r-1"},
        {"op": "UpdateNominatedPodForNode", "pod": "p-1", "node": "n1"},
        {"op": "MoveAllToActiveQueue"},
        {"op": "FlushBackoffQCompleted"},
        {"op": "FlushUnschedulableQLeftover"},
        {"op": "Advance", "ms": 1000},
        {"op": "Advance", "ms": 10001},
        {"op": "Advance", "ms": 60001},
    )

    def __init__(self) -> None:
        self._pods = Objects(PODS, Pod)

    def side(self, engine: Engine) -> QueueSide:
        return QueueSide(engine.queue(), self._pods)

    def can(self, happening: Happening, record: Record) -> bool:
        """Taking from an empty queue would block."""
        return happening["op"] != "Pop" or bool(record.get("active"))

    def key(self, side: QueueSide, record: Record) -> Hashable:
        """Of the two cycles only their distance matters, up to what an operation can name."""
        distance = max(record["moveRequestCycle"] - record["schedulingCycle"], -2)
        state = {name: value for name, value in record.items() if name not in ("err", "result", *_CYCLES)}
        return distance, from_now(state, record["nowMs"])

    def broken(self, side: QueueSide, record: Record) -> str | None:
        """Always: nobody is in two queues.  Eventually: whoever waits is active, if only time passes."""
        waiting = [*record["active"], *(one["pod"] for name in ("backoff", "unschedulable") for one in record[name])]
        names = [reference.partition("-")[0] for reference in waiting]
        if len(set(names)) < len(names):
            return f"one pod waits in two queues: {', '.join(sorted(waiting))}"
        for after in _TIME_PASSES:
            side.perform(after)
        active = side.shown()["active"]
        left = sorted(set(names) - {reference.partition("-")[0] for reference in active})
        return f"{', '.join(left)} never becomes active" if left else None

    def case(self, path: Sequence[Happening]) -> dict[str, Any]:
        return {"kind": "queue", "pods": PODS, "ops": [dict(happening) for happening in path]}


_CYCLES = ("schedulingCycle", "moveRequestCycle")
_TIME_PASSES: tuple[Happening, ...] = (
    {"op": "Advance", "ms": 60_001},
    {"op": "FlushUnschedulableQLeftover"},
    {"op": "Advance", "ms": 10_000},
    {"op": "FlushBackoffQCompleted"},
)
