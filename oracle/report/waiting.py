"""Why the reference has waiting pods where it has them: their order, and their backoff."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import QueueState
from model.api.objects import Pod
from oracle.report.because import Because
from oracle.report.words import seconds

Record = Mapping[str, Any]

PLACES = {
    "active": "in the active queue",
    "backoff": "in the backoff queue",
    "unschedulable": "with the unschedulable",
}


def because_of_queues(
    expected: Record, actual: Record, pods: Mapping[str, Pod], after: QueueState | None
) -> Iterator[Because]:
    """`pods` by the names that the records use; `after`: the reference's queue after the step."""
    wanted, found = _taken(expected), _taken(actual)
    if wanted == found and sorted(_names(expected, "active")) == sorted(_names(actual, "active")):
        wanted, found = _names(expected, "active"), _names(actual, "active")
    first = next((pair for pair in zip(wanted, found, strict=False) if pair[0] != pair[1]), None)
    if first is not None and all(name in pods for name in first):
        yield _order(*first, *(pods[name] for name in first))
    for name in dict.fromkeys(name for place in PLACES for name in _names(expected, place)):
        here, there = _place(expected, name), _place(actual, name)
        if here is not None and here != there:
            yield _placed(name, here, there, pods.get(name), after)


def _taken(record: Record) -> list[str]:
    return list(record.get("popped", ()))


def _names(record: Record, place: str) -> list[str]:
    return [item["pod"] if isinstance(item, Mapping) else str(item) for item in record.get(place, ())]


def _place(record: Record, name: str) -> str | None:
    return next((place for place in PLACES if name in _names(record, place)), None)


def _order(first: str, second: str, pod: Pod, other: Pod) -> Because:
    if pod.priority != other.priority:
        why = f"its priority is {pod.priority}, that of {second} {other.priority}"
    else:
        why = f"both have priority {pod.priority}, and it has waited longer"
    return Because(f"{first} comes before {second}: {why}.", ("Q-010",))


def _placed(name: str, here: str, there: str | None, pod: Pod | None, after: QueueState | None) -> Because:
    text = f"{name} belongs {PLACES[here]}"
    if there is None:
        text += "; the scheduler under test has it nowhere"
    entry = after.pod_backoff.get(pod.key) if after and pod else None
    if entry is None or after is None or pod is None:
        return Because(f"{text}.")
    waiting = (*after.active, *after.backoff, *after.unschedulable)
    until = next((w.backoff_until for w in waiting if w.pod.key == pod.key and w.backoff_until), None)
    if until is None:
        return Because(f"{text}.")
    times = "once" if entry.attempts == 1 else f"{entry.attempts} times"
    length = seconds(until.ms - entry.last_update.ms)
    why = f"it was refused {times}, last at {seconds(entry.last_update.ms)}, so its backoff of {length} ends at"
    return Because(f"{text}: {why} {seconds(until.ms)}.", ("Q-020", "Q-021", "Q-022"))
