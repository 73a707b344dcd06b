"""The binding phase: volumes first, then the pod itself.  [L-095..L-099, V-040, V-041]

A phase that must wait is a value in `SchedulerState.bindings`.
"""

from attrs import evolve

from model.api.clock import Instant
from model.api.objects import Pod
from model.api.protocol import PENDING, ApiError, Bind, RecordEvent, WakeAt
from model.cache.pods import finish_binding, forget_pod
from model.cache.state import CacheError
from model.extenders import ExtenderError, bind_with, is_interested
from model.loop.conditions import NotScheduled
from model.loop.failure import SCHEDULER_ERROR, VOLUME_BINDING_FAILED, record_failure
from model.loop.handlers import woken
from model.loop.state import NodeBinding, SchedulerState, Transition, VolumeBinding, at_next_reading, world
from model.quirks import quirk
from model.rules import clause, declare, reached, rule
from model.semantics import Semantics
from model.volumes.bind import bind_api_update, check_bindings
from model.volumes.binder import VolumeError, after_failure, decision_of

POLL_MS = 1_000
TIMED_OUT = "timed out waiting for the condition"

quirk("L-059", "Room that a failed or expired assumption gives back wakes nobody")
declare("L-098", "A bound pod stays assumed until the informer shows it or 30 s have passed", __name__)


@rule("L-095", "Bind the volumes unless all are bound already, then bind the pod; each failure ends the phase")
def start_binding(state: SchedulerState, assumed: Pod, all_bound: bool, semantics: Semantics) -> Transition:
    if all_bound:
        return (yield from bind(state, assumed, semantics))
    return (yield from bind_volumes(state, assumed, semantics))


@rule("V-040", "Send the decided updates of volumes and claims, then wait until they have taken effect")
def bind_volumes(state: SchedulerState, assumed: Pod, semantics: Semantics) -> Transition:
    try:
        binder = yield from bind_api_update(state.binder, assumed)
    except VolumeError as error:
        return (yield from volumes_failed(evolve(state, binder=error.binder), assumed, str(error), semantics))
    decision = decision_of(binder, assumed, assumed.spec.node_name)
    waiting = VolumeBinding(assumed, decision, state.now.ms, state.now.ms + POLL_MS)
    yield WakeAt(waiting.next_poll)
    return evolve(state, binder=binder, bindings=(*state.bindings, waiting))


@rule("V-041", "The first check comes after a second, then one every second; the last one when the time is up")
def poll(state: SchedulerState, waiting: VolumeBinding, semantics: Semantics) -> Transition:
    try:
        bound = check_bindings(state.binder, waiting.pod, waiting.decision, world(state))
    except VolumeError as error:
        return (yield from volumes_failed(without(state, waiting), waiting.pod, str(error), semantics))
    if bound:
        return (yield from bind(without(state, waiting), waiting.pod, semantics))
    if is_overdue(waiting, state.now, semantics):
        reached("volume binding: timed out")
        return (yield from volumes_failed(without(state, waiting), waiting.pod, TIMED_OUT, semantics))
    again = evolve(waiting, next_poll=state.now.ms + POLL_MS)
    yield WakeAt(again.next_poll)
    return evolve(state, bindings=tuple(again if held is waiting else held for held in state.bindings))


@rule("L-263", "The time is up after the configured seconds; 0 seconds are never over")
def is_overdue(waiting: VolumeBinding, now: Instant, semantics: Semantics) -> bool:
    timeout_ms = semantics.bind_timeout_seconds * 1_000
    return timeout_ms != 0 and now.ms >= waiting.started + timeout_ms


def poll_due(state: SchedulerState, semantics: Semantics) -> Transition:
    """All whose time has come, in the order of their start."""
    for waiting in state.bindings:
        if isinstance(waiting, VolumeBinding) and waiting.next_poll <= state.now.ms:
            state = yield from poll(state, waiting, semantics)
    return state


def without(state: SchedulerState, waiting: VolumeBinding | NodeBinding) -> SchedulerState:
    return evolve(state, bindings=tuple(held for held in state.bindings if held is not waiting))


@rule("L-096", "A pod whose volumes cannot be bound is forgotten and has failed with VolumeBindingFailed")
@clause("V-044", "An error of volume binding ends the binding phase")
def volumes_failed(state: SchedulerState, assumed: Pod, error: str, semantics: Semantics) -> Transition:
    reached("V-044")
    state = forget(state, assumed, semantics)
    return (yield from record_failure(state, assumed, NotScheduled(VOLUME_BINDING_FAILED, error), error, semantics))


@rule("L-099", "The first extender that binds does so if it cares about the pod; else the API server is asked")
def bind(state: SchedulerState, assumed: Pod, semantics: Semantics) -> Transition:
    binder = next((extender for extender in semantics.extenders if extender.bind_verb), None)
    if binder is not None and is_interested(binder, assumed):
        try:
            yield from bind_with(binder, assumed, assumed.spec.node_name)
        except ExtenderError as error:
            return (yield from bound(state, assumed, str(error), semantics))
        return (yield from bound(state, assumed, None, semantics))
    ticket = state.next_ticket
    state = evolve(state, next_ticket=ticket + 1)
    answer = yield Bind(assumed, assumed.spec.node_name, ticket)
    if answer is PENDING:
        return evolve(state, bindings=(*state.bindings, NodeBinding(assumed, ticket)))
    return (yield from bound(state, assumed, answer.message if answer else None, semantics))


def bind_answered(state: SchedulerState, ticket: int, error: ApiError | None, semantics: Semantics) -> Transition:
    """The answer to a request that was under way."""
    for waiting in state.bindings:
        if isinstance(waiting, NodeBinding) and waiting.ticket == ticket:
            message = error.message if error else None
            return (yield from bound(without(state, waiting), waiting.pod, message, semantics))
    return state


@rule("L-097", "However the request ended, the lifetime of the assumption starts; after a refusal the pod is forgotten")
def bound(state: SchedulerState, assumed: Pod, error: str | None, semantics: Semantics) -> Transition:
    state = at_next_reading(state)
    state = evolve(state, cache=finish_binding(state.cache, assumed, state.now))
    if error is None:
        message = f"Successfully assigned {assumed.key} to {assumed.spec.node_name}"
        yield RecordEvent(assumed, "Normal", "Scheduled", message)
        return state
    state = forget(state, assumed, semantics)
    message = f"Binding rejected: {error}"
    return (yield from record_failure(state, assumed, NotScheduled(SCHEDULER_ERROR, error), message, semantics))


@clause("L-059", "An assumption taken back is no move request")
def forget(state: SchedulerState, assumed: Pod, semantics: Semantics) -> SchedulerState:
    """An error is only logged."""
    reached("L-059")
    state = evolve(state, binder=after_failure(state.binder, assumed, semantics.quirks))
    try:
        state = evolve(state, cache=forget_pod(state.cache, assumed, semantics.quirks))
    except CacheError:
        reached("binding: not to be forgotten")
        return state
    return state if semantics.has("L-059") else woken(state, semantics)
