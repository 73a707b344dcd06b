"""Putting a pod back into the queue after a failure.  [L-052, L-053]"""

from contextlib import suppress

from attrs import define

from impl.clock import Clock
from impl.queue import Queue, QueueError
from model.api.objects import Pod
from model.api.protocol import Api, ApiError, GetPod, WakeAt

FIRST_DELAY_MS = 100
LONGEST_DELAY_MS = 60_000


@define
class Task:
    """`pod_cycle` is the queue's cycle when the failure was reported; ms.  [Q-082]"""

    pod: Pod
    pod_cycle: int
    delay: int = FIRST_DELAY_MS
    due: int = 0


class Requeue:
    """Reads the pod from the API before it is queued again, as often as it takes."""

    def __init__(self, queue: Queue, clock: Clock) -> None:
        self._queue = queue
        self._clock = clock
        self._waiting: list[Task] = []

    def start(self, pod: Pod, api: Api) -> None:
        self._attempt(Task(pod, self._queue.cycle), api)

    def retry(self, api: Api) -> None:
        """Go on with the tasks whose delay is over."""
        due = [task for task in self._waiting if task.due <= self._clock.ms]
        for task in due:
            self._waiting.remove(task)
            self._attempt(task, api)

    def _attempt(self, task: Task, api: Api) -> None:
        """Whatever the API holds under the name is queued, unless it has a node.  [L-053]"""
        stored = api.call(GetPod(task.pod.namespace, task.pod.name))
        if isinstance(stored, ApiError):
            if stored.reason != "NotFound":
                task.delay = min(2 * task.delay, LONGEST_DELAY_MS)
                task.due = self._clock.ms + task.delay
                self._waiting.append(task)
                api.call(WakeAt(task.due))
        elif not stored.spec.node_name:
            with suppress(QueueError):
                self._queue.add_unschedulable_if_not_present(stored, task.pod_cycle, self._clock.read())
