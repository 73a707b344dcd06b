"""Why the reference has waiting pods where it has them: their order, and their backoff."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from model.api.clock import Instant
from model.api.components import QueueState, WaitingPod
from model.api.objects import Pod
from model.queue.state import LEFTOVER_AGE_MS
from oracle.compare.divergence import Record
from oracle.compare.wording import seconds
from oracle.report.because import Because
from oracle.report.pod_facts import facts

Rules = Collection[str]

PLACES = {
    "active": "in the active queue",
    "backoff": "in the backoff queue",
    "unschedulable": "among the unschedulable pods",
}
MOVES = {
    "Q-053": "an update changed more than its status",
    "Q-060": "a change in the cluster moves them all",
    "Q-062": "a pod that its affinity selects is there now",
    "Q-064": "after more than 60 s there it is tried again in any case",
}


def because_of_queues(
    expected: Record,
    actual: Record,
    pods: Mapping[str, Pod],
    before: Record,
    after: QueueState | None,
    rules: Rules,
    own: int | None,
) -> Iterator[Because]:
    """`pods` by the names that the records use; `before`: the record of the step before; `after`: the reference's queue
    after the step; `rules`: those that it used in it; `own`: the scheduling cycle of the pod that came back in it.
    """
    yield from _turns(expected, actual, pods, after)
    if not any(place in actual for place in PLACES):
        return  # a scheduler that does not show its queues
    now = expected.get("clock", expected.get("nowMs", 0))
    earlier, wanted, found = map(_places, (before, expected, actual))
    for name, here in wanted.items():
        there, pod = found.get(name), pods.get(name)
        if here == there and _until(expected, name) == _until(actual, name):
            continue
        if earlier.get(name) == "unschedulable" and here != "unschedulable":
            yield from _moved(name, rules, _since(pod, after), now)
        if name not in earlier and here == "active" and {"Q-040", "L-031"} & {*rules}:
            yield _entered(name, rules)
            continue
        if here != there:
            yield from _unmoved(name, here, there, pod, expected.get("moveRequestCycle"), own, rules)
        yield from _placed(name, here, there, pod, after, now)
    for name in (name for name in found if name not in wanted):
        yield from _left(name, rules)


def _turns(expected: Record, actual: Record, pods: Mapping[str, Pod], after: QueueState | None) -> Iterator[Because]:
    """Of the pods taken, or of those that are active, the first that another one goes before."""
    wanted, found = list(expected.get("popped", ())), list(actual.get("popped", ()))
    waiting, others = _names(expected, "active"), _names(actual, "active")
    are_taken = wanted != found or sorted(waiting) != sorted(others)
    pairs = zip(wanted, found, strict=False) if are_taken else zip(waiting, others, strict=False)
    first = next((pair for pair in pairs if pair[0] != pair[1]), None)
    if first is not None and all(name in pods for name in first):
        yield _order(*first, pods[first[0]], pods[first[1]], None if are_taken else after)


def _names(record: Record, place: str) -> list[str]:
    return [item["pod"] if isinstance(item, Mapping) else str(item) for item in record.get(place, ())]


def _places(record: Record) -> Mapping[str, str]:
    """By pod; of one that is in two the first."""
    found: dict[str, str] = {}
    for place in PLACES:
        found |= {name: place for name in _names(record, place) if name not in found}
    return found


def _until(record: Record, name: str) -> Any:
    """When its backoff ends; None where a record does not say."""
    items = [item for place in PLACES for item in record.get(place, ()) if isinstance(item, Mapping)]
    return next((item.get("backoffUntilMs") for item in items if item["pod"] == name), None)


def _unmoved(
    name: str, here: str, there: str | None, pod: Pod | None, asked: int | None, own: int | None, rules: Rules
) -> Iterator[Because]:
    """Of a pod that was refused in this step: what its place depends on."""
    if here == "backoff" and there == "unschedulable" and "Q-043" in rules:
        its_own = "its own" if own is None else f"its own, cycle {own},"
        why = f"a move request came in cycle {asked}, during {its_own} or after it, and may have made room"
        yield Because(f"{name} does not go to the unschedulable pods: {why}.", ("Q-043",))
    if here == "unschedulable" and there in ("active", "backoff"):
        why, rule = (_unattracted(pod), "Q-062") if "Q-062" in rules else ("nothing moves it", "Q-042")
        yield Because(f"{name} stays among the unschedulable pods: {why}.", (rule,))


def _unattracted(pod: Pod | None) -> str:
    """Why a change of another pod does not move it; None where nothing is known of it."""
    near = dict(facts(pod)).get("must be near") if pod else None
    if pod and not near:
        return "it has no required affinity to move it"
    return f"no pod that changed is one that its required affinity selects{f' ({near})' if near else ''}"


def _entered(name: str, rules: Rules) -> Because:
    if "L-031" in rules:
        return Because(f"{name} is assumed, but it changed, and is queued a second time.", ("L-031", "Q-040"))
    return Because(f"{name} is new to the queue, so it is active at once.", ("Q-040", "L-028"))


def _left(name: str, rules: Rules) -> Iterator[Because]:
    """Of a pod that the reference has nowhere."""
    if "L-032" in rules:
        yield Because(f"{name} waits nowhere: it went, or has a node or another scheduler by now.", ("L-032", "L-052"))
    elif "Q-055" in rules:
        yield Because(f"{name} waits nowhere: it is deleted.", ("Q-055",))


def _order(first: str, second: str, pod: Pod, other: Pod, after: QueueState | None) -> Because:
    """`after` where both still wait: of a pod that was taken the queue does not tell since when it had waited."""
    since, later = _since(pod, after), _since(other, after)
    if pod.priority != other.priority:
        why = f"its priority is {pod.priority}, that of {second} {other.priority}"
    else:
        why = f"both have priority {pod.priority}, and it has waited longer"
        if since and later:
            both = f"both since {seconds(since.ms)}, but it came first"
            longer = f"since {seconds(since.ms)}, {second} since {seconds(later.ms)}"
            why += f" ({both if since.ms == later.ms else longer})" if since < later else ""
    return Because(f"{first} comes before {second}: {why}.", ("Q-010",))


def _waiting(pod: Pod | None, after: QueueState | None) -> WaitingPod | None:
    """What the queue tells of it, where both are known."""
    if pod is None or after is None:
        return None
    entries = (*after.active, *after.backoff, *after.unschedulable)
    return next((entry for entry in entries if entry.pod.key == pod.key), None)


def _since(pod: Pod | None, after: QueueState | None) -> Instant | None:
    """Since when it waits."""
    entry = _waiting(pod, after)
    return entry.timestamp if entry else None


def _placed(
    name: str, here: str, there: str | None, pod: Pod | None, after: QueueState | None, now: int
) -> Iterator[Because]:
    text = f"{name} is {PLACES[here]} on both sides" if here == there else f"{name} belongs {PLACES[here]}"
    if there is None:
        text += "; the scheduler under test has it nowhere"
    backoff = _backoff(here, pod, after, now) if here in (there, "active", "backoff") else ""
    if backoff:
        yield Because(f"{text}: {backoff}.", ("Q-020", "Q-021", "Q-022"))
    elif there is None:
        yield Because(f"{text}.")


def _backoff(here: str, pod: Pod | None, after: QueueState | None, now: int) -> str:
    """Told where it decides: while it lasts, and once it is over."""
    waiting = _waiting(pod, after)
    until = waiting.backoff_until if waiting else None
    entry = after.pod_backoff.get(pod.key) if pod and after else None
    if entry is None or until is None or (here == "active") != (until.ms <= now):
        return ""
    times = "once" if entry.attempts == 1 else f"{entry.attempts} times"
    length = seconds(until.ms - entry.last_update.ms)
    ends = "was over at" if here == "active" else "lasts until"
    last = f"refused {times}, last at {seconds(entry.last_update.ms)}"
    return f"{last}, its backoff of {length} {ends} {seconds(until.ms)}; now it is {seconds(now)}"


def _moved(name: str, rules: Rules, since: Instant | None, now: int) -> Iterator[Because]:
    """What takes it away from the unschedulable pods, where that can only be one thing."""
    moves = [rule for rule in MOVES if rule in rules]
    if len(moves) != 1:
        return
    why = MOVES[moves[0]]
    if moves == ["Q-064"] and since:
        why += f"; it is there since {seconds(since.ms)}, and now it is {seconds(now)}"
        if since.plus(LEFTOVER_AGE_MS).ms == now:
            why += ", later within the millisecond, as no two readings of the clock are the same"
    yield Because(f"{name} does not stay among the unschedulable pods: {why}.", tuple(moves))
