"""How long a pod that failed has to wait before it is tried again.  [Q-020..Q-028]"""

from collections.abc import Iterable, Mapping
from itertools import takewhile

from model.api.clock import Instant
from model.api.components import BackoffEntry
from model.api.objects import Pod
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule

INITIAL_MS = 1_000
MAXIMUM_MS = 10_000

Backoffs = Mapping[str, BackoffEntry]
"""The backoff entry of every pod that has one, by `backoff_key`; the longest untouched first."""

declare("Q-027", "One clock serves the timestamps, the backoff entries and their collection", __name__)

quirk("Q-025", "A pod that failed again after the longest backoff starts over at the shortest")
quirk("Q-028", "A pod re-created under the same name inherits the backoff")
quirk("Q-066", "The backoff entry of a pod that still sits in the backoff queue may be collected")


@rule("O-012", "The backoff of a pod is found by its namespace and name")
@rule("Q-028", "Backoff is kept by namespace and name, whatever the UID")
def backoff_key(pod: Pod, quirks: Quirks = EVERY) -> str:
    key = f"{pod.namespace}/{pod.name}"
    return key if "Q-028" in quirks else f"{key}/{pod.uid}"


@rule("Q-020", "A backoff lasts 1, 2, 4, 8 and then always 10 seconds")
def duration_ms(attempts: int) -> int:
    return min(INITIAL_MS << min(attempts - 1, 4), MAXIMUM_MS)


@rule("Q-021", "A backoff ends its duration after the last update")
def backoff_time(backoffs: Backoffs, pod: Pod, quirks: Quirks = EVERY) -> Instant | None:
    """None for a pod without entry."""
    entry = backoffs.get(backoff_key(pod, quirks))
    return entry.last_update.plus(duration_ms(entry.attempts)) if entry else None


@rule("Q-022", "A pod is backing off while its backoff time lies in the future")
def is_backing_off(backoffs: Backoffs, pod: Pod, now: Instant, quirks: Quirks = EVERY) -> bool:
    until = backoff_time(backoffs, pod, quirks)
    return until is not None and until > now


@rule("Q-023", "Entries not updated for longer than the longest backoff are forgotten")
def collect_garbage(backoffs: Backoffs, waiting: Iterable[Pod], now: Instant, quirks: Quirks = EVERY) -> Backoffs:
    """`waiting`: the pods in the backoff queue, which are not spared.  [Q-025, Q-066]"""
    kept_ms = MAXIMUM_MS if "Q-025" in quirks else 2 * MAXIMUM_MS
    old = list(takewhile(lambda key: backoffs[key].last_update.plus(kept_ms) < now, backoffs))
    if not old:
        return backoffs
    reached("backoff: entries collected")
    spared = () if "Q-066" in quirks else {backoff_key(pod, quirks) for pod in waiting}
    return _without(backoffs, (key for key in old if key not in spared))


@rule("Q-024", "A failure is a new attempt only when the previous backoff is over, and not just ending")
def start_backoff(
    backoffs: Backoffs, waiting: Iterable[Pod], pod: Pod, now: Instant, quirks: Quirks = EVERY
) -> Backoffs:
    kept = collect_garbage(backoffs, waiting, now, quirks)
    until = backoff_time(kept, pod, quirks)
    if until is not None and until >= now:
        reached("backoff: still running")
        return kept
    key = backoff_key(pod, quirks)
    entry = BackoffEntry(_attempts_so_far(backoffs, kept, key) + 1, now)
    return {**_without(kept, [key]), key: entry}


@clause("Q-025", "An entry old enough for a new attempt at the longest backoff is forgotten first: attempts start over")
def _attempts_so_far(before: Backoffs, kept: Backoffs, key: str) -> int:
    if key in before and key not in kept:
        reached("Q-025")
    return kept[key].attempts if key in kept else 0


@rule("Q-026", "Backoff is cleared by a real update of an unschedulable pod and by the deletion of one not active")
def clear_backoff(backoffs: Backoffs, pod: Pod, quirks: Quirks = EVERY) -> Backoffs:
    return _without(backoffs, [backoff_key(pod, quirks)])


def _without(backoffs: Backoffs, keys: Iterable[str]) -> Backoffs:
    others = dict(backoffs)
    for key in keys:
        others.pop(key, None)
    return others
