"""What a scheduler sent out, in the form in which traces record it."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.objects import Pod, PodCondition
from model.api.protocol import ApiError, RecordEvent, UpdateClaim, UpdateVolume

Effect = Mapping[str, Any]
"""One member: the effect's name and what it says."""

SELECTED_NODE = "volume.kubernetes.io/selected-node"


def bind(pod: str, node: str) -> Effect:
    return {"bind": {"pod": pod, "node": node}}


def bind_error(pod: str, node: str, reason: str) -> Effect:
    return {"bindError": {"pod": pod, "node": node, "reason": reason}}


def status_changes(before: Pod, after: Pod) -> Iterator[Effect]:
    """What a stored status update says about scheduling."""
    condition = scheduled_condition(after)
    if condition is not None and condition != scheduled_condition(before):
        said = {"status": condition.status, "reason": condition.reason, "message": condition.message}
        yield {"condition": {"pod": after.key, **said}}
    old, new = before.status.nominated_node_name, after.status.nominated_node_name
    if old != new:
        yield {"nominate": {"pod": after.key, "node": new}} if new else clear_nomination(after.key, old)


def clear_nomination(pod: str, node: str) -> Effect:
    return {"clearNomination": {"pod": pod, "node": node}}


def scheduled_condition(pod: Pod) -> PodCondition | None:
    return next((condition for condition in pod.status.conditions if condition.type == "PodScheduled"), None)


def status_error(pod: str, error: ApiError) -> Effect:
    return {"statusError": {"pod": pod, "reason": error.reason}}


def delete_victim(pod: str, error: ApiError | None) -> Effect:
    return {"deleteVictimError": {"pod": pod, "reason": error.reason}} if error else {"deleteVictim": pod}


def event(record: RecordEvent) -> Effect:
    said = {"type": record.type, "reason": record.reason, "message": record.message}
    return {"event": {"pod": record.pod.key, **said}}


def volume_update(request: UpdateVolume, error: ApiError | None) -> Effect:
    if error:
        return {"pvUpdateError": {"pv": request.volume.name, "reason": error.reason}}
    return {"pvUpdate": {"pv": request.volume.name, "claim": request.claim.key}}


def claim_update(request: UpdateClaim, error: ApiError | None) -> Effect:
    if error:
        return {"pvcUpdateError": {"pvc": request.claim.key, "reason": error.reason}}
    selected = request.claim.annotations.get(SELECTED_NODE, "")
    return {"pvcUpdate": {"pvc": request.claim.key, "selectedNode": selected}}
