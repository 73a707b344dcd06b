"""The scheduler's side door to the API server: every call is answered and leaves its effect."""

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from attrs import Factory, define, field, fields_dict

from model.api.objects import Pod
from model.api.protocol import (
    PENDING,
    ApiError,
    AskExtender,
    Bind,
    BindAnswered,
    Call,
    DeletePod,
    GetPod,
    Pending,
    RecordEvent,
    TookPod,
    UpdateClaim,
    UpdatePodStatus,
    UpdateVolume,
    WakeAt,
)
from oracle.environment import effects
from oracle.environment.effects import Effect
from oracle.environment.server import Server
from oracle.environment.settings import ApiFailures, Settings

Answer = TypeVar("Answer")
ExtenderAnswers = Callable[[AskExtender], Any]
"""Plays the extenders: the decoded JSON of an answer, or an ApiError."""

INJECTED = ApiError("Internal", "Internal error occurred: injected bind failure")
UNANSWERED = ApiError("Internal", "Internal error occurred: injected failure")


def no_extender(request: AskExtender) -> ApiError:
    """Nobody listens at any URL."""
    return ApiError("Internal", f"Post {request.url_prefix.rstrip('/')}/{request.verb}: connection refused")


@define
class Requests:
    """Implements `protocol.Api`.  `effects` and `taken` collect until the environment takes them.

    While `holding`, bind requests wait in `held` instead of reaching the server; those of a process that has ended
    wait in `orphaned`.
    """

    server: Server
    settings: Settings
    extender: ExtenderAnswers = no_extender
    effects: list[Effect] = Factory(list)
    taken: list[Pod] = Factory(list)
    wakes: set[int] = Factory(set)
    held: list[Bind] = Factory(list)
    orphaned: list[Bind] = Factory(list)
    holding: bool = False
    _failures: dict[str, Counter[str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        failing = self.settings.api_failures
        self._failures = {request: Counter(getattr(failing, request)) for request in fields_dict(ApiFailures)}
        self._failures["bind"] = Counter(self.settings.bind_failures)

    def call(self, request: Call[Answer]) -> Answer:
        """Raises TypeError for a call that is none of the protocol's."""
        answer = _ANSWERS.get(type(request))
        if answer is None:
            raise TypeError(f"not a call of the protocol: {type(request).__name__}")
        return answer(self, request)  # type: ignore[no-any-return]

    def release(self, request: Bind) -> BindAnswered:
        """A held bind request reaches the server now."""
        self.held.remove(request)
        return BindAnswered(request.ticket, self._bound(request))

    def release_orphan(self, request: Bind) -> None:
        """One of a process that has ended: no effect of the one that runs now, and nobody hears what came of it."""
        self.orphaned.remove(request)
        self.server.bind(request.pod.key, request.node)

    def begin_anew(self, lose_binds: bool) -> None:
        """Another process: what the last one asked for is over, but for its bind requests, unless they are lost."""
        self.wakes.clear()
        self.orphaned = [] if lose_binds else self.orphaned + self.held
        self.held = []

    def _fails(self, request: str, key: str) -> bool:
        """Whether this request is one of those that fail."""
        left = self._failures[request]
        if fails := left[key] > 0:
            left[key] -= 1
        return fails

    def _bind(self, request: Bind) -> ApiError | Pending | None:
        if self.holding:
            self.held.append(request)
            return PENDING
        return self._bound(request)

    def _bound(self, request: Bind) -> ApiError | None:
        key = request.pod.key
        if self._fails("bind", key):
            self.effects.append(effects.bind_error(key, request.node, "injected"))
            return INJECTED
        error = self.server.bind(key, request.node)
        self.effects.append(
            effects.bind_error(key, request.node, error.reason) if error else effects.bind(key, request.node)
        )
        return error

    def _took_pod(self, request: TookPod) -> None:
        self.taken.append(request.pod)

    def _wake_at(self, request: WakeAt) -> None:
        self.wakes.add(request.ms)

    def _record_event(self, request: RecordEvent) -> None:
        self.effects.append(effects.event(request))

    def _get_pod(self, request: GetPod) -> Pod | ApiError:
        key = f"{request.namespace}/{request.name}" if request.namespace else request.name
        return UNANSWERED if self._fails("get_pod", key) else self.server.pod(key)

    def _update_pod_status(self, request: UpdatePodStatus) -> Pod | ApiError:
        failed = self._fails("update_status", request.pod.key)
        answer = UNANSWERED if failed else self.server.update_pod_status(request.pod)
        if isinstance(answer, ApiError):
            self.effects.append(effects.status_error(request.pod.key, answer))
            return answer
        before, after = answer
        self.effects.extend(effects.status_changes(before, after))
        return after

    def _delete_pod(self, request: DeletePod) -> ApiError | None:
        key, failed = request.pod.key, self._fails("delete_victim", request.pod.key)
        error = UNANSWERED if failed else self.server.delete("Pod", key, self.settings.graceful_victims)
        self.effects.append(effects.delete_victim(key, error))
        return error

    def _update_volume(self, request: UpdateVolume) -> Any:
        failed = self._fails("update_volume", request.volume.key)
        answer = UNANSWERED if failed else self.server.update_volume(request.volume)
        self.effects.append(effects.volume_update(request, answer if isinstance(answer, ApiError) else None))
        return answer

    def _update_claim(self, request: UpdateClaim) -> Any:
        failed = self._fails("update_claim", request.claim.key)
        answer = UNANSWERED if failed else self.server.update_claim(request.claim)
        self.effects.append(effects.claim_update(request, answer if isinstance(answer, ApiError) else None))
        return answer

    def _ask_extender(self, request: AskExtender) -> Any:
        return self.extender(request)


_ANSWERS: dict[type[Any], Callable[[Requests, Any], Any]] = {
    TookPod: Requests._took_pod,
    WakeAt: Requests._wake_at,
    RecordEvent: Requests._record_event,
    GetPod: Requests._get_pod,
    UpdatePodStatus: Requests._update_pod_status,
    Bind: Requests._bind,
    DeletePod: Requests._delete_pod,
    UpdateVolume: Requests._update_volume,
    UpdateClaim: Requests._update_claim,
    AskExtender: Requests._ask_extender,
}
