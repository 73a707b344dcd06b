"""Events and effects in words, as a time line tells them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from model.api.objects import Node, Pod
from model.api.resources import pod_request
from model.zones import zone_key
from oracle.compare.wording import seconds
from oracle.environment import Operation
from oracle.environment.operations import (
    Advance,
    BindPod,
    Create,
    Delete,
    Drain,
    HoldWatch,
    KubeletSync,
    Patch,
    PvControllerSync,
    ReapTerminating,
    Redeliver,
    ReleaseBind,
    ReleaseWatch,
    Relist,
    RestartScheduler,
    ScheduleOne,
    Update,
)
from oracle.report.amounts import requests

ZONE_JOINT = ":\x00:"
MOST_NAMES = 8
LONGEST = 300
"""Characters of a value before it is cut."""


def event_words(operation: Operation) -> str:
    match operation:
        case Create(thing):
            return f"{thing.kind} {thing.key} is created{_in_brackets(thing)}"
        case Update(thing):
            return f"{thing.kind} {thing.key} is replaced{_in_brackets(thing)}"
        case Patch(kind, key, patch):
            return f"{kind} {key} is changed: {plain(patch)}"
        case Delete(kind, key, graceful):
            return f"{kind} {key} is deleted{' gracefully' if graceful else ''}"
        case BindPod(key, node):
            return f"another client binds {key} to {node}"
        case Advance(ms):
            return f"{seconds(ms)} pass"
        case ScheduleOne(held, during):
            meanwhile = "".join(f"; while it decides, {event_words(inner)}" for inner in during)
            return f"one scheduling cycle{', its bind request held back' if held else ''}{meanwhile}"
        case Drain(most, held):
            cycles = "one scheduling cycle" if most == 1 else f"up to {most} scheduling cycles"
            return f"{cycles}{', bind requests held back' if held else ''}"
        case ReleaseBind(pod):
            return f"the held bind request of {pod} goes on" if pod else "held bind requests go on"
        case HoldWatch(kind):
            return f"watch events of kind {kind} are held back from now on"
        case ReleaseWatch(kind):
            return f"held watch events of kind {kind} arrive"
        case Relist(kind):
            return f"the watch of kind {kind} breaks, and everything is listed again"
        case Redeliver(kind, key):
            return f"what was last told of {f'{kind} {key}' if key else f'kind {kind}'} is told once more"
        case RestartScheduler(lost):
            fate = "; bind requests that are under way are lost" if lost else ""
            return f"the scheduler is restarted, and lists everything{fate}"
        case KubeletSync():
            return "the kubelet starts bound pods"
        case ReapTerminating(most):
            return "terminating pods are gone" if most is None else f"up to {most} terminating pods are gone"
        case PvControllerSync():
            return "the volume controller completes bindings"


def operation_words(recorded: Mapping[str, Any]) -> str:
    """An operation on a queue or a cache."""
    arguments = ", ".join(f"{name} {plain(value)}" for name, value in recorded.items() if name != "op")
    return f"{recorded['op']}({arguments})"


def _in_brackets(thing: Any) -> str:
    said: list[str] = []
    if isinstance(thing, Pod):
        said += pod_words(thing)
    if isinstance(thing, Node):
        said += node_words(thing)
    return f" ({', '.join(said)})" if said else ""


def pod_words(pod: Pod) -> Iterator[str]:
    if asked := requests(pod_request(pod)):
        yield asked
    if pod.priority:
        yield f"priority {pod.priority}"
    if pod.spec.node_name:
        yield f"on {pod.spec.node_name}"


def node_words(node: Node) -> Iterator[str]:
    if zone := zone_key(node.labels):
        yield tree_zone(zone)
    yield from (f"{name} {quantity.text}" for name, quantity in node.status.allocatable.items())
    if node.spec.unschedulable:
        yield "unschedulable"


def effect_words(effect: Mapping[str, Any]) -> str:
    name, said = next(iter(effect.items()))
    match name, said:
        case "pvUpdate", {"pv": volume, "claim": claim}:
            return f"binds volume {volume} to claim {claim}"
        case "pvUpdateError", {"pv": volume, "reason": reason}:
            return f"the update of volume {volume} is refused: {reason}"
        case "pvcUpdateError", {"pvc": claim, "reason": reason}:
            return f"the update of claim {claim} is refused: {reason}"
        case "pvcUpdate", {"pvc": claim}:
            return f"asks for a volume for claim {claim} on {said.get('selectedNode') or 'no node'}"
        case "bind", {"pod": pod, "node": node}:
            return f"binds {pod} to {node}"
        case "bindError", {"pod": pod, "node": node, "reason": reason}:
            return f"binding {pod} to {node} is refused: {reason}"
        case "condition", {"pod": pod, "reason": reason, "message": message}:
            return f"{pod} gets condition PodScheduled={said['status']} {reason}: {message}"
        case "event", {"pod": pod, "reason": reason, "message": message}:
            return f"event for {pod}: {said['type']} {reason}: {message}"
        case "nominate", {"pod": pod, "node": node}:
            return f"nominates {pod} to {node}"
        case "clearNomination", {"pod": pod, "node": node}:
            return f"takes back the nomination of {pod} to {node}"
        case "deleteVictim", pod:
            return f"evicts {pod}"
        case "deleteVictimError", {"pod": pod, "reason": reason}:
            return f"evicting {pod} is refused: {reason}"
        case "statusError", {"pod": pod, "reason": reason}:
            return f"the status update of {pod} is refused: {reason}"
    return f"{name} {plain(said)}"


def tree_zone(key: str) -> str:
    """A zone as the node tree knows it, which joins region and zone.  [S-056]"""
    return f"zone {' / '.join(filter(None, key.split(ZONE_JOINT)))}" if key else "the zone without name"


def some(names: Sequence[str]) -> str:
    """As people list them, at most so many."""
    shown = (
        list(names) if len(names) <= MOST_NAMES else [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} more"]
    )
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if shown[1:] else "".join(shown)


def plain(value: Any) -> str:
    """A JSON value on one line, without the quotes of a program."""
    match value:
        case None | "(nothing)":
            text = "none"
        case bool():
            text = "yes" if value else "no"
        case Mapping():
            text = ", ".join(f"{name}: {_inner(item)}" for name, item in value.items()) or "none"
        case list() | tuple():
            text = ", ".join(_inner(item) for item in value) or "none"
        case _:
            text = str(value)
    return shortened(text)


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def _inner(value: Any) -> str:
    match value:
        case Mapping():
            return "{" + plain(value) + "}"
        case list() | tuple():
            return "[" + plain(value) + "]"
    return plain(value)
