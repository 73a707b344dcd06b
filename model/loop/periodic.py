"""What time alone brings about: the ends of backoff, of waiting, of assumptions, of polls."""

from attrs import evolve

from model import queue as q
from model.api.clock import Instant
from model.cache.pods import expire
from model.cache.state import CLEANUP_PERIOD_MS
from model.loop.binding import poll_due
from model.loop.failure import retry_requeues
from model.loop.handlers import woken
from model.loop.state import SchedulerState, Transition, at_next_reading
from model.queue.state import BACKOFF_FLUSH_PERIOD_MS, LEFTOVER_FLUSH_PERIOD_MS
from model.semantics import Semantics


def tick(state: SchedulerState, ms: int, semantics: Semantics) -> Transition:
    """The periodic jobs that fall on this instant, then the polls that are due.  [Q-005, C-002]"""
    state = evolve(state, now=Instant(ms, state.now.reading))
    if ms % BACKOFF_FLUSH_PERIOD_MS == 0:
        state = at_next_reading(state)
        state = evolve(state, queue=q.flush_backoff(state.queue, state.now, semantics.quirks))
    if ms % LEFTOVER_FLUSH_PERIOD_MS == 0:
        state = at_next_reading(state)
        state = evolve(state, queue=q.flush_leftover(state.queue, state.now, semantics.quirks))
    if ms % CLEANUP_PERIOD_MS == 0:
        state = expire_assumed(at_next_reading(state), semantics)
    state = yield from poll_due(state, semantics)
    return (yield from retry_requeues(state, semantics))


def expire_assumed(state: SchedulerState, semantics: Semantics) -> SchedulerState:
    """An expired assumption is no move request.  [C-023, L-059]"""
    cache = expire(state.cache, state.now, semantics.quirks)
    expired = cache.assumed != state.cache.assumed
    state = evolve(state, cache=cache)
    return woken(state, semantics) if expired and not semantics.has("L-059") else state
