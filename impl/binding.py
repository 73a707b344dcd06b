"""The binding phase of assumed pods: volumes first, then the bind request.  [L-095..L-099, V-040, V-041]"""

from contextlib import suppress

from attrs import define

from impl.algorithm import Algorithm
from impl.assume_cache import VolumeError
from impl.cache_error import CacheError
from impl.clock import Clock
from impl.failure import SCHEDULER_ERROR, VOLUME_BINDING_FAILED, Failures
from impl.surroundings import Surroundings
from impl.volume_search import NodeDecision
from model.api.objects import Pod
from model.api.protocol import Api, ApiError, Bind, Pending, RecordEvent, WakeAt

POLL_MS = 1_000


@define
class Phase:
    """The binding of one assumed pod; waits for its volumes, or for the answer to its bind request.

    `started` and `due` in ms: when the volumes were requested, and when to look at them next.
    """

    pod: Pod
    ticket: int
    volumes: NodeDecision | None = None
    started: int = 0
    due: int = 0


class Bindings:
    """`waiting`: the phases under way, oldest first.  `timeout_ms` 0 waits for ever.  [L-263]"""

    def __init__(
        self, surroundings: Surroundings, algorithm: Algorithm, failures: Failures, clock: Clock, timeout_ms: int
    ) -> None:
        self._cache = surroundings.cache
        self._binder = surroundings.binder
        self._algorithm = algorithm
        self._failures = failures
        self._clock = clock
        self._timeout_ms = timeout_ms
        self._tickets = 0
        self.waiting: list[Phase] = []

    def start(self, assumed: Pod, all_bound: bool, api: Api) -> None:
        """[L-095]"""
        self._tickets += 1
        phase = Phase(assumed, self._tickets)
        if all_bound:
            self._bind(phase, api)
            return
        try:
            phase.volumes = self._binder.request(assumed, api)
        except VolumeError as error:
            self._give_up_volumes(assumed, str(error), api)
            return
        phase.started = self._clock.ms
        self.waiting.append(phase)
        self._look_again(phase, api)

    def poll(self, api: Api) -> None:
        """Look at the volumes that are due, in the order in which their phases began.  [V-041]"""
        for phase in list(self.waiting):
            if phase.volumes is not None and phase.due <= self._clock.ms:
                self._check(phase, phase.volumes, api)

    def answer(self, ticket: int, error: ApiError | None, api: Api) -> None:
        """A bind request that was pending is answered.  Raises ValueError for a ticket nobody holds."""
        phase = next((phase for phase in self.waiting if phase.ticket == ticket and phase.volumes is None), None)
        if phase is None:
            raise ValueError(f"no bind request with ticket {ticket} is pending")
        self.waiting.remove(phase)
        self._finish(phase.pod, error.message if error else None, api)

    def _check(self, phase: Phase, volumes: NodeDecision, api: Api) -> None:
        try:
            done = self._binder.is_done(phase.pod, volumes)
            if not done and self._timeout_ms and self._clock.ms - phase.started >= self._timeout_ms:
                raise VolumeError("timed out waiting for the condition")
        except VolumeError as error:
            self.waiting.remove(phase)
            self._give_up_volumes(phase.pod, str(error), api)
            return
        if done:
            self.waiting.remove(phase)
            phase.volumes = None
            self._bind(phase, api)
        else:
            self._look_again(phase, api)

    def _look_again(self, phase: Phase, api: Api) -> None:
        phase.due = self._clock.ms + POLL_MS
        api.call(WakeAt(phase.due))

    def _bind(self, phase: Phase, api: Api) -> None:
        """[L-097, L-099]"""
        pod, node = phase.pod, phase.pod.spec.node_name
        if self._algorithm.has_binder(pod):
            self._finish(pod, self._algorithm.bind(pod, node, api), api)
            return
        answer = api.call(Bind(pod, node, phase.ticket))
        if isinstance(answer, Pending):
            self.waiting.append(phase)
        else:
            self._finish(pod, answer.message if answer else None, api)

    def _finish(self, pod: Pod, error: str | None, api: Api) -> None:
        """[L-097]"""
        with suppress(CacheError):
            self._cache.finish_binding(pod, self._clock.read())
        if error is None:
            message = f"Successfully assigned {pod.namespace}/{pod.name} to {pod.spec.node_name}"
            api.call(RecordEvent(pod, "Normal", "Scheduled", message))
            return
        self._forget(pod)
        self._failures.record(pod, error, SCHEDULER_ERROR, f"Binding rejected: {error}", api)

    def _give_up_volumes(self, pod: Pod, error: str, api: Api) -> None:
        """[L-096]"""
        self._forget(pod)
        self._failures.record(pod, error, VOLUME_BINDING_FAILED, error, api)

    def _forget(self, pod: Pod) -> None:
        with suppress(CacheError):
            self._cache.forget_pod(pod)
