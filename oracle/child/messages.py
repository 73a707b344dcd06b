"""What goes over the line: events and outcomes to a child, effects from it.  See oracle/PROTOCOL.md."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from model.api.decode import ManifestError, amended, decode, encode, structure
from model.api.objects import KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.protocol import (
    PENDING,
    Added,
    ApiError,
    Bind,
    BindAnswered,
    Call,
    Deleted,
    DeletePod,
    Event,
    FinishCycle,
    GetPod,
    Observation,
    RecordEvent,
    StartCycle,
    Tick,
    UpdateClaim,
    Updated,
    UpdatePodStatus,
    UpdateVolume,
    WakeAt,
)
from model.loop.conditions import NotScheduled, with_condition

Document = Mapping[str, Any]
Find = Callable[[str], Pod]
"""The pod that an effect names; raises ManifestError for one that was never told of."""


# --- to the child ---------------------------------------------------------------------------------


def write_event(event: Event) -> dict[str, Any]:
    match event:
        case Added(thing):
            return {"op": "added", "object": encode(thing)}
        case Updated(_, thing):
            return {"op": "updated", "object": encode(thing)}
        case Deleted(thing):
            return {"op": "deleted", "object": encode(thing)}
        case Tick(ms):
            return {"op": "tick", "ms": ms}
        case StartCycle():
            return {"op": "startCycle"}
        case FinishCycle():
            return {"op": "finishCycle"}
        case BindAnswered(ticket, error):
            return {"op": "bindAnswered", "ticket": ticket, **_error(error)}


def write_outcome(call: Call[Any] | None, answer: Any) -> dict[str, Any]:
    """`call` is None where there was nothing to ask for."""
    if isinstance(answer, ApiError):
        return _error(answer)
    if answer is PENDING and isinstance(call, Bind):
        return {"pending": call.ticket}
    return {"object": encode(answer)} if isinstance(answer, KubernetesObject) else {}


def _error(error: ApiError | None) -> dict[str, Any]:
    return {} if error is None else {"error": {"reason": error.reason, "message": error.message}}


# --- from the child -------------------------------------------------------------------------------


@frozen
class _OnNode:
    pod: str
    node: str


@frozen
class _OfPod:
    pod: str


@frozen
class _Condition:
    pod: str
    status: str
    reason: str = ""
    message: str = ""


@frozen
class _Event:
    pod: str
    type: str = "Normal"
    reason: str = ""
    message: str = ""


@frozen
class Amendment:
    """A change of a pod's status, to be made to the pod as the API server has it."""

    pod: Pod
    change: Callable[[Pod], Pod | None]
    """None where there is nothing to change."""


Wish = Call[Any] | Amendment


def read_effect(document: Any, find: Find, now: int, ticket: int) -> Wish:
    """What an effect asks for.  Raises ManifestError naming the field."""
    if not isinstance(document, dict) or len(document) != 1:
        raise ManifestError(f"expected an object with one member, its name being one of {', '.join(_READERS)}")
    [(name, said)] = document.items()
    if name not in _READERS:
        raise ManifestError(f"unknown effect {name!r}; known are {', '.join(_READERS)}")
    try:
        return _READERS[name](said, find, now, ticket)
    except ManifestError as error:
        raise ManifestError(f"{name}: {error}") from None


def _read_bind(said: Any, find: Find, now: int, ticket: int) -> Wish:
    wanted = _structured(said, _OnNode)
    return Bind(find(wanted.pod), wanted.node, ticket)


def _read_condition(said: Any, find: Find, now: int, ticket: int) -> Wish:
    wanted = _structured(said, _Condition)
    if wanted.status != "False":
        raise ManifestError("status: a scheduler only says False; the API server says True when it binds")
    condition = NotScheduled(wanted.reason, wanted.message)
    return Amendment(find(wanted.pod), lambda pod: with_condition(pod, condition, now))


def _read_nominate(said: Any, find: Find, now: int, ticket: int) -> Wish:
    wanted = _structured(said, _OnNode)
    return Amendment(find(wanted.pod), lambda pod: _nominated(pod, wanted.node))


def _read_clear(said: Any, find: Find, now: int, ticket: int) -> Wish:
    return Amendment(find(_structured(said, _OfPod).pod), lambda pod: _nominated(pod, None))


def _nominated(pod: Pod, node: str | None) -> Pod | None:
    if pod.status.nominated_node_name == (node or ""):
        return None
    return amended(pod, {"status": {"nominatedNodeName": node}})


def _read_status(said: Any, find: Find, now: int, ticket: int) -> Wish:
    return UpdatePodStatus(decode(said, Pod))


def _read_victim(said: Any, find: Find, now: int, ticket: int) -> Wish:
    return DeletePod(find(_text(said)))


def _read_event(said: Any, find: Find, now: int, ticket: int) -> Wish:
    wanted = _structured(said, _Event)
    return RecordEvent(find(wanted.pod), wanted.type, wanted.reason, wanted.message)


def _read_wake(said: Any, find: Find, now: int, ticket: int) -> Wish:
    if type(said) is not int or said <= now:
        raise ManifestError(f"expected a time after {now} ms, got {said!r:.40}")
    return WakeAt(said)


def _read_get(said: Any, find: Find, now: int, ticket: int) -> Wish:
    namespace, _, name = _text(said).rpartition("/")
    return GetPod(namespace, name)


def _read_volume(said: Any, find: Find, now: int, ticket: int) -> Wish:
    both = said if isinstance(said, dict) else {}
    return UpdateVolume(
        decode(both.get("volume"), PersistentVolume),  # type: ignore[arg-type]
        decode(both.get("claim"), PersistentVolumeClaim),  # type: ignore[arg-type]
    )


def _read_claim(said: Any, find: Find, now: int, ticket: int) -> Wish:
    return UpdateClaim(decode(said, PersistentVolumeClaim))


_READERS: Mapping[str, Callable[[Any, Find, int, int], Wish]] = {
    "bind": _read_bind,
    "condition": _read_condition,
    "nominate": _read_nominate,
    "clearNomination": _read_clear,
    "deleteVictim": _read_victim,
    "event": _read_event,
    "wakeAt": _read_wake,
    "getPod": _read_get,
    "updateStatus": _read_status,
    "updateVolume": _read_volume,
    "updateClaim": _read_claim,
}


def _structured(said: Any, kind: type[Any]) -> Any:
    if not isinstance(said, dict):
        raise ManifestError("expected an object")
    return structure(said, kind)


def _text(said: Any) -> str:
    if not isinstance(said, str):
        raise ManifestError("expected a string")
    return said


def read_observation(document: Any) -> Observation:
    """Raises ManifestError naming the field."""
    if not isinstance(document, dict):
        raise ManifestError("observation: expected an object")
    try:
        return structure(document, Observation)
    except ManifestError as error:
        raise ManifestError(f"observation.{error}") from None
