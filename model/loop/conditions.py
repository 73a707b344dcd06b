"""The one condition the scheduler writes: PodScheduled = False, and why.  [L-055, L-130]"""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from model.api.clock import timestamp
from model.api.decode import amended
from model.api.objects import Pod
from model.rules import declare, rule

declare(
    "L-130", "Events and conditions come from cycle, failure, binding and preempting, and from nowhere else", __name__
)

COMPARED = ("status", "reason", "message", "lastProbeTime", "lastTransitionTime")


@frozen
class NotScheduled:
    """`reason` as the API knows it, `message` the text of the error."""

    reason: str
    message: str


@rule("L-055", "A condition that says the same is not written; one of the same status keeps its transition time")
def with_condition(pod: Pod, condition: NotScheduled, now_ms: int) -> Pod | None:
    """The pod to send as a status update, None where there is nothing new to say."""
    conditions = list((pod.document.get("status") or {}).get("conditions") or [])
    at = next((i for i, held in enumerate(conditions) if held.get("type") == "PodScheduled"), None)
    held: Mapping[str, Any] = {} if at is None else conditions[at]
    said = {"type": "PodScheduled", "status": "False", "reason": condition.reason, "message": condition.message}
    since = held.get("lastTransitionTime") if held.get("status") == "False" else timestamp(now_ms)
    new = {**said, "lastTransitionTime": since}
    if at is None:
        conditions.append(new)
    elif all(held.get(name) == new.get(name) for name in COMPARED):
        return None
    else:
        conditions[at] = new
    return amended(pod, {"status": {"conditions": conditions}})
