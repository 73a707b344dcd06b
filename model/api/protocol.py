"""One protocol for every scheduler: events in, calls to the API server out.

A scheduler is told what happened (`Event`), and may call the API server while it handles an event
(`Call`, answered by the environment).  The calls, in their order and with their answers, are the
scheduler's effects.  Time, informer deliveries and late answers all arrive as events; a scheduler has
no clock, no threads and no other source of input.
"""

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from attrs import Factory, frozen

from model.api.objects import KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod

Answer = TypeVar("Answer", covariant=True)


class Crash(Exception):
    """The scheduler process would have ended here; the message is its last words.  [O-003]"""


NIL_DEREFERENCE = "runtime error: invalid memory address or nil pointer dereference"
"""Of a crash, where Go finds nothing behind a pointer."""


# --- events ---------------------------------------------------------------------------------------


@frozen
class Added:
    """An informer delivers a new object."""

    object: KubernetesObject


@frozen
class Updated:
    """An informer delivers a changed object."""

    old: KubernetesObject
    new: KubernetesObject


@frozen
class Deleted:
    """An informer delivers that an object is gone, with its last known content."""

    object: KubernetesObject


@frozen
class Tick:
    """It is now `ms` milliseconds after the start.

    The environment ticks at every whole second, at every instant asked for by `WakeAt`, and before anything
    else happens at a new instant; in order.
    At a whole second the periodic jobs of the queue and the cache are due; then, whatever the
    instant, the polls of waiting volume bindings.
    """

    ms: int


@frozen
class StartCycle:
    """Take the next pod from the active queue, if there is one, and decide about it.

    Between this and `FinishCycle` other events may arrive: the cluster changes while the algorithm runs.
    """


@frozen
class FinishCycle:
    """Act on the decision of the last `StartCycle`: assume and bind, or record the failure and preempt."""


@frozen
class BindAnswered:
    """The answer to a `Bind` that was answered PENDING."""

    ticket: int
    error: "ApiError | None"


Event = Added | Updated | Deleted | Tick | StartCycle | FinishCycle | BindAnswered


# --- calls ----------------------------------------------------------------------------------------


@frozen
class ApiError:
    """A refusal by the API server: NotFound, Conflict, Terminating, AlreadyAssigned, Internal, ..."""

    reason: str
    message: str


@frozen
class Pending:
    """The request is on its way; the answer will come as an event."""


PENDING = Pending()


class Call(Generic[Answer]):
    """A request to the world outside; the type argument is what it is answered with."""

    __slots__ = ()


@frozen
class TookPod(Call[None]):
    """Not a request: tells which pod was taken from the active queue."""

    pod: Pod


@frozen
class WakeAt(Call[None]):
    """Ask for a `Tick` at this instant (ms since the start)."""

    ms: int


@frozen
class RecordEvent(Call[None]):
    """An event handed to the recorder, before any aggregation.  [L-130]"""

    pod: Pod
    type: str
    reason: str
    message: str


@frozen
class GetPod(Call["Pod | ApiError"]):
    """Read a pod from the API server (not from the informer)."""

    namespace: str
    name: str


@frozen
class UpdatePodStatus(Call["Pod | ApiError"]):
    """PUT .../status with the whole pod; answered with the stored pod."""

    pod: Pod


@frozen
class Bind(Call["ApiError | Pending | None"]):
    """POST .../binding; `ticket` names the request in a later `BindAnswered`."""

    pod: Pod
    node: str
    ticket: int


@frozen
class DeletePod(Call["ApiError | None"]):
    """DELETE a victim."""

    pod: Pod


@frozen
class UpdateVolume(Call["PersistentVolume | ApiError"]):
    volume: PersistentVolume
    claim: PersistentVolumeClaim


@frozen
class UpdateClaim(Call["PersistentVolumeClaim | ApiError"]):
    claim: PersistentVolumeClaim


@frozen
class AskExtender(Call["Mapping[str, Any] | list[Any] | ApiError"]):
    """POST `body` to verb `verb` of the extender with this URL prefix; answered with the decoded JSON.  [L-208]"""

    url_prefix: str
    verb: str
    body: Mapping[str, Any]


class Api(Protocol):
    """The world outside, as a scheduler sees it."""

    def call(self, request: Call[Answer]) -> Answer: ...


# --- observation ----------------------------------------------------------------------------------


@frozen
class Observation:
    """The inside of a scheduler, as far as it shows it; keys are `namespace/name`.

    `active` in pop order, `backoff` by end of back-off, then by key, `unschedulable` sorted; `nominated` by node in
    list order; `assumed` sorted; `cache_nodes` by node in the cache's own order; `ghost_nodes`: cache
    entries that hold pods but have no node object; `pending_binds`: `key held` or `key volumes`, oldest first.
    """

    active: tuple[str, ...] = ()
    backoff: tuple[str, ...] = ()
    unschedulable: tuple[str, ...] = ()
    nominated: Mapping[str, tuple[str, ...]] = Factory(dict)
    scheduling_cycle: int = 0
    move_request_cycle: int = -1
    assumed: tuple[str, ...] = ()
    cache_nodes: Mapping[str, tuple[str, ...]] = Factory(dict)
    ghost_nodes: Mapping[str, tuple[str, ...]] = Factory(dict)
    last_node_index: int = 0
    pending_binds: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Marks of the last step: `victimOrderTie`, `nilStartTime`, ...; informative."""


class Scheduler(Protocol):
    """What the environment drives.  `handle` raises Crash where the process would end."""

    def handle(self, event: Event, api: Api) -> None: ...

    def observe(self) -> Observation | None:
        """The inside, or None for a scheduler that does not show it."""
        ...
