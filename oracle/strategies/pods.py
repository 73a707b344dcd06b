"""Pods: pending ones, and ones that run."""

from typing import Any

from oracle.strategies.pools import (
    ADDRESSES,
    EXTENDED,
    IMAGES,
    LIMITING_PRIORITIES,
    NODE_LABELS,
    POD_CPU,
    POD_LABELS,
    POD_MEMORY,
    PORTS,
    PRIORITIES,
    TAINT_KEYS,
    TIMES,
    amount,
    labels,
    metadata,
)
from oracle.strategies.swarm import Draw
from oracle.strategies.terms import node_affinity, pod_affinity
from oracle.strategies.volumes import CLAIM_NAMES, inline_volume


def pod(draw: Draw, name: str, namespace: str) -> dict[str, Any]:
    """A pending pod."""
    meta = metadata(
        draw,
        name,
        namespace,
        labels=labels(draw, POD_LABELS) if draw.chance(0.85) else {},
        ownerReferences=owners(draw),
        creationTimestamp=draw.pick(TIMES),
    )
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": pod_spec(draw), "status": {"phase": "Pending"}}


def placed(draw: Draw, pending: dict[str, Any], node: str) -> dict[str, Any]:
    """The pod running on a node."""
    status: dict[str, Any] = {"phase": "Running" if draw.chance(0.9) else "Pending"}
    if not draw.chance(0.15, "start-times"):
        status["startTime"] = draw.pick(TIMES)
    if draw.chance(0.1, "finished"):
        status["phase"] = draw.pick(("Succeeded", "Failed"))
    meta = pending["metadata"]
    if draw.chance(0.15, "terminating"):
        meta = meta | {"deletionTimestamp": "2019-12-01T00:00:20Z", "deletionGracePeriodSeconds": 30}
    return pending | {"metadata": meta, "spec": pending["spec"] | {"nodeName": node}, "status": status}


def owners(draw: Draw) -> list[dict[str, Any]]:
    if not draw.chance(0.4, "controllers"):
        return []
    name = draw.pick(POD_LABELS["app"])
    kind = draw.pick(("ReplicaSet", "ReplicationController", "StatefulSet"))
    return [
        {
            "apiVersion": "apps/v1",
            "kind": kind,
            "name": name,
            "uid": f"uid-of-{name}",
            "controller": not draw.chance(0.1),
        }
    ]


def pod_spec(draw: Draw) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "schedulerName": "default-scheduler",
        "containers": [container(draw, f"c{at}") for at in range(draw.weighted({1: 8, 2: 2}))],
    }
    if draw.chance(0.3, "init-containers"):
        spec["initContainers"] = [container(draw, "i0")]
    if draw.chance(0.8, "priorities"):
        spec["priority"] = draw.pick(LIMITING_PRIORITIES if draw.chance(0.08, "huge") else PRIORITIES)
    if draw.chance(0.08, "priorities"):
        spec["preemptionPolicy"] = "Never"
    if draw.chance(0.3, "node-selectors"):
        spec["nodeSelector"] = labels(draw, NODE_LABELS, most=1)
    if affinity := affinities(draw):
        spec["affinity"] = affinity
    if draw.chance(0.5, "taints"):
        spec["tolerations"] = [toleration(draw) for _ in range(draw.number(1, 2))]
    if volumes := pod_volumes(draw):
        spec["volumes"] = volumes
    return spec


def affinities(draw: Draw) -> dict[str, Any]:
    found = {}
    if draw.chance(0.4, "node-affinity"):
        found["nodeAffinity"] = node_affinity(draw)
    if draw.chance(0.35, "affinity"):
        found["podAffinity"] = pod_affinity(draw)
    if draw.chance(0.35, "anti-affinity"):
        found["podAntiAffinity"] = pod_affinity(draw)
    return found


def container(draw: Draw, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "image": draw.pick(IMAGES)}
    if resources := requirements(draw):
        found["resources"] = resources
    if draw.chance(0.5, "ports"):
        found["ports"] = [port(draw) for _ in range(draw.weighted({1: 3, 2: 2}))]
    return found


def requirements(draw: Draw) -> dict[str, Any]:
    if draw.chance(0.3, "best-effort"):
        return {}
    requests = {}
    if draw.chance(0.85):
        requests["cpu"] = amount(draw, POD_CPU)
    if draw.chance(0.5):
        requests["memory"] = amount(draw, POD_MEMORY)
    if draw.chance(0.4, "extended-resources"):
        requests |= {name: str(draw.number(0, 3)) for name in draw.some(EXTENDED, most=2, least=1)}
    if draw.chance(0.2, "extended-resources"):
        requests["ephemeral-storage"] = draw.pick(POD_MEMORY)
    limits = dict(requests) if draw.chance(0.2) else {}
    return {kind: amounts for kind, amounts in (("requests", requests), ("limits", limits)) if amounts}


def port(draw: Draw) -> dict[str, Any]:
    address = draw.pick(ADDRESSES)
    found: dict[str, Any] = {"containerPort": 80, "protocol": draw.pick(("TCP", "TCP", "TCP", "UDP"))}
    if not draw.chance(0.1):
        found["hostPort"] = draw.pick(PORTS)
    return found | ({"hostIP": address} if address else {})


def toleration(draw: Draw) -> dict[str, Any]:
    """Without a key it matches any, and needs no `Exists` for that."""
    if draw.chance(0.15):
        return {"operator": "Exists"}
    found = {} if draw.chance(0.1) else {"key": draw.pick(TAINT_KEYS)}
    found |= {"operator": "Exists"} if draw.chance(0.4) else {"operator": "Equal", "value": draw.pick(("x", "y", ""))}
    if draw.chance(0.6):
        found["effect"] = draw.pick(("NoSchedule", "PreferNoSchedule", "NoExecute"))
    return found


def pod_volumes(draw: Draw) -> list[dict[str, Any]]:
    volumes = []
    if draw.chance(0.4, "disks"):
        volumes += [inline_volume(draw) for _ in range(draw.number(1, 2))]
    if draw.chance(0.5, "claims"):
        names = draw.some(CLAIM_NAMES, most=2, least=1)
        volumes += [{"persistentVolumeClaim": {"claimName": name}} for name in names]
    return [{"name": f"v{at}", **volume} for at, volume in enumerate(volumes)]
