"""A divergence in one sentence for a person."""

import re
from collections.abc import Mapping
from typing import Any

from oracle.compare.considered import considered
from oracle.compare.decided import decided
from oracle.compare.divergence import FAULT, Divergence
from oracle.compare.places import Place, place
from oracle.last_words import in_short
from oracle.printable import begun, counted

LONGEST = 300
NOTHING = "nothing"

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
    "pvUpdateError": "has an update of volume {pv} refused ({reason})",
    "pvcUpdate": "updates claim {pvc} (selected node: {selectedNode})",
    "pvcUpdateError": "has an update of claim {pvc} refused ({reason})",
}
SCHEDULING = {"scheduleOne": "one scheduling cycle", "drain": "scheduling"}


def sentence(case: Mapping[str, Any], divergence: Divergence, scheduler: str) -> str:
    """What the scheduler does and what v1.15.3 does, in the place where they part."""
    who = "the scheduler under test" if ":" in scheduler else scheduler
    expected, actual = divergence.expected, divergence.actual
    said = decided(case, expected, actual, who) or considered(expected, actual, who)
    said = said or _sentence(case, divergence, who)
    return _shortened(begun(said))


def _sentence(case: Mapping[str, Any], divergence: Divergence, scheduler: str) -> str:
    where, expected, actual = divergence.difference.where, divergence.difference.expected, divergence.difference.actual
    when = _when(divergence)
    if divergence.is_fault:
        return f"{when}{scheduler} fails: {in_short(actual)}"
    if FAULT in divergence.expected:
        return f"{when}the reference itself fails: {in_short(expected)}"
    if where.endswith(".crash"):
        crashes = (
            f"{scheduler} crashes and v1.15.3 does not"
            if expected is None
            else f"v1.15.3 crashes and {scheduler} does not"
        )
        return f"{when}{crashes}: {in_short(actual or expected)}"
    if where.startswith("property."):
        return f"{when.replace('At', 'After', 1)}{actual}, and v1.15.3 would do the same"
    if ".effects" in where:
        return f"{when}{scheduler} {_effect(actual)}; v1.15.3 {_effect(expected)}"
    return f"{when.replace('At', 'After', 1)}{_state(place(_path(where)), scheduler, expected, actual)}"


def _state(there: Place, scheduler: str, expected: Any, actual: Any) -> str:
    """What each has in a place of its state; of whole entries only whether they are there."""
    if _is_entry(expected) != _is_entry(actual):
        entry = f"{there.label[:1].lower()}{there.label[1:]}"
        article = "an" if entry[:1] in "aeiou" else "a"
        has, lacks = f"has {article} {entry}", "has none"
        return (
            f"{scheduler} {has}; v1.15.3 {lacks}"
            if _is_entry(actual)
            else f"{scheduler} has no {entry}; v1.15.3 has one"
        )
    does, _, after = there.has.partition("{}")
    wanted, found = _values(expected, actual)
    one = re.sub(r"^( \w+)s\b", r"\1", after)
    mine = there.lacks if there.lacks and found == NOTHING else f"{does}{found}{one if found == '1' else after}"
    theirs = there.lacks if there.lacks and wanted == NOTHING else f"{does}{wanted}{_closing(after)}"
    return f"{scheduler} {mine}; v1.15.3 {theirs}"


def _closing(after: str) -> str:
    """Of what comes after a value only the quotation mark, where it is said a second time."""
    return after if after == "”" else ""


def _is_entry(value: Any) -> bool:
    return isinstance(value, Mapping) and "lastUpdateMs" not in value


def _values(expected: Any, actual: Any) -> tuple[str, str]:
    """Of waiting pods only which, unless it is when their backoffs end that differs."""
    names = [[str(item["pod"]) for item in _items(value)] for value in (expected, actual)]
    if names[0] != names[1] and any(names):
        return ", ".join(names[0]) or NOTHING, ", ".join(names[1]) or NOTHING
    return _value(expected), _value(actual)


def _items(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping) and "pod" in item] if isinstance(value, list) else []


def _when(divergence: Divergence) -> str:
    if divergence.step is None:
        return ""
    if divergence.event is None:
        return "At the start, "
    return f"At step {divergence.step + 1} ({_event(divergence.event)}), "


def _event(event: Mapping[str, Any]) -> str:
    name = event["op"]
    if name == "advance":
        return f"{seconds(event['ms'])} pass"
    about = (
        event.get("key")
        or event.get("pod")
        or event.get("node")
        or event.get("new")
        or event.get("object", {}).get("metadata", {}).get("name")
    )
    return " ".join(filter(None, (SCHEDULING.get(name, name), about)))


def _effect(effect: Any) -> str:
    if effect is None:
        return "does nothing more"
    name, said = next(iter(effect.items()))
    if isinstance(said, str):
        return f"deletes the victim {said}"
    return SAID[name].format(**said) if name in SAID else f"does {name} {said}"


def _path(where: str) -> str:
    """Without the step and its operation, or the kind of the case."""
    inner = re.sub(r"^(steps\[\d+\]( \w+)?|\w+)\.?", "", where)
    return re.sub(r"\[([^]]+)\]$", r".\1", inner)


def _value(value: Any) -> str:
    match value:
        case {"pod": pod, "backoffUntilMs": int(until), "timestampMs": int(since)}:
            return f"{pod} (waiting since {seconds(since)}, backing off until {seconds(until)})"
        case {"attempts": attempts, "lastUpdateMs": int(last)}:
            return f"{counted(attempts, 'refusal')}, the last at {seconds(last)}"
        case Mapping():
            return ", ".join(f"{name} {_value(item)}" for name, item in value.items()) or NOTHING
        case list():
            return ", ".join(map(_value, value)) or NOTHING
        case bool():
            return "yes" if value else "no"
        case None | "" | "(nothing)":
            return NOTHING
    return str(value)


def seconds(ms: int) -> str:
    return f"{ms} ms" if ms % 1000 else f"{ms // 1000} s"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
