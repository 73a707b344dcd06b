"""Services, controllers and disruption budgets: what selects pods."""

from typing import Any

from oracle.strategies.pools import POD_LABELS, labels, metadata
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import label_selector

CONTROLLERS = {
    "replicationControllers": ("v1", "ReplicationController"),
    "replicaSets": ("apps/v1", "ReplicaSet"),
    "statefulSets": ("apps/v1", "StatefulSet"),
}
"""List name -> API version and kind."""


DISRUPTED = ("p1", "p2", "p3", "p11", "p12", "p21", "p22")
"""Pods whose eviction the API server may have granted already."""


def service(draw: Draw, name: str, namespace: str) -> dict[str, Any]:
    selector = labels(draw, POD_LABELS) if draw.chance(0.9) else {}
    spec: dict[str, Any] = {"ports": [{"port": 80}]} | ({"selector": selector} if selector else {})
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata(draw, name, namespace), "spec": spec}


def controller(draw: Draw, list_name: str, name: str, namespace: str) -> dict[str, Any]:
    version, kind = CONTROLLERS[list_name]
    selector = labels(draw, POD_LABELS) if kind == "ReplicationController" else label_selector(draw)
    spec = {"replicas": 3} | ({"selector": selector} if selector is not None else {})
    return {"apiVersion": version, "kind": kind, "metadata": metadata(draw, name, namespace), "spec": spec}


def budget(draw: Draw, name: str, namespace: str) -> dict[str, Any]:
    selector = label_selector(draw)
    return {
        "apiVersion": "policy/v1beta1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata(draw, name, namespace),
        "spec": {"minAvailable": 1} | ({"selector": selector} if selector is not None else {}),
        "status": {
            "disruptionsAllowed": draw.weighted({0: 3, 1: 2, 2: 1}),
            "expectedPods": 1,
            "currentHealthy": 1,
            "disruptedPods": dict.fromkeys(draw.some(DISRUPTED, most=4), "2019-12-01T00:00:00Z"),
        },
    }
