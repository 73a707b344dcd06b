"""Single events of a trace, in their JSON form."""

from typing import Any

Event = dict[str, Any]

POD_SPEC: tuple[str, ...] = ("affinity", "containers", "initContainers", "nodeSelector", "preemptionPolicy", "priority")
POD_SPEC += ("priorityClassName", "schedulerName", "tolerations", "volumes")
"""What a pod may ask for."""


def create(document: dict[str, Any]) -> Event:
    return {"op": "create", "kind": document["kind"], "object": document}


def patch(kind: str, key: str, change: dict[str, Any]) -> Event:
    return {"op": "patch", "kind": kind, "key": key, "patch": change}


def key_of(document: dict[str, Any]) -> str:
    return f"{document['metadata']['namespace']}/{document['metadata']['name']}"


def stripped(pod: str) -> Event:
    """A pod loses its labels and all that it asks for; its node it keeps."""
    return patch("Pod", pod, {"metadata": {"labels": None}, "spec": dict.fromkeys(POD_SPEC)})
