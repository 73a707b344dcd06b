"""What happens to one pod in the scheduling queue.  [Q-040..Q-056, Q-070..Q-072]

Every operation takes the queue and gives the queue after it.
"""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from model.api.clock import Instant
from model.api.objects import Pod
from model.queue import heap
from model.queue.backoff import clear_backoff, start_backoff
from model.queue.nominations import add_nomination, delete_nomination, renominate, update_nomination
from model.queue.state import Entry, Queue, QueueError, less_active, less_backoff
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule

quirk("Q-051", "Any update of a pod that is backing off, even of its status, ends the backoff")
quirk("Q-054", "An update without an old version puts a pod that is backing off into a second queue")
quirk("Q-056", "Deleting an active pod leaves its backoff entry behind")


@rule("Q-040", "A pod added is active from now on, wherever it was before")
def add(queue: Queue, pod: Pod, now: Instant, quirks: Quirks = EVERY) -> Queue:
    """Add."""
    added = _activated(queue, Entry(pod, now))
    removed = _out_of_backoff(_out_of_unschedulable(added, pod), pod, quirks)
    return evolve(removed, nominations=renominate(queue.nominations, pod, quirks))


@rule("Q-041", "A pod that waits anywhere is left as it is")
def add_if_not_present(queue: Queue, pod: Pod, now: Instant, quirks: Quirks = EVERY) -> Queue:
    """AddIfNotPresent."""
    if pod.full_name in queue.unschedulable or pod.key in queue.active or pod.key in queue.backoff:
        return queue
    added = _activated(queue, Entry(pod, now))
    return evolve(added, nominations=renominate(queue.nominations, pod, quirks))


@rule("Q-042", "A pod that could not be scheduled waits, and its backoff starts")
@clause("Q-043", "A move request during or after the pod's own cycle means: try again as soon as the backoff is over")
def add_unschedulable_if_not_present(
    queue: Queue, pod: Pod, pod_cycle: int, now: Instant, quirks: Quirks = EVERY
) -> Queue:
    """AddUnschedulableIfNotPresent.  Raises QueueError when the pod waits already."""
    if pod.full_name in queue.unschedulable:
        raise QueueError("pod is already present in unschedulableQ")
    if pod.key in queue.active:
        raise QueueError("pod is already present in the activeQ")
    if pod.key in queue.backoff:
        raise QueueError("pod is already present in the backoffQ")
    waiting = (entry.pod for entry in queue.backoff.entries.values())
    failed = evolve(
        queue,
        backoffs=start_backoff(queue.backoffs, waiting, pod, now, quirks),
        nominations=renominate(queue.nominations, pod, quirks),
    )
    entry = Entry(pod, now)
    if failed.move_cycle >= pod_cycle:
        reached("Q-043")
        less = less_backoff(failed.backoffs, quirks)
        return evolve(failed, backoff=heap.add(failed.backoff, [(entry.key, entry)], less))
    reached("queue: unschedulable")
    return evolve(failed, unschedulable={**failed.unschedulable, pod.full_name: entry})


declare("Q-082", "The pod cycle handed in is the one of the report: move requests before it are missed", __name__)
declare("Q-044", "The scheduling cycle is how many pods have been popped: Queue.cycle", __name__)
declare("Q-046", "A queue that is closed and empty gives no next pod", __name__)


@rule("Q-045", "The head of the active queue is taken out and a new cycle begins; a closed queue still delivers")
@clause("Q-015", "The pod taken is minimal among the active; among equals the heap's history decides")
def pop(queue: Queue) -> tuple[Queue, Pod | None]:
    """Pop; None where the caller would block.  Raises QueueError when closed and empty."""
    if not queue.active:
        if queue.closed:
            raise QueueError("scheduling queue is closed")
        return queue, None
    reached("Q-015")
    active, entry = heap.pop(queue.active, less_active)
    return evolve(queue, active=active, cycle=queue.cycle + 1), entry.pod


@rule("Q-050", "A pod is really updated when anything but its status, resource version or generation changed")
def is_really_updated(old: Pod, new: Pod) -> bool:
    return _without_status(old) != _without_status(new)


def _without_status(pod: Pod) -> Mapping[str, Any]:
    document = {key: value for key, value in pod.document.items() if key != "status"}
    metadata = document.get("metadata") or {}
    kept = {key: value for key, value in metadata.items() if key not in ("resourceVersion", "generation")}
    return {**document, "metadata": kept}


@rule("Q-051", "A waiting pod takes the new version with its old timestamp; an unknown one enters the queue")
@clause("Q-054", "Without an old version only the unschedulable pods are looked through")
def update(queue: Queue, old: Pod | None, new: Pod, now: Instant, quirks: Quirks = EVERY) -> Queue:
    """Update.  Raises Crash."""
    if old is None:
        reached("Q-054")
        if "Q-054" not in quirks:
            old = _held(queue, new)
    if old is not None and old.key in queue.active:
        return _updated_in_active(queue, old, new, quirks)
    if old is not None and old.key in queue.backoff:
        return _updated_in_backoff(queue, old, new, quirks)
    if new.full_name in queue.unschedulable:
        return _updated_in_unschedulable(queue, old, new, quirks)
    reached("queue: update of an unknown pod")
    added = _activated(queue, Entry(new, now))
    return evolve(added, nominations=renominate(queue.nominations, new, quirks))


def _held(queue: Queue, pod: Pod) -> Pod | None:
    entry = queue.active.entries.get(pod.key) or queue.backoff.entries.get(pod.key)
    return entry.pod if entry else None


def _updated_in_active(queue: Queue, old: Pod, new: Pod, quirks: Quirks) -> Queue:
    reached("queue: update in active")
    entry = Entry(new, queue.active.entries[old.key].timestamp)
    return evolve(_activated(queue, entry), nominations=update_nomination(queue.nominations, old, new, quirks))


def _updated_in_backoff(queue: Queue, old: Pod, new: Pod, quirks: Quirks) -> Queue:
    reached("queue: update in backoff")
    entry = Entry(new, queue.backoff.entries[old.key].timestamp)
    renominated = evolve(queue, nominations=update_nomination(queue.nominations, old, new, quirks))
    if "Q-051" in quirks:
        return _activated(_out_of_backoff(renominated, old, quirks), entry)
    less = less_backoff(queue.backoffs, quirks)
    return evolve(renominated, backoff=heap.add(queue.backoff, [(entry.key, entry)], less))


@clause("Q-052", "An unschedulable pod stays so while only its status changed")
@clause("Q-053", "An unschedulable pod that really changed is active at once, its backoff forgotten")
def _updated_in_unschedulable(queue: Queue, old: Pod | None, new: Pod, quirks: Quirks) -> Queue:
    entry = Entry(new, queue.unschedulable[new.full_name].timestamp)
    renominated = evolve(queue, nominations=update_nomination(queue.nominations, old, new, quirks))
    if old is not None and not is_really_updated(old, new):
        reached("Q-052")
        return evolve(renominated, unschedulable={**queue.unschedulable, new.full_name: entry})
    reached("Q-053")
    forgotten = evolve(renominated, backoffs=clear_backoff(queue.backoffs, new, quirks))
    return _activated(_out_of_unschedulable(forgotten, new), entry)


@rule("Q-055", "A deleted pod leaves the queue, its nomination and its backoff")
def delete(queue: Queue, pod: Pod, quirks: Quirks = EVERY) -> Queue:
    """Delete."""
    queue = evolve(queue, nominations=delete_nomination(queue.nominations, pod))
    if pod.key in queue.active:
        queue = _deleted_from_active(queue, pod)
        if "Q-056" in quirks:
            return queue
    queue = evolve(queue, backoffs=clear_backoff(queue.backoffs, pod, quirks))
    return _out_of_unschedulable(_out_of_backoff(queue, pod, quirks), pod)


@rule("Q-056", "A pod deleted from the active queue is looked for nowhere else, and its backoff entry stays")
def _deleted_from_active(queue: Queue, pod: Pod) -> Queue:
    return evolve(queue, active=heap.delete(queue.active, pod.key, less_active))


@rule("Q-035", "A nomination to no node is one to the node in the pod's status")
def nominate(queue: Queue, pod: Pod, node_name: str) -> Queue:
    """UpdateNominatedPodForNode."""
    return evolve(queue, nominations=add_nomination(queue.nominations, pod, node_name))


@rule("Q-036", "A nomination can be taken back")
def delete_nominated(queue: Queue, pod: Pod) -> Queue:
    """DeleteNominatedPodIfExists."""
    return evolve(queue, nominations=delete_nomination(queue.nominations, pod))


@rule("Q-070", "Pending are all pods that wait: active, backing off, unschedulable")
def pending_pods(queue: Queue) -> tuple[Pod, ...]:
    """PendingPods; the order within each of the three means nothing."""
    held = (queue.active.entries, queue.backoff.entries, queue.unschedulable)
    return tuple(entry.pod for entries in held for entry in entries.values())


@rule("Q-071", "Pods that are backing off do not count as unschedulable")
def num_unschedulable_pods(queue: Queue) -> int:
    """NumUnschedulablePods."""
    return len(queue.unschedulable)


@rule("Q-072", "Closing lets a blocked Pop return; everything else goes on")
def close(queue: Queue) -> Queue:
    """Close."""
    return evolve(queue, closed=True)


def _activated(queue: Queue, entry: Entry) -> Queue:
    return evolve(queue, active=heap.add(queue.active, [(entry.key, entry)], less_active))


def _out_of_backoff(queue: Queue, pod: Pod, quirks: Quirks) -> Queue:
    if pod.key not in queue.backoff:
        return queue
    return evolve(queue, backoff=heap.delete(queue.backoff, pod.key, less_backoff(queue.backoffs, quirks)))


def _out_of_unschedulable(queue: Queue, pod: Pod) -> Queue:
    if pod.full_name not in queue.unschedulable:
        return queue
    others = dict(queue.unschedulable)
    del others[pod.full_name]
    return evolve(queue, unschedulable=others)
