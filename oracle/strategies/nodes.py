"""Nodes."""

import json
from typing import Any

from oracle.strategies.pools import (
    EXTENDED,
    HOSTNAME,
    IMAGES,
    NODE_CPU,
    NODE_LABELS,
    NODE_MEMORY,
    POD_LABELS,
    REGION,
    ROOMY_CPU,
    ROOMY_MEMORY,
    TAINT_EFFECTS,
    TAINT_KEYS,
    ZONE,
    ZONES,
    amount,
    labels,
    metadata,
)
from oracle.strategies.swarm import Draw

LONG_DRIVER = "a-driver-with-a-very-long-name.csi.example.com"
LONG_LIMIT = "attachable-volumes-csi-a-driver-with-a-very-lo98d6a7501ed8d05f"
"""A CSI driver with a name that is too long for the name of its limit, and that name.  [P-077]"""
VOLUME_LIMITS = (
    "attachable-volumes-aws-ebs",
    "attachable-volumes-gce-pd",
    "attachable-volumes-azure-disk",
    "attachable-volumes-cinder",
    "attachable-volumes-csi-csi.example.com",
)
MEBIBYTE = 1024 * 1024
IMAGE_SIZES = (1, 23 * MEBIBYTE, 24 * MEBIBYTE, 250 * MEBIBYTE, 500 * MEBIBYTE, 1000 * MEBIBYTE, 2000 * MEBIBYTE)
PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready", "NetworkUnavailable")


def node(draw: Draw, name: str) -> dict[str, Any]:
    document: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata(draw, name, labels=node_labels(draw, name), annotations=annotations(draw)),
        "spec": node_spec(draw),
        "status": {"allocatable": allocatable(draw)},
    }
    if draw.chance(0.6, "images"):
        document["status"]["images"] = [image(draw, at) for at in range(draw.number(1, 3))]
    if draw.chance(0.6, "conditions"):
        document["status"]["conditions"] = conditions(draw)
    return document


def node_labels(draw: Draw, name: str) -> dict[str, str]:
    found = labels(draw, NODE_LABELS, most=2)
    if not draw.chance(0.1):
        found[HOSTNAME] = "elsewhere" if draw.chance(0.05) else name
    if draw.chance(0.85, "zones"):
        found[ZONE] = draw.pick(ZONES)
    if draw.chance(0.5, "zones"):
        found[REGION] = draw.pick(("r1", "r1", "r2"))
    return found


def annotations(draw: Draw) -> dict[str, str]:
    if not draw.chance(0.25, "controllers"):
        return {}
    avoided = {
        "kind": draw.pick(("ReplicaSet", "ReplicationController")),
        "uid": f"uid-of-{draw.pick(POD_LABELS['app'])}",
    }
    entry = {"podSignature": {"podController": avoided}}
    sound = json.dumps({"preferAvoidPods": [entry]})
    text = odd_avoidance(draw, entry) if draw.chance(0.1, "invalid") else sound
    return {"scheduler.alpha.kubernetes.io/preferAvoidPods": text}


def odd_avoidance(draw: Draw, entry: dict[str, Any]) -> str:
    """Cut short, with something else in one place, or with a name written in another way."""
    odd: Any = draw.pick((None, {}, [], "x", 5))
    listed = draw.pick(
        ([odd], [odd, entry], [{"podSignature": odd}, entry], [{"podSignature": {"podController": odd}}])
    )
    whole = (odd, {"preferAvoidPods": odd}, {"preferAvoidPods": listed}, {"PreferAvoidPods": [entry]})
    return draw.pick(("{", *map(json.dumps, whole)))


def node_spec(draw: Draw) -> dict[str, Any]:
    spec: dict[str, Any] = {}
    if draw.chance(0.15, "unschedulable"):
        spec["unschedulable"] = True
    if draw.chance(0.5, "taints"):
        spec["taints"] = [taint(draw) for _ in range(draw.weighted({1: 3, 2: 1}))]
    return spec


def taint(draw: Draw) -> dict[str, str]:
    value = {"value": draw.pick(("x", "y"))} if draw.chance(0.6) else {}
    return {"key": draw.pick(TAINT_KEYS), "effect": draw.pick(TAINT_EFFECTS), **value}


def allocatable(draw: Draw) -> dict[str, str]:
    crowded = draw.has("crowds")
    found = {
        "cpu": amount(draw, NODE_CPU if crowded else ROOMY_CPU),
        "memory": amount(draw, NODE_MEMORY if crowded else ROOMY_MEMORY),
        "pods": draw.pick(("1", "2", "3", "5", "10", "110", "110") if crowded else ("110", "110", "110", "10")),
    }
    if draw.chance(0.05):
        del found[draw.pick(tuple(found))]
    if draw.chance(0.6, "extended-resources"):
        found |= {name: str(draw.number(0, 4)) for name in draw.some(EXTENDED, most=2, least=1)}
    if draw.chance(0.3, "extended-resources"):
        found["ephemeral-storage"] = draw.pick(NODE_MEMORY)
    if draw.chance(0.7, "volume-limits"):
        found |= {name: str(draw.number(0, 3)) for name in draw.some(VOLUME_LIMITS, most=3, least=1)}
    return found


def image(draw: Draw, at: int) -> dict[str, Any]:
    name = IMAGES[at] if draw.chance(0.8) else draw.pick(IMAGES)
    names = [name if ":" in name else f"{name}:latest"]
    if draw.chance(0.3):
        names.append(f"{name.partition(':')[0]}@sha256:0")
    return {"names": names, "sizeBytes": draw.pick(IMAGE_SIZES)}


def conditions(draw: Draw) -> list[dict[str, str]]:
    return [{"type": kind, "status": draw.pick(("True", "False", "Unknown"))} for kind in draw.some(PRESSURES, most=3)]
