"""The parts of a scheduler that can be judged alone: queue, cache, one scheduling attempt.

An implementation offers an `Engine`; recorded cases of one part are replayed against that part.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import Factory, frozen

from model.api.clock import Instant
from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.objects import Node, Pod
from model.api.protocol import Scheduler
from model.api.resources import NonZeroRequest, Resources


@frozen
class Operation:
    """One operation on a queue or a cache; `name` as in kube-scheduler's interface, the rest its arguments.

    `cycle`: the pod scheduling cycle handed to AddUnschedulableIfNotPresent.  `now`: the clock at this
    operation.  Queue operations: Add, AddIfNotPresent, AddUnschedulableIfNotPresent, Pop, Update, Delete,
    AssignedPodAdded, AssignedPodUpdated, UpdateNominatedPodForNode, DeleteNominatedPodIfExists,
    NominatedPodsForNode, PendingPods, MoveAllToActiveQueue, Close, FlushBackoffQCompleted,
    FlushUnschedulableQLeftover.  Cache operations: AssumePod, FinishBinding, ForgetPod, AddPod, UpdatePod,
    RemovePod, IsAssumedPod, GetPod, AddNode, UpdateNode, RemoveNode, CleanupExpired,
    UpdateNodeInfoSnapshot, NodeTreeNext, List, FilteredList.
    """

    name: str
    now: Instant
    pod: Pod | None = None
    old: Pod | None = None
    new: Pod | None = None
    node: Node | None = None
    old_node: Node | None = None
    new_node: Node | None = None
    node_name: str = ""
    cycle: int = 0
    snapshot: str = ""
    selector: Mapping[str, Any] | None = None


@frozen
class Outcome:
    """`error`: the exact text, or None.  `result`: pods, names, a bool, or None where nothing is returned."""

    error: str | None = None
    result: Any = None


@frozen
class WaitingPod:
    pod: Pod
    timestamp: Instant
    backoff_until: Instant | None


@frozen
class BackoffEntry:
    attempts: int
    last_update: Instant


@frozen
class QueueState:
    """`active` in pop order; `backoff` and `unschedulable` sorted by `namespace/name`; `pod_backoff` by it."""

    active: tuple[WaitingPod, ...] = ()
    backoff: tuple[WaitingPod, ...] = ()
    unschedulable: tuple[WaitingPod, ...] = ()
    pod_backoff: Mapping[str, BackoffEntry] = Factory(dict)
    nominated: Mapping[str, tuple[Pod, ...]] = Factory(dict)
    scheduling_cycle: int = 0
    move_request_cycle: int = -1


@frozen
class ImageState:
    """`size` in bytes; `num_nodes` as counted when the node was last added or updated.  [C-051]"""

    size: int
    num_nodes: int


@frozen
class NodeAggregate:
    """What the cache keeps for one node.  [O-090]"""

    node: Node | None
    pods: tuple[Pod, ...]
    pods_with_affinity: tuple[Pod, ...]
    requested: Resources
    allocatable: Resources
    nonzero: NonZeroRequest
    used_ports: tuple[str, ...]
    """`ip/PROTOCOL/port`, sorted."""
    taints: tuple[Mapping[str, str], ...]
    image_states: Mapping[str, ImageState]
    conditions: Mapping[str, str]
    """memoryPressure, diskPressure, pidPressure."""


@frozen
class CachedPod:
    pod: Pod
    binding_finished: bool
    deadline: Instant | None


@frozen
class ZoneState:
    zone: str
    nodes: tuple[str, ...]
    last_index: int


@frozen
class CacheState:
    """`recent`: node names, most recently changed first."""

    nodes: Mapping[str, NodeAggregate] = Factory(dict)
    recent: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    pods: Mapping[str, CachedPod] = Factory(dict)
    images: Mapping[str, tuple[int, tuple[str, ...]]] = Factory(dict)
    """Image name -> (size, sorted node names)."""
    zones: tuple[ZoneState, ...] = ()
    zone_index: int = 0
    num_nodes: int = 0
    tree_order: tuple[str, ...] = ()
    """What `num_nodes` calls of the node tree's Next would give from here."""


@frozen
class SnapshotState:
    """`recloned`: names whose entry the last update made anew."""

    recloned: tuple[str, ...] = ()
    nodes: Mapping[str, NodeAggregate] = Factory(dict)


class QueueComponent(Protocol):
    def apply(self, operation: Operation) -> Outcome:
        """Perform it.  Raises Crash."""
        ...

    def state(self) -> QueueState: ...


class CacheComponent(Protocol):
    def apply(self, operation: Operation) -> Outcome:
        """Perform it.  Raises Crash.  UpdateNodeInfoSnapshot gives a SnapshotState."""
        ...

    def state(self) -> CacheState: ...


@frozen
class Situation:
    """One pod to decide about in a standing cluster, with what earlier cycles left behind."""

    cluster: Cluster
    pod: Pod
    configuration: Configuration = Factory(Configuration)
    last_node_index: int = 0
    node_tree_skip: int = 0
    resync_nodes: bool = False
    extenders: Mapping[str, Any] = Factory(dict)


@frozen
class Verdict:
    """Of one predicate, or of all configured ones, on one node; fits without reasons and error."""

    reasons: tuple[str, ...] = ()
    error: str | None = None
    failures: tuple[Mapping[str, Any], ...] = ()
    """Per reason `{reason, error}` or `{reason, resource, requested, used, capacity}`.  [P-100]"""

    @property
    def fits(self) -> bool:
        return not self.reasons and self.error is None


@frozen
class Decision:
    """All that one run of Schedule shows; None where it was not reached."""

    host: str | None = None
    error: str | None = None
    error_type: str | None = None
    """FitError, NoNodesAvailable, Other, or None."""
    crash: str | None = None
    feasible: tuple[str, ...] | None = None
    evaluated_nodes: int | None = None
    predicates: Mapping[str, Mapping[str, Verdict]] = Factory(dict)
    """node -> predicate -> verdict, each predicate tried alone."""
    fits: Mapping[str, Verdict] = Factory(dict)
    priorities: Mapping[str, Mapping[str, int] | str] = Factory(dict)
    """priority -> node -> score after the reduce step; a text is a crash."""
    totals: Mapping[str, int] = Factory(dict)
    last_node_index: int = 0
    next_node: str = ""


@frozen
class Victims:
    pods: tuple[str, ...]
    pdb_violations: int


@frozen
class PreemptionDecision:
    """All that Schedule followed by Preempt shows."""

    scheduled: bool = False
    schedule_error: str | None = None
    error_type: str | None = None
    eligible: bool | None = None
    candidates: tuple[str, ...] = ()
    per_node: Mapping[str, Victims] = Factory(dict)
    node_ties: tuple[str, ...] = ()
    node: str | None = None
    victims: tuple[str, ...] = ()
    to_clear: tuple[str, ...] = ()
    to_clear_by_tie: Mapping[str, tuple[str, ...]] = Factory(dict)
    crash: str | None = None


class Engine(Protocol):
    """What an implementation offers for judgement.  Only `scheduler` is required of other people's.

    One with the attribute `canonical = True` resolves what kube-scheduler leaves to chance as the reference does:
    the plain binary heap of Q-013, and unordered pods in ascending order of their keys.  It is compared exactly.
    """

    name: str

    def scheduler(self, configuration: Configuration) -> Scheduler: ...

    def queue(self) -> QueueComponent: ...

    def cache(self, ttl_ms: int) -> CacheComponent: ...

    def decide(self, situation: Situation) -> Decision: ...

    def preempt(self, situation: Situation) -> PreemptionDecision: ...

    def predicate(self, name: str, situation: Situation, node: str, arguments: Mapping[str, Any]) -> Verdict: ...

    def priority(self, name: str, situation: Situation, arguments: Mapping[str, Any]) -> Mapping[str, int]:
        """Final scores, weight 1.  `Prioritize` takes `arguments["priorities"]` and gives the weighted sum."""
        ...
