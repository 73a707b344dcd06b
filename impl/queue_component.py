"""The queue behind the protocol for judging it alone.  [Q-090]"""

from impl.queue import Entry, Queue, QueueError
from model.api.components import Operation, Outcome, QueueState, WaitingPod
from model.api.objects import Pod


class OptimizedQueue:
    """A components.QueueComponent."""

    def __init__(self) -> None:
        self._queue = Queue()

    def apply(self, operation: Operation) -> Outcome:
        """Perform one operation.  Raises Crash, and ValueError for an unknown one."""
        try:
            return Outcome(result=self._perform(operation))
        except QueueError as error:
            return Outcome(error=str(error))

    def _perform(self, operation: Operation) -> tuple[Pod, ...] | Pod | None:
        queue, now = self._queue, operation.now
        match operation:
            case Operation(name="Pop"):
                return queue.pop()
            case Operation(name="PendingPods"):
                return tuple(queue.pending())
            case Operation(name="NominatedPodsForNode"):
                return tuple(queue.nominations.of(operation.node_name))
            case Operation(name="MoveAllToActiveQueue"):
                queue.move_all_to_active(now)
            case Operation(name="FlushBackoffQCompleted"):
                queue.flush_backoff(now)
            case Operation(name="FlushUnschedulableQLeftover"):
                queue.flush_leftover(now)
            case Operation(name="Close"):
                queue.close()
            case Operation(name="Update", new=Pod() as new):
                queue.update(operation.old, new, now)
            case Operation(name="Add", pod=Pod() as pod):
                queue.add(pod, now)
            case Operation(name="AddIfNotPresent", pod=Pod() as pod):
                queue.add_if_not_present(pod, now)
            case Operation(name="AddUnschedulableIfNotPresent", pod=Pod() as pod):
                queue.add_unschedulable_if_not_present(pod, operation.cycle, now)
            case Operation(name="Delete", pod=Pod() as pod):
                queue.delete(pod)
            case Operation(name="AssignedPodAdded" | "AssignedPodUpdated", pod=Pod() as pod):
                queue.assigned_pod_added(pod, now)
            case Operation(name="UpdateNominatedPodForNode", pod=Pod() as pod):
                queue.nominations.add(pod, operation.node_name)
            case Operation(name="DeleteNominatedPodIfExists", pod=Pod() as pod):
                queue.nominations.delete(pod)
            case _:
                raise ValueError(f"unknown or incomplete queue operation {operation.name}")
        return None

    def state(self) -> QueueState:
        queue = self._queue
        return QueueState(
            active=tuple(self._waiting(entry) for entry in queue.in_pop_order()),
            backoff=tuple(self._waiting(entry) for entry in sorted(queue.backing_off, key=_name)),
            unschedulable=tuple(self._waiting(entry) for entry in sorted(queue.unschedulable.values(), key=_name)),
            pod_backoff=dict(queue.backoff.items()),
            nominated={node: tuple(pods) for node, pods in queue.nominated.items()},
            scheduling_cycle=queue.cycle,
            move_request_cycle=queue.move_cycle,
        )

    def _waiting(self, entry: Entry) -> WaitingPod:
        return WaitingPod(entry.pod, entry.timestamp, self._queue.backoff.end(entry.pod))


def _name(entry: Entry) -> str:
    return f"{entry.pod.namespace}/{entry.pod.name}"
