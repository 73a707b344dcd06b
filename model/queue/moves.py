"""What makes waiting pods move: events in the cluster, and time.  [Q-060..Q-068]"""

from collections.abc import Iterable

from attrs import evolve

from model.api.clock import Instant
from model.api.objects import Pod, PodAffinityTerm
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.api.selectors import (
    SelectorError,
    required_affinity_terms,
    required_anti_affinity_terms,
    term_matches,
    term_namespaces,
)
from model.queue import heap
from model.queue.backoff import backoff_time, is_backing_off
from model.queue.state import LEFTOVER_AGE_MS, Entry, Queue, less_active, less_backoff
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule

quirk("Q-061", "A move request of no pods still counts as a move request")
quirk("Q-062", "A pod kept out by its anti-affinity stays when another pod's labels change")
quirk("Q-063", "An affinity term with an invalid selector ends the process when a pod of its namespaces is assigned")

declare("Q-067", "The flushes come at whole seconds, as events: when they come relative to others is free", __name__)
declare("Q-068", "A pod no event touches leaves the unschedulable ones 60 to 90 s after its last attempt", __name__)
declare("Q-080", "Active, being scheduled, then backoff or unschedulable, and back to active", __name__)
declare(
    "Q-081", "A move request finds a pod still backing off, which then waits for its backoff, or not any more", __name__
)


@rule("Q-060", "Every unschedulable pod moves: to backoff while its backoff runs, else to active")
def move_all_to_active(queue: Queue, now: Instant, quirks: Quirks = EVERY) -> Queue:
    """MoveAllToActiveQueue; in ascending order of `name_namespace`, where kube-scheduler's is random."""
    return _moved(queue, _in_order(queue.unschedulable.values()), now, quirks)


@rule("Q-061", "The pods named move as all would; the move request counts even when none is named")
def move_pods(queue: Queue, entries: list[Entry], now: Instant, quirks: Quirks = EVERY) -> Queue:
    if not entries and "Q-061" not in quirks:
        return queue
    return _moved(queue, entries, now, quirks)


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.pod.full_name)


def _moved(queue: Queue, entries: list[Entry], now: Instant, quirks: Quirks) -> Queue:
    if not entries:
        return evolve(queue, move_cycle=queue.cycle)
    backing_off = [entry for entry in entries if is_backing_off(queue.backoffs, entry.pod, now, quirks)]
    ready = [entry for entry in entries if not is_backing_off(queue.backoffs, entry.pod, now, quirks)]
    moved = {entry.pod.full_name for entry in entries}
    if backing_off:
        reached("queue: unschedulable to backoff")
    if ready:
        reached("queue: unschedulable to active")
    return evolve(
        queue,
        active=heap.add(queue.active, _keyed(ready), less_active),
        backoff=heap.add(queue.backoff, _keyed(backing_off), less_backoff(queue.backoffs, quirks)),
        unschedulable={name: entry for name, entry in queue.unschedulable.items() if name not in moved},
        move_cycle=queue.cycle,
    )


def _keyed(entries: Iterable[Entry]) -> Iterable[tuple[str, Entry]]:
    return ((entry.key, entry) for entry in entries)


@rule("Q-062", "An assigned pod moves those whose required affinity terms select it, wherever it runs")
def assigned_pod_added(queue: Queue, pod: Pod, now: Instant, quirks: Quirks = EVERY) -> Queue:
    """AssignedPodAdded.  Raises Crash."""
    waiting_for = _in_order(entry for entry in queue.unschedulable.values() if _wants(entry.pod, pod, quirks))
    return move_pods(queue, waiting_for, now, quirks)


assigned_pod_updated = assigned_pod_added
"""AssignedPodUpdated."""


def _wants(waiting: Pod, assigned: Pod, quirks: Quirks) -> bool:
    if "Q-062" not in quirks and required_anti_affinity_terms(waiting):
        return True
    return any(_selects(term, waiting, assigned, quirks) for term in required_affinity_terms(waiting))


@clause(
    "Q-063", "A term whose selector cannot be built matches nothing outside its namespaces, and inside ends the process"
)
def _selects(term: PodAffinityTerm, owner: Pod, assigned: Pod, quirks: Quirks) -> bool:
    try:
        return term_matches(term, owner, assigned)
    except SelectorError:
        reached("Q-063")
        if "Q-063" in quirks and assigned.namespace in term_namespaces(term, owner):
            raise Crash(NIL_DEREFERENCE) from None
        return False


@rule("Q-064", "Pods that waited unschedulable for more than 60 s move")
def flush_leftover(queue: Queue, now: Instant, quirks: Quirks = EVERY) -> Queue:
    """FlushUnschedulableQLeftover."""
    leftover = _in_order(e for e in queue.unschedulable.values() if e.timestamp.plus(LEFTOVER_AGE_MS) < now)
    return move_pods(queue, leftover, now, quirks) if leftover else queue


@rule("Q-065", "Heads of the backoff queue whose backoff is over become active, until one is met that still waits")
@clause("Q-066", "A pod whose backoff entry has been collected is released when it is the head")
def flush_backoff(queue: Queue, now: Instant, quirks: Quirks = EVERY) -> Queue:
    """FlushBackoffQCompleted."""

    def is_over(entry: Entry) -> bool:
        until = backoff_time(queue.backoffs, entry.pod, quirks)
        if until is None:
            reached("Q-066")
        return until is None or until <= now

    backoff, released = heap.pop_while(queue.backoff, is_over, less_backoff(queue.backoffs, quirks))
    return evolve(queue, backoff=backoff, active=heap.add(queue.active, released, less_active))
