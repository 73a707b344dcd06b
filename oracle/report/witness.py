"""The reference in a run, watched: each of its scheduling attempts is kept, with what it went by."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from attrs import evolve, frozen

from model.algorithm import Attempted, with_metadata
from model.api.configuration import Configuration
from model.api.protocol import Api, Crash, Event, FinishCycle, StartCycle
from model.attempt import Attempt
from model.decision import answered
from model.loop.state import SchedulerState, world
from model.preemption import Preemption, preempt
from model.releases import v1_15_3
from oracle.judge import Follower
from oracle.report.ending import ending_rules


@frozen
class Cycle:
    """One scheduling attempt of the reference; `preemption` is None where none was tried.

    `assumed`: keys of the pods that were when it began.
    """

    attempt: Attempt
    attempted: Attempted
    preemption: Preemption | None = None
    assumed: frozenset[str] = frozenset()


class Witness(Follower):
    """The reference, which also remembers its attempts, and the rules by which it ended."""

    def __init__(self, configuration: Configuration, followed: Sequence[Mapping[str, Any]]) -> None:
        self.semantics = v1_15_3(configuration)
        self.cycles: list[Cycle] = []
        self.ending: tuple[str, ...] = ()
        super().__init__(self.semantics)
        self._started = self.state
        self._followed = iter(deepcopy(followed))

    def follow_next(self) -> None:
        """In the step that comes make the choices that were made there."""
        choices = next(self._followed, {})
        self.follow(choices.get("hosts", {}), choices.get("nominations", {}))

    def handle(self, event: Event, api: Api) -> None:
        if isinstance(event, StartCycle):
            self._started = self.state
        if isinstance(event, FinishCycle) and self.state.decided is not None:
            self.cycles.append(self._cycle(self.state))
        try:
            super().handle(event, api)
        except Crash as crash:
            self.ending = ending_rules(crash)
            raise

    def _cycle(self, state: SchedulerState) -> Cycle:
        """Decided on what was there at the start, preempting on what is there now, if no extender has a say in that."""
        assert state.decided is not None
        pod, attempted = state.decided.pod, state.decided.attempted
        attempt = with_metadata(Attempt(pod, state.snapshot.nodes, world(self._started), self.semantics))
        preempting = evolve(attempt, world=world(state))
        asks = any(extender.preempt_verb for extender in self.semantics.extenders)
        preemption = None if asks else preempted(preempting, attempted, {})
        return Cycle(attempt, attempted, preemption, assumed_in(self._started))


def preempted(attempt: Attempt, attempted: Attempted, extenders: Mapping[str, Any]) -> Preemption | None:
    """None where none is tried, or an extender ends it."""
    if attempted.error is None or attempt.semantics.disable_preemption:
        return None
    steps = preempt(attempt.pod, attempted.error, attempt.world, attempt.snapshot, attempt.semantics)
    try:
        return answered(steps, extenders)
    except Crash:
        return None


def assumed_in(state: SchedulerState) -> frozenset[str]:
    """Keys of pods."""
    return frozenset(state.cache.pods[uid].pod.key for uid in state.cache.assumed)
