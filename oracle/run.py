"""Scheduling a standing cluster to its end: every pending pod is tried until nothing moves any more.

run = Run(cluster, engine.scheduler(configuration), configuration)
for _ in run.cycles():
    ...
print(run.outcome())
"""

from collections.abc import Iterator
from typing import Protocol

from attrs import frozen

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.objects import Node, Pod
from model.api.protocol import Scheduler
from oracle.environment import Environment, Settings, Step
from oracle.environment.operations import Advance, PvControllerSync, ScheduleOne
from oracle.environment.watches import FINISHED
from oracle.impossible import Impossible, impossible
from oracle.utilisation import Usage, utilisation

SECOND = 1000
LONGEST_BACKOFF = 12
"""Seconds after which every pod in back-off has been tried again: 10 of back-off, and the flush each second."""
LONGEST_WAIT = 95
"""Seconds after which every unschedulable pod has been tried again: over 60 in the queue, and the flush each 30."""


@frozen
class Placement:
    pod: str
    node: str


@frozen
class Preempted:
    """`by`: the pod that was to get the room."""

    pod: str
    node: str
    by: str


@frozen
class Pending:
    """`message`: of the last failed attempt, exactly as the scheduler recorded it, or why there was none."""

    pod: str
    message: str
    nominated_node: str = ""


@frozen
class Outcome:
    """`seconds`: simulated, until the last binding or eviction; `crash`: the last words of a scheduler that died.

    `impossible`: what was bound to a node that is not there, or that has too little of what it asks for.
    """

    placements: tuple[Placement, ...]
    preempted: tuple[Preempted, ...]
    pending: tuple[Pending, ...]
    before: tuple[Usage, ...]
    after: tuple[Usage, ...]
    nodes: int
    nodes_in_use: int
    seconds: int
    crash: str | None
    impossible: tuple[Impossible, ...] = ()


class Onlooker(Protocol):
    """Sees the world before a scheduling cycle, and what came of it; not while a pod's place is not yet known there."""

    def before(self, environment: Environment) -> None: ...

    def after(self, step: Step) -> None: ...


class Run:
    """One scheduler let loose on one cluster.  The outcome can be had at any time, also of half a run."""

    def __init__(
        self,
        cluster: Cluster,
        scheduler: Scheduler,
        configuration: Configuration,
        onlooker: Onlooker | None = None,
    ) -> None:
        self._cluster = cluster
        self._configuration = configuration
        self._onlooker = onlooker
        self._scheduler_name = configuration.scheduler_name
        self._bind_timeout = configuration.bind_timeout_seconds
        self._environment = Environment(scheduler, Settings(kubelet=True))
        self._placements: list[Placement] = []
        self._preempted: list[Preempted] = []
        self._node_of = {pod.key: pod.spec.node_name for pod in cluster.pods if pod.spec.node_name}
        self._messages: dict[str, str] = {}
        self._waiting: dict[str, int] = {}
        """Pods whose last attempt did not bind them, and when it was (counted in attempts)."""
        self._binding: set[str] = set()
        """Pods with a place that still wait for their volumes."""
        self._attempts = 0
        self._helped_at = 0
        """The attempt that last made room or brought a volume."""
        self._moved_at = 0
        """The second in which something was last bound, evicted or provisioned."""
        self._crash: str | None = None

    @property
    def to_do(self) -> int:
        """How many pods are the scheduler's to place."""
        return sum(_is_pending(pod) and pod.spec.scheduler_name == self._scheduler_name for pod in self._cluster.pods)

    def cycles(self) -> Iterator[Step]:
        """Run to the end, a scheduling cycle at a time.  Raises ManifestError for what no API server would hold."""
        self._note(self._environment.start(self._cluster, observe=False))
        idle = 0
        while self._crash is None and idle <= self._patience():
            tried = False
            for step in self._drain():
                tried = True
                yield step
            idle = 0 if tried else idle + 1
            if self._crash is None:
                self._pass_a_second()

    def _drain(self) -> Iterator[Step]:
        while self._crash is None:
            onlooker = None if self._binding else self._onlooker
            if onlooker is not None:
                onlooker.before(self._environment)
            step = self._environment.step(ScheduleOne(), observe=False)
            if not step.popped:
                self._note(step)
                return
            if onlooker is not None:
                onlooker.after(step)
            self._attempts += 1
            self._binding.add(step.popped[0])
            self._note(step)
            yield step

    def _pass_a_second(self) -> None:
        if self._cluster.persistent_volume_claims:
            self._note(self._environment.step(PvControllerSync(), observe=False))
        if self._crash is None:
            self._note(self._environment.step(Advance(SECOND), observe=False))

    def _patience(self) -> int:
        """How many seconds without an attempt to wait until nothing can come any more; -1 when it is over."""
        longest = self._bind_timeout + LONGEST_WAIT
        if self._environment.clock // SECOND - self._moved_at > longest:
            return -1
        if self._binding:
            return longest
        hopeful = any(attempt <= self._helped_at for attempt in self._waiting.values())
        return LONGEST_WAIT if hopeful else LONGEST_BACKOFF if self._waiting else 0

    # --- what comes of it ---

    def _note(self, step: Step) -> None:
        by = step.popped[0] if step.popped else ""
        for effect in step.effects:
            [(name, said)] = effect.items()
            match name:
                case "bind":
                    self._note_bound(said["pod"], said["node"])
                case "deleteVictim":
                    self._preempted.append(Preempted(said, self._node_of.pop(said, ""), by))
                    self._waiting.pop(said, None)
                    self._note_help()
                case "clearNomination" | "pvUpdate" | "pvcUpdate":
                    self._note_help()
                case "event" if said["reason"] == "FailedScheduling":
                    self._messages[said["pod"]] = said["message"]
                    self._waiting[said["pod"]] = self._attempts
                    self._binding.discard(said["pod"])
        self._crash = step.crash

    def _note_bound(self, pod: str, node: str) -> None:
        self._placements.append(Placement(pod, node))
        self._node_of[pod] = node
        self._waiting.pop(pod, None)
        self._binding.discard(pod)
        self._moved_at = self._environment.clock // SECOND

    def _note_help(self) -> None:
        self._helped_at = self._attempts
        self._moved_at = self._environment.clock // SECOND

    def outcome(self) -> Outcome:
        pods = [pod for pod in self._environment.store.all("Pod") if isinstance(pod, Pod)]
        nodes = [node for node in self._environment.store.all("Node") if isinstance(node, Node)]
        running = [pod for pod in pods if pod.status.phase not in FINISHED]
        return Outcome(
            placements=tuple(self._placements),
            preempted=tuple(self._preempted),
            pending=tuple(self._left(pod) for pod in pods if _is_pending(pod)),
            before=utilisation(self._cluster.nodes, (p for p in self._cluster.pods if p.status.phase not in FINISHED)),
            after=utilisation(nodes, running),
            nodes=len(nodes),
            nodes_in_use=len({node.name for node in nodes} & {pod.spec.node_name for pod in running}),
            seconds=self._moved_at,
            crash=self._crash,
            impossible=tuple(
                impossible({p.pod: p.node for p in self._placements}, nodes, running, self._configuration)
            ),
        )

    def _left(self, pod: Pod) -> Pending:
        if pod.spec.scheduler_name != self._scheduler_name:
            message = f"waits for the scheduler {pod.spec.scheduler_name!r}"
        else:
            message = self._messages.get(pod.key, "not tried")
        return Pending(pod.key, message, pod.status.nominated_node_name)


def _is_pending(pod: Pod) -> bool:
    return not pod.spec.node_name and pod.status.phase not in FINISHED
