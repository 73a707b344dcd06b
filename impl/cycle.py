"""The scheduling cycle: decide about one pod, then act on the decision.  [L-050, L-080, L-090]"""

from attrs import define

from impl.algorithm import Algorithm, Scheduled
from impl.assume_cache import VolumeError
from impl.binding import Bindings
from impl.cache_error import CacheError
from impl.failure import SCHEDULER_ERROR, UNSCHEDULABLE, Failures
from impl.placement import placed
from impl.preempting import preempt
from impl.queue import QueueError
from impl.surroundings import Surroundings
from model.api.configuration import Configuration
from model.api.objects import Pod
from model.api.protocol import Api, RecordEvent, TookPod


@define
class Cycle:
    """At most one pod is between decision and deed."""

    surroundings: Surroundings
    algorithm: Algorithm
    failures: Failures
    bindings: Bindings
    configuration: Configuration
    _decided: tuple[Pod, Scheduled] | None = None

    def start(self, api: Api) -> None:
        """Take a pod and decide, if one is waiting and not about to be deleted.  Raises Crash.  [L-050.1, .2, .3]"""
        try:
            pod = self.surroundings.queue.pop()
        except QueueError:
            return
        if pod is None:
            return
        api.call(TookPod(pod))
        if pod.is_terminating:
            message = f"skip schedule deleting pod: {pod.namespace}/{pod.name}"
            api.call(RecordEvent(pod, "Warning", "FailedScheduling", message))
            return
        self._decided = pod, self.algorithm.schedule(pod, api)

    def finish(self, api: Api) -> None:
        """Raises Crash."""
        if self._decided is None:
            return
        (pod, scheduled), self._decided = self._decided, None
        if scheduled.host is None:
            self._fail(pod, scheduled, api)
        else:
            self._place(placed(pod, scheduled.host), api)

    def _fail(self, pod: Pod, scheduled: Scheduled, api: Api) -> None:
        """Only where the pod fits nowhere can preemption help.  [L-054, L-100]"""
        error = scheduled.error or ""
        self.failures.record(pod, error, UNSCHEDULABLE, error, api)
        enabled = not self.configuration.disable_preemption and self.configuration.feature_gates.get(
            "PodPriority", True
        )
        if scheduled.fit_error is not None and enabled:
            preempt(pod, scheduled.fit_error, self.algorithm, self.surroundings.queue.nominations, api)

    def _place(self, assumed: Pod, api: Api) -> None:
        """Volumes, then the pod, then the binding phase; assumed volumes stay so if the pod cannot be.  [L-050.6]"""
        try:
            all_bound = self.surroundings.binder.assume(assumed, assumed.spec.node_name)
        except VolumeError as error:
            message = f"AssumePodVolumes failed: {error}"
            self.failures.record(assumed, str(error), SCHEDULER_ERROR, message, api)
            return
        try:
            self.surroundings.cache.assume_pod(assumed)
        except CacheError as error:
            self.failures.record(assumed, str(error), SCHEDULER_ERROR, f"AssumePod failed: {error}", api)
            return
        self.surroundings.queue.nominations.delete(assumed)
        self.bindings.start(assumed, all_bound, api)
