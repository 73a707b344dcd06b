"""What follows from a failed attempt: back into the queue, an event, a condition.  [L-051]"""

from attrs import frozen

from impl.clock import Clock
from impl.pod_status import not_scheduled
from impl.requeue import Requeue
from model.api.objects import Pod
from model.api.protocol import Api, RecordEvent, UpdatePodStatus

UNSCHEDULABLE = "Unschedulable"
SCHEDULER_ERROR = "SchedulerError"
VOLUME_BINDING_FAILED = "VolumeBindingFailed"


@frozen
class Failures:
    requeue: Requeue
    clock: Clock

    def record(self, pod: Pod, error: str, reason: str, event_message: str, api: Api) -> None:
        """In this order; the event and the condition may say different things.  [L-051, L-055, L-130, L-133]"""
        self.requeue.start(pod, api)
        api.call(RecordEvent(pod, "Warning", "FailedScheduling", event_message))
        changed = not_scheduled(pod, reason, error, self.clock.ms)
        if changed is not None:
            api.call(UpdatePodStatus(changed))
