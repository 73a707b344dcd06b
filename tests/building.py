"""Small objects for tests, said in few words."""

from collections.abc import Mapping, Sequence
from typing import Any

from model.api.decode import decode
from model.api.objects import Node, Pod, PodDisruptionBudget

ZONE = "failure-domain.beta.kubernetes.io/zone"


def node(name: str, cpu: str = "10", labels: Mapping[str, str] | None = None, **allocatable: str) -> Node:
    return decode(
        {
            "metadata": {"name": name, "labels": dict(labels or {})},
            "status": {"allocatable": {"cpu": cpu, "memory": "64Gi", "pods": "110", **allocatable}},
        },
        Node,
    )


def pod(
    name: str,
    cpu: str = "0",
    priority: int = 0,
    on: str = "",
    labels: Mapping[str, str] | None = None,
    started: str = "2019-12-01T00:00:00Z",
    nominated: str = "",
    claims: Sequence[str] = (),
    **spec: Any,
) -> Pod:
    """`on`: the node it runs on; `started`: status.startTime; more fields of the spec as in JSON."""
    return decode(
        {
            "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}", "labels": dict(labels or {})},
            "spec": {
                "nodeName": on,
                "priority": priority,
                "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}],
                "volumes": [{"name": claim, "persistentVolumeClaim": {"claimName": claim}} for claim in claims],
                **spec,
            },
            "status": {"startTime": started or None, "nominatedNodeName": nominated},
        },
        Pod,
    )


def terms(*wanted: tuple[str, str]) -> list[dict[str, Any]]:
    """Pod affinity terms: (topology key, app)."""
    return [{"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}} for key, app in wanted]


def near(*wanted: tuple[str, str]) -> dict[str, Any]:
    """The spec field of a required affinity."""
    return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms(*wanted)}}


def apart(*wanted: tuple[str, str]) -> dict[str, Any]:
    """The spec field of a required anti-affinity."""
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms(*wanted)}}


def budget(name: str, allowed: int, **labels: str) -> PodDisruptionBudget:
    return decode(
        {
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"selector": {"matchLabels": labels}},
            "status": {"disruptionsAllowed": allowed},
        },
        PodDisruptionBudget,
    )
