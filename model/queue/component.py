"""The queue as a part that can be judged alone."""

from collections.abc import Iterable

from model import queue as q
from model.api.components import Operation, Outcome, QueueState, WaitingPod
from model.queue.backoff import backoff_time
from model.queue.heap import in_pop_order
from model.queue.nominations import nominated_pods
from model.queue.state import Entry, Queue, QueueError, less_active
from model.quirks import EVERY, Quirks


class ModelQueue:
    """The reference queue behind the component protocol."""

    def __init__(self, quirks: Quirks = EVERY) -> None:
        self._queue = Queue()
        self._quirks = quirks

    def apply(self, operation: Operation) -> Outcome:
        """Perform it.  Raises Crash."""
        try:
            self._queue, outcome = performed(self._queue, operation, self._quirks)
        except QueueError as error:
            return Outcome(error=str(error))
        return outcome

    def state(self) -> QueueState:
        return observed(self._queue, self._quirks)


def performed(queue: Queue, operation: Operation, quirks: Quirks = EVERY) -> tuple[Queue, Outcome]:
    """The queue after the operation, and what it returned.  Raises QueueError and Crash."""
    match operation:
        case Operation(name="Pop"):
            queue, pod = q.pop(queue)
            return queue, Outcome(result=pod)
        case Operation(name="NominatedPodsForNode", node_name=node):
            return queue, Outcome(result=nominated_pods(queue.nominations, node))
        case Operation(name="PendingPods"):
            return queue, Outcome(result=q.pending_pods(queue))
        case _:
            return changed(queue, operation, quirks), Outcome()


def changed(queue: Queue, operation: Operation, quirks: Quirks = EVERY) -> Queue:
    """The queue after an operation that returns nothing.  Raises QueueError and Crash."""
    now = operation.now
    match operation:
        case Operation(name="Add", pod=pod) if pod:
            return q.add(queue, pod, now, quirks)
        case Operation(name="AddIfNotPresent", pod=pod) if pod:
            return q.add_if_not_present(queue, pod, now, quirks)
        case Operation(name="AddUnschedulableIfNotPresent", pod=pod, cycle=cycle) if pod:
            return q.add_unschedulable_if_not_present(queue, pod, cycle, now, quirks)
        case Operation(name="Update", old=old, new=new) if new:
            return q.update(queue, old, new, now, quirks)
        case Operation(name="Delete", pod=pod) if pod:
            return q.delete(queue, pod, quirks)
        case Operation(name="AssignedPodAdded", pod=pod) if pod:
            return q.assigned_pod_added(queue, pod, now, quirks)
        case Operation(name="AssignedPodUpdated", pod=pod) if pod:
            return q.assigned_pod_updated(queue, pod, now, quirks)
        case Operation(name="UpdateNominatedPodForNode", pod=pod, node_name=node) if pod:
            return q.nominate(queue, pod, node)
        case Operation(name="DeleteNominatedPodIfExists", pod=pod) if pod:
            return q.delete_nominated(queue, pod)
        case Operation(name="MoveAllToActiveQueue"):
            return q.move_all_to_active(queue, now, quirks)
        case Operation(name="FlushBackoffQCompleted"):
            return q.flush_backoff(queue, now, quirks)
        case Operation(name="FlushUnschedulableQLeftover"):
            return q.flush_leftover(queue, now, quirks)
        case Operation(name="Close"):
            return q.close(queue)
    raise ValueError(f"not a queue operation with its arguments: {operation.name}")


def observed(queue: Queue, quirks: Quirks = EVERY) -> QueueState:
    """The whole state, in the form all implementations are compared in."""

    def waiting(entries: Iterable[Entry]) -> tuple[WaitingPod, ...]:
        return tuple(WaitingPod(e.pod, e.timestamp, backoff_time(queue.backoffs, e.pod, quirks)) for e in entries)

    return QueueState(
        active=waiting(in_pop_order(queue.active, less_active)),
        backoff=waiting(sorted(queue.backoff.entries.values(), key=lambda entry: entry.key)),
        unschedulable=waiting(sorted(queue.unschedulable.values(), key=lambda entry: entry.key)),
        pod_backoff=queue.backoffs,
        nominated=queue.nominated_by_node,
        scheduling_cycle=queue.cycle,
        move_request_cycle=queue.move_cycle,
    )
