"""A divergence in one sentence for a person."""

from collections.abc import Mapping
from typing import Any

from oracle.compare.considered import considered
from oracle.compare.decided import decided
from oracle.compare.divergence import FAULT, Divergence

LONGEST = 300

SAID: Mapping[str, str] = {
    "bind": "binds {pod} to {node}",
    "bindError": "has the binding of {pod} to {node} refused ({reason})",
    "condition": "writes the condition {reason} on {pod}: “{message}”",
    "nominate": "nominates {pod} to {node}",
    "clearNomination": "clears the nomination of {pod} to {node}",
    "statusError": "has a status update of {pod} refused ({reason})",
    "deleteVictimError": "fails to delete {pod} ({reason})",
    "event": "records {reason} for {pod}: “{message}”",
    "pvUpdate": "updates volume {pv} for {claim}",
    "pvcUpdate": "updates claim {pvc} (selected node: {selectedNode})",
}
QUEUES = {"active": "active queue", "backoff": "backoff queue", "unschedulable": "unschedulable queue"}


def sentence(case: Mapping[str, Any], divergence: Divergence, scheduler: str) -> str:
    """What the scheduler does and what v1.15.3 does, in the place where they part."""
    who = "the scheduler under test" if ":" in scheduler else scheduler
    expected, actual = divergence.expected, divergence.actual
    said = decided(case, expected, actual, who) or considered(expected, actual, who)
    said = said or _sentence(case, divergence, who)
    return _shortened(said[:1].upper() + said[1:] if said.startswith("the ") else said)


def _sentence(case: Mapping[str, Any], divergence: Divergence, scheduler: str) -> str:
    where, expected, actual = divergence.difference.where, divergence.difference.expected, divergence.difference.actual
    when = _when(divergence)
    if divergence.is_fault:
        return f"{when}{scheduler} fails: {actual}"
    if FAULT in divergence.expected:
        return f"{when}the reference itself fails: {expected}"
    if where.endswith(".crash"):
        crashes = (
            f"{scheduler} crashes and v1.15.3 does not"
            if expected is None
            else f"v1.15.3 crashes and {scheduler} does not"
        )
        return f"{when}{crashes}: {actual or expected}"
    if ".effects" in where:
        return f"{when}{scheduler} {_effect(actual)}; v1.15.3 {_effect(expected)}"
    place = _place(where)
    return f"{when.replace('At', 'After', 1)}{scheduler} has {_value(actual)} {place}; v1.15.3 has {_value(expected)}"


def _when(divergence: Divergence) -> str:
    if divergence.step is None:
        return ""
    if divergence.event is None:
        return "At the start, "
    event = divergence.event
    about = (
        event.get("key")
        or event.get("pod")
        or event.get("node")
        or event.get("new")
        or event.get("object", {}).get("metadata", {}).get("name")
    )
    return f"At step {divergence.step + 1} ({event['op']}{f' {about}' if about else ''}), "


def _effect(effect: Any) -> str:
    if effect is None:
        return "does nothing more"
    name, said = next(iter(effect.items()))
    if isinstance(said, str):
        return f"deletes the victim {said}"
    return SAID[name].format(**said) if name in SAID else f"does {name} {said}"


def _place(where: str) -> str:
    path = where.partition(" ")[2] if where.startswith("steps[") and " " in where else where
    parts = [part for part in path.split(".") if part]
    return f"in the {QUEUES[parts[-1]]}" if parts[-1] in QUEUES else "as " + (" ".join(parts[1:]) or parts[0])


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        value = [f"{name} {item}" for name, item in value.items()]
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    return "nothing" if value in (None, "") else str(value)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
