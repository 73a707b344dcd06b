"""A pod with another status, for the API server.  [L-055, L-110]"""

from typing import Any

from attrs import evolve

from model.api.clock import timestamp
from model.api.decode import structure
from model.api.objects import Pod, PodStatus


def nominated(pod: Pod, node: str) -> Pod:
    """The pod nominated to a node; `""` takes its nomination away."""
    kept = {name: value for name, value in _status(pod).items() if name != "nominatedNodeName"}
    return _having(pod, {**kept, "nominatedNodeName": node} if node else kept)


def not_scheduled(pod: Pod, reason: str, message: str, now_ms: int) -> Pod | None:
    """The pod with the condition PodScheduled=False; None where that says nothing new.  [L-055]"""
    condition = {"type": "PodScheduled", "status": "False", "reason": reason, "message": message}
    condition["lastTransitionTime"] = timestamp(now_ms)
    conditions = list(_status(pod).get("conditions") or ())
    for at, (held, shown) in enumerate(zip(pod.status.conditions, conditions, strict=True)):
        if held.type != "PodScheduled":
            continue
        if held.status == "False":
            if (held.reason, held.message, held.last_probe_time) == (reason, message, None):
                return None
            condition["lastTransitionTime"] = shown.get("lastTransitionTime")
        conditions[at] = condition
        break
    else:
        conditions.append(condition)
    return _having(pod, {**_status(pod), "conditions": conditions})


def _status(pod: Pod) -> dict[str, Any]:
    return pod.document.get("status") or {}


def _having(pod: Pod, status: dict[str, Any]) -> Pod:
    return evolve(pod, document={**pod.document, "status": status}, status=structure(status, PodStatus))
