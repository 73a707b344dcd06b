"""What can happen to a cluster and its scheduler: the events of a trace, and their JSON form.

The names of the JSON form are in OPERATIONS; fields are spelled in camelCase there.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from attrs import fields, frozen

from model.api.decode import ManifestError, decode_any, encode, json_name, structure
from model.api.integers import INT64_MAX
from model.api.objects import KINDS, Document, KubernetesObject


@frozen
class Create:
    """Somebody creates an object."""

    object: KubernetesObject


@frozen
class Update:
    """Somebody replaces an object; see `Server.replace` for what an update leaves as it was."""

    object: KubernetesObject


@frozen
class Patch:
    """Somebody changes an object, by a merge patch (RFC 7386)."""

    kind: str
    key: str
    patch: Mapping[str, Any]


@frozen
class Delete:
    """Somebody deletes an object; `graceful` lets a running pod linger."""

    kind: str
    key: str
    graceful: bool = False


@frozen
class BindPod:
    """Another client binds a pod to a node."""

    key: str
    node: str
    kind: str = "Pod"


@frozen
class Advance:
    """Time passes, in ms."""

    ms: int


@frozen
class ScheduleOne:
    """One scheduling cycle; `during` happens between decision and deed; `hold_bind` keeps the bind request back."""

    hold_bind: bool = False
    during: tuple["Operation", ...] = ()


@frozen
class Drain:
    """Scheduling cycles until the active queue is empty, at most `max`."""

    max: int
    hold_bind: bool = False


@frozen
class ReleaseBind:
    """Bind requests that were kept back reach the API server: all, or the first of one pod."""

    pod: str = ""


@frozen
class HoldWatch:
    """Watch events of a kind are kept back from now on."""

    kind: str


@frozen
class ReleaseWatch:
    """Watch events of a kind are delivered again."""

    kind: str


@frozen
class Relist:
    """The watch of a kind breaks and its informer lists again: every object comes as an update, or as gone."""

    kind: str


@frozen
class Redeliver:
    """What an informer last told of an object comes once more; without `key` all of the kind, in the order told."""

    kind: str
    key: str = ""


@frozen
class RestartScheduler:
    """The scheduler's process ends, and a new one knows nothing and lists everything; no watch is held any more.

    Bind requests that are held reach the API server later, with nobody to hear the answer; with `lose_binds` never.
    """

    lose_binds: bool = False


@frozen
class KubeletSync:
    """The kubelet starts bound pods."""


@frozen
class ReapTerminating:
    """Pods with a deletion time are gone, in order of creation, at most `max` of them."""

    max: int | None = None


@frozen
class PvControllerSync:
    """The PV controller completes bindings."""


Operation: TypeAlias = (
    Create
    | Update
    | Patch
    | Delete
    | BindPod
    | Advance
    | ScheduleOne
    | Drain
    | ReleaseBind
    | HoldWatch
    | ReleaseWatch
    | Relist
    | Redeliver
    | RestartScheduler
    | KubeletSync
    | ReapTerminating
    | PvControllerSync
)

OPERATIONS: Mapping[str, type[Operation]] = {
    "create": Create,
    "update": Update,
    "patch": Patch,
    "delete": Delete,
    "bind": BindPod,
    "advance": Advance,
    "scheduleOne": ScheduleOne,
    "drain": Drain,
    "releaseBind": ReleaseBind,
    "holdWatch": HoldWatch,
    "releaseWatch": ReleaseWatch,
    "relist": Relist,
    "redeliver": Redeliver,
    "restartScheduler": RestartScheduler,
    "kubeletSync": KubeletSync,
    "reapTerminating": ReapTerminating,
    "pvControllerSync": PvControllerSync,
}
NAMES: Mapping[type[Operation], str] = {operation: name for name, operation in OPERATIONS.items()}


_MEMBERS: Mapping[type[Operation], frozenset[str]] = {
    operation: frozenset(json_name(attribute.name) for attribute in fields(operation))
    | ({"kind"} if operation in (Create, Update) else set())
    for operation in OPERATIONS.values()
}
"""By their names in JSON, without `op`."""

_MOST: Mapping[str, int] = {"ms": 10**9, "max": INT64_MAX}
"""Of the numbers of operations; none is below 0.  Time passes second by second: of more ms nobody sees the end."""


@frozen
class _Holding:
    hold_bind: bool = False


def read_operations(documents: Any, where: str = "events") -> tuple[Operation, ...]:
    """Raises ManifestError, which names the position and the field: `events[3].ms: ...`."""
    if not isinstance(documents, list):
        raise ManifestError(f"{where}: expected a list")
    return tuple(_read(document, f"{where}[{at}]") for at, document in enumerate(documents))


def _read(document: Any, where: str) -> Operation:
    if not isinstance(document, dict):
        raise ManifestError(f"{where}: expected an object")
    operation = OPERATIONS.get(str(document.get("op")))
    if operation is None:
        raise ManifestError(f"{where}.op: unknown operation {document.get('op')!r}; known are {', '.join(OPERATIONS)}")
    try:
        _check_members(document, operation)
        if operation in (Create, Update):
            return operation(_read_object(document))
        if operation is not ScheduleOne:
            return _within_bounds(structure(document, operation))
        hold_bind = structure(document, _Holding).hold_bind
    except ManifestError as error:
        raise ManifestError(f"{where}.{error}") from None
    during = read_operations(document.get("during", []), f"{where}.during")
    for at, meanwhile in enumerate(during):
        if isinstance(meanwhile, RestartScheduler):
            raise ManifestError(f"{where}.during[{at}].op: a scheduler cannot be restarted within its own cycle")
    return ScheduleOne(hold_bind, during)


def _check_members(document: Document, operation: type[Operation]) -> None:
    check_names(document, ["op", *sorted(_MEMBERS[operation])])
    kind = document.get("kind", "Pod")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ManifestError(f"kind: unknown kind {kind!r:.60}")


def check_names(members: Mapping[str, Any], known: Sequence[str], within: str = "") -> None:
    """Raises ManifestError for the first member that is not known; `within`: what is said before its name."""
    if unknown := sorted(members.keys() - {*known}):
        raise ManifestError(f"{within}{unknown[0]}: unknown; known are {', '.join(known)}")


def _within_bounds(operation: Operation) -> Operation:
    for member, most in _MOST.items():
        value = getattr(operation, member, None)
        if value is not None and not 0 <= value <= most:
            raise ManifestError(f"{member}: expected an integer from 0 to {most}, got {value}")
    return operation


def _read_object(document: Document) -> KubernetesObject:
    if not isinstance(document.get("object"), dict):
        raise ManifestError("object: expected an object")
    thing = {"kind": document.get("kind"), **document["object"]}
    try:
        if document.get("kind") not in (None, thing["kind"]):
            raise ManifestError(f"kind: expected {document['kind']}, as the operation says, got {thing['kind']!r:.60}")
        return decode_any(thing)
    except ManifestError as error:
        raise ManifestError(f"object: {error}") from None


def write_operation(operation: Operation) -> dict[str, Any]:
    """The reverse of `read_operations`, for one; what has its default value is left out."""
    written: dict[str, Any] = {"op": NAMES[type(operation)]}
    for attribute in fields(type(operation)):
        value = getattr(operation, attribute.name)
        if isinstance(value, KubernetesObject):
            written |= {"kind": value.kind, "object": encode(value)}
        elif attribute.name == "during":
            written |= {"during": [write_operation(inner) for inner in value]} if value else {}
        elif value != attribute.default or attribute.name == "kind":
            written[json_name(attribute.name)] = value
    return written
