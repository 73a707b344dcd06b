"""A contestant behind the common protocol: for schedulers that offer no shorter way in."""

from collections.abc import Sequence
from typing import Any

from model.api.decode import amended
from model.api.objects import KubernetesObject, Pod
from model.api.protocol import (
    Added,
    Bind,
    Call,
    Deleted,
    DeletePod,
    FinishCycle,
    GetPod,
    Scheduler,
    StartCycle,
    Updated,
    UpdatePodStatus,
)


class ThroughProtocol:
    """It assumes and preempts by itself; here its requests are read, and answered as if all went well."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._pod: Pod | None = None
        self._host: str | None = None
        self._error = ""
        self._won: str | None = None
        self._victims: list[Pod] = []

    # --- what the contest asks for ---

    def feed(self, thing: KubernetesObject) -> None:
        self._scheduler.handle(Added(thing), self)

    def schedule(self, pod: Pod) -> tuple[str | None, str | None]:
        self._pod, self._host, self._error, self._won, self._victims = pod, None, "", None, []
        for event in (Added(pod), StartCycle(), FinishCycle()):
            self._scheduler.handle(event, self)
        if self._host is not None:
            return self._host, None
        return None, self._error

    def assume(self, pod: Pod, node: str) -> None:
        """What was bound is assumed already; what was refused and won a node gets there at once."""
        if self._host is None:
            bound = amended(pod, {"spec": {"nodeName": node}})
            self._scheduler.handle(Updated(pod, bound), self)

    def preempt(self, pod: Pod) -> tuple[str | None, Sequence[Pod]]:
        return self._won, self._victims

    def remove(self, pod: Pod) -> None:
        self._scheduler.handle(Deleted(pod), self)

    # --- what the scheduler asks for ---

    def call(self, request: Call[Any]) -> Any:
        match request:
            case Bind(_, node):
                self._host = node
            case GetPod():
                return self._pod
            case UpdatePodStatus(pod):
                self._error = next((c.message for c in pod.status.conditions if c.status == "False"), self._error)
                self._won = pod.status.nominated_node_name or self._won
                return pod
            case DeletePod(pod):
                self._victims.append(pod)
        return None
