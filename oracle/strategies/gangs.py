"""Clusters with groups of pods that are of use only together; some groups have no room."""

from random import Random
from typing import Any

from oracle.strategies.pools import metadata
from oracle.strategies.swarm import Draw

GROUP_NAME = "scheduling.k8s.io/group-name"
"""The annotation by which kube-batch and Volcano know the group of a pod."""

FEW = ("500m", "1", "2")


def gang_case(seed: str) -> dict[str, Any]:
    """A trace in its JSON form, without events; the same for the same seed."""
    draw = Draw(Random(f"gangs/{seed}"), within=())
    groups, pods = [], []
    for at in range(draw.number(1, 3)):
        members = draw.number(2, 4)
        if draw.chance(0.5):
            groups.append(group(draw, f"g{at}", draw.number(1, members)))
        cpu = draw.pick(FEW)
        pods += [member(draw, f"g{at}-{number}", f"g{at}", cpu) for number in range(members)]
    cluster = {
        "podGroups": groups,
        "nodes": [node(draw, f"n{at}") for at in range(draw.number(1, 3))],
        "pods": draw.some(pods, most=len(pods), least=len(pods)),
    }
    return {"kind": "e2e", "cluster": {n: each for n, each in cluster.items() if each}, "config": {}, "events": []}


def group(draw: Draw, name: str, least: int) -> dict[str, Any]:
    meta = metadata(draw, name, "default")
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": meta,
        "spec": {"minMember": least},
    }


def member(draw: Draw, name: str, group_name: str, cpu: str) -> dict[str, Any]:
    meta = metadata(draw, name, "default", annotations={GROUP_NAME: group_name})
    spec = {
        "schedulerName": "default-scheduler",
        "containers": [{"name": "c", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": {"phase": "Pending"}}


def node(draw: Draw, name: str) -> dict[str, Any]:
    amounts = {"cpu": draw.pick(("1", "2", "4")), "memory": "8Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata(draw, name, None),
        "spec": {},
        "status": {"capacity": amounts, "allocatable": amounts, "conditions": [{"type": "Ready", "status": "True"}]},
    }
