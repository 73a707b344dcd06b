"""The control loop: one event in, calls to the outside on the way, the state after it.  [L-020..L-133]"""

from model.api.protocol import Added, BindAnswered, Deleted, Event, FinishCycle, StartCycle, Tick, Updated
from model.loop.binding import bind_answered
from model.loop.cycle import finish_cycle, start_cycle
from model.loop.handlers import handle
from model.loop.observed import observed
from model.loop.periodic import tick
from model.loop.state import SchedulerState, Transition
from model.semantics import Semantics

__all__ = ["SchedulerState", "Transition", "observed", "step"]


def step(state: SchedulerState, event: Event, semantics: Semantics) -> Transition:
    """One event.  Raises Crash."""
    match event:
        case Added() | Updated() | Deleted():
            return handle(state, event, semantics)
        case Tick(ms):
            return (yield from tick(state, ms, semantics))
        case StartCycle():
            return (yield from start_cycle(state, semantics))
        case FinishCycle():
            return (yield from finish_cycle(state, semantics))
        case BindAnswered(ticket, error):
            return (yield from bind_answered(state, ticket, error, semantics))
