"""Nodes that ask by annotation not to be given the pods of some controller."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from attrs import frozen

from model.api.decode import ManifestError, structure
from model.api.objects import OwnerReference
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities.inputs import controller_of
from model.quirks import quirk
from model.rules import rule

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


quirk("S-060", "An entry that names no controller ends the scheduler")


@rule("S-060", "0 on a node that asks to avoid the pod's ReplicationController or ReplicaSet, else 10")
def node_prefer_avoid_pods(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    """Raises Crash."""
    controller, best = controller_of(attempt.pod), attempt.semantics.max_score
    if controller is None or controller.kind not in ("ReplicationController", "ReplicaSet"):
        return [best] * len(feasible)
    return [0 if _avoids(attempt, info, controller) else best for info in feasible]


def _avoids(attempt: Attempt, info: NodeInfo, controller: OwnerReference) -> bool:
    for entry in _entries(info):
        avoided = entry.pod_signature.pod_controller
        if avoided is None:
            if attempt.semantics.has("S-060"):
                raise Crash(NIL_DEREFERENCE)
        elif (avoided.kind, avoided.uid) == (controller.kind, controller.uid):
            return True
    return False


def _entries(info: NodeInfo) -> tuple[PreferAvoidPodsEntry, ...]:
    """None where the annotation is absent or cannot be read."""
    annotation = info.node.annotations.get(ANNOTATION) if info.node else None
    if not annotation:
        return ()
    try:
        return structure(_with_known_names(orjson.loads(annotation)), AvoidPods).prefer_avoid_pods
    except (orjson.JSONDecodeError, ManifestError):
        return ()


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
