"""The model behind the scheduler protocol."""

from model.api.protocol import Api, Event, Observation
from model.loop import SchedulerState, observed, step
from model.semantics import Semantics


class ModelScheduler:
    """Keeps the state between events and hands the model's calls to the API."""

    def __init__(self, semantics: Semantics) -> None:
        self._semantics = semantics
        self.restart()

    def restart(self) -> None:
        """Begin anew, knowing nothing."""
        self._state = SchedulerState()

    def handle(self, event: Event, api: Api) -> None:
        """Raises Crash."""
        transition = step(self._state, event, self._semantics)
        try:
            request = next(transition)
            while True:
                request = transition.send(api.call(request))
        except StopIteration as finished:
            self._state = finished.value

    @property
    def state(self) -> SchedulerState:
        return self._state

    def observe(self) -> Observation:
        return observed(self._state, self._semantics.quirks)
