"""The optimized scheduler behind the protocol: every event to the part that handles it."""

from impl.algorithm import Algorithm
from impl.binding import Bindings
from impl.clock import Clock
from impl.cycle import Cycle
from impl.failure import Failures
from impl.handlers import Handlers
from impl.observation import observe
from impl.requeue import Requeue
from impl.surroundings import Surroundings
from model.api.configuration import Configuration
from model.api.protocol import (
    Added,
    Api,
    BindAnswered,
    Deleted,
    Event,
    FinishCycle,
    Observation,
    StartCycle,
    Tick,
    Updated,
)

LEFTOVER_PERIOD_MS = 30_000


class OptimizedScheduler:
    """A protocol.Scheduler.  Raises ConfigurationError for a configuration that cannot be used."""

    def __init__(self, configuration: Configuration) -> None:
        self._surroundings = Surroundings()
        self._clock = Clock()
        self._algorithm = Algorithm(self._surroundings, configuration)
        self._requeue = Requeue(self._surroundings.queue, self._clock)
        failures = Failures(self._requeue, self._clock)
        timeout_ms = configuration.bind_timeout_seconds * 1000
        self._bindings = Bindings(self._surroundings, self._algorithm, failures, self._clock, timeout_ms)
        self._cycle = Cycle(self._surroundings, self._algorithm, failures, self._bindings, configuration)
        self._handlers = Handlers(self._surroundings, self._clock, configuration.scheduler_name)

    def handle(self, event: Event, api: Api) -> None:
        """Raises Crash where the process would end."""
        match event:
            case Added(thing):
                self._handlers.added(thing)
            case Updated(old, new):
                self._handlers.updated(old, new)
            case Deleted(thing):
                self._handlers.deleted(thing)
            case StartCycle():
                self._cycle.start(api)
            case FinishCycle():
                self._cycle.finish(api)
            case Tick(ms):
                self._tick(ms, api)
            case BindAnswered(ticket, error):
                self._bindings.answer(ticket, error, api)

    def observe(self) -> Observation:
        return observe(self._surroundings, self._algorithm, self._bindings.waiting)

    def _tick(self, ms: int, api: Api) -> None:
        """The periodic jobs at whole seconds, then whatever waits for this instant.  [C-002, Q-005]"""
        self._clock.ms = ms
        if ms % 1000 == 0:
            self._surroundings.queue.flush_backoff(self._clock.read())
            if ms % LEFTOVER_PERIOD_MS == 0:
                self._surroundings.queue.flush_leftover(self._clock.read())
            self._surroundings.cache.expire(self._clock.read())
        self._requeue.retry(api)
        self._bindings.poll(api)
