"""The annotation by which a node asks not to be given the pods of some controllers."""

from datetime import datetime
from typing import Any

import orjson
from attrs import frozen

from model.api.decode import ManifestError, structure
from model.api.objects import OwnerReference

ANNOTATION = "scheduler.alpha.kubernetes.io/preferAvoidPods"


@frozen
class PodSignature:
    pod_controller: OwnerReference | None = None


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


def avoided_controllers(annotation: str | None) -> tuple[OwnerReference | None, ...]:
    """One for each entry, None where it names no controller; nothing where it is absent or unreadable.  [S-060]"""
    if not annotation:
        return ()
    try:
        found = structure(_with_known_names(orjson.loads(annotation)), AvoidPods)
    except (orjson.JSONDecodeError, ManifestError):
        return ()
    return tuple(entry.pod_signature.pod_controller for entry in found.prefer_avoid_pods)


_NAMES = {
    name.casefold(): name
    for name in (
        *("preferAvoidPods", "podSignature", "podController", "evictionTime", "reason", "message"),
        *("kind", "name", "uid", "controller"),
    )
}


def _with_known_names(document: Any) -> Any:
    """Field names are read whatever their case; of several that differ in case only the last counts."""
    match document:
        case dict():
            return {_NAMES.get(key.casefold(), key): _with_known_names(value) for key, value in document.items()}
        case list():
            return [_with_known_names(element) for element in document]
    return document
