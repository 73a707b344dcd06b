"""The annotation by which a node asks not to be given the pods of some controllers."""

import json
from datetime import datetime
from typing import Any, NoReturn

from attrs import fields, frozen

from model.api.decode import ManifestError, json_name, structure

ANNOTATION = "scheduler.alpha.kubernetes.io/preferAvoidPods"


@frozen
class PodController:
    """A reference to it, in which everything must be of its type."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool = False
    block_owner_deletion: bool = False


@frozen
class PodSignature:
    pod_controller: PodController | None = None


@frozen
class PreferAvoidPodsEntry:
    pod_signature: PodSignature = PodSignature()
    eviction_time: datetime | None = None
    reason: str = ""
    message: str = ""


@frozen
class AvoidPods:
    """What the annotation holds, as JSON."""

    prefer_avoid_pods: tuple[PreferAvoidPodsEntry, ...] = ()


def avoided_controllers(annotation: str | None) -> tuple[PodController | None, ...]:
    """One for each entry, None where it names no controller; nothing where it is absent or unreadable.  [S-060]"""
    if not annotation:
        return ()
    try:
        found = structure(_read(annotation), AvoidPods)
    except (ValueError, RecursionError, ManifestError):
        return ()
    return tuple(entry.pod_signature.pod_controller for entry in found.prefer_avoid_pods)


def _read(text: str) -> Any:
    """JSON as Go reads it: numbers of any size, and halves of surrogate pairs.  Raises ValueError, RecursionError."""
    return json.loads(text, object_pairs_hook=_members, parse_int=float, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_NAMES = {
    name.casefold(): name
    for kind in (AvoidPods, PreferAvoidPodsEntry, PodSignature, PodController)
    for name in (json_name(field.name) for field in fields(kind))
}
_NULLABLE = {"preferAvoidPods", "podController"}


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Names are read whatever their case, and what comes twice is read into what was there."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        name = _NAMES.get(key.casefold(), key)
        if value is not None or name in _NULLABLE:
            found[name] = _over(found[name], value) if name in found else value
    return found


def _over(first: Any, second: Any) -> Any:
    match first, second:
        case dict(), dict():
            return first | {name: _over(first.get(name), value) for name, value in second.items()}
        case list(), list():
            return [*map(_over, first, second), *second[len(first) :]]
    return second
