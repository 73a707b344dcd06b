"""A served world and requests to it, without HTTP."""

from collections.abc import Mapping
from typing import Any

from model.api.configuration import Configuration
from model.api.decode import amended
from model.api.objects import Pod
from oracle.levels import Level
from oracle.live.addresses import address_of
from oracle.live.answers import answer
from oracle.live.judging import Decision, judged
from oracle.live.requests import Answer, Request
from oracle.live.views import Record
from oracle.live.world import World
from tests.building import pod

PODS = "/api/v1/namespaces/default/pods"


def ask(world: World, method: str, path: str, body: Any = None, **more: Any) -> Answer:
    """Raises Refused."""
    address = address_of(path)
    assert address is not None
    return answer(world, Request(method, address, body=body, **more))


def waiting(name: str, **more: Any) -> Pod:
    """A pod that is the default scheduler's to place."""
    return amended(pod(name, started="", **more), {"spec": {"schedulerName": "default-scheduler"}})


def bind(world: World, name: str, node: str, uid: str = "") -> Answer:
    target = {"kind": "Node", "name": node}
    metadata = {"name": name, "namespace": "default", **({"uid": uid} if uid else {})}
    return ask(world, "POST", f"{PODS}/{name}/binding", {"kind": "Binding", "metadata": metadata, "target": target})


def set_status(world: World, name: str, status: Mapping[str, Any]) -> Answer:
    """As kube-scheduler does, with the whole pod as it is."""
    stored = dict(ask(world, "GET", f"{PODS}/{name}", agent="kubectl").document)
    return ask(world, "PUT", f"{PODS}/{name}/status", {**stored, "status": {**stored.get("status", {}), **status}})


def refuse(world: World, name: str, message: str) -> Answer:
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}
    return set_status(world, name, {"conditions": [condition]})


def nominate(world: World, name: str, node: str) -> Answer:
    return set_status(world, name, {"nominatedNodeName": node})


def delete(world: World, name: str) -> Answer:
    return ask(world, "DELETE", f"{PODS}/{name}")


def decisions(world: World, level: Level = Level.EXACT, rests: tuple[int, ...] = ()) -> list[Decision]:
    """What the scheduler did, judged.  Without `rests` it stood still until its first deed, and never again."""
    rests = rests or (world.deeds[0].at,)
    return list(judged(Record(world.history, tuple(world.deeds), rests, Configuration()), level))
