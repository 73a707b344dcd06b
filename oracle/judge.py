"""The relational judge: where kube-scheduler may choose, any of its choices is right, and the reference follows it.

Two choices are free: the host among nodes of equal total (and, where the search is stopped, which nodes were
found), and the node among those that are equally good to preempt on.  [A-025, A-043, E-045]
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from attrs import evolve

from model.algorithm import with_metadata
from model.api.protocol import Api, Event, FinishCycle, Observation, StartCycle
from model.attempt import Attempt
from model.loop.state import SchedulerState, world
from model.permitted import permits_host
from model.scheduler import ModelScheduler
from model.semantics import Semantics

Choices = Mapping[str, list[str]]
"""By pod key the nodes chosen, in order."""


class Follower(ModelScheduler):
    """The reference, which takes the other scheduler's choices as far as they are allowed, and else its own."""

    def __init__(self, semantics: Semantics) -> None:
        super().__init__(evolve(semantics, tie_breaker=self._preferred))
        self._hosts: Choices = {}
        self._nominations: Choices = {}
        self._deciding = ""

    def follow(self, hosts: Choices, nominations: Choices) -> None:
        """What the other one chose in the step that comes."""
        self._hosts, self._nominations = hosts, nominations

    def handle(self, event: Event, api: Api) -> None:
        if isinstance(event, FinishCycle) and self.state.decided:
            self._deciding = self.state.decided.pod.key
        before = self.state
        super().handle(event, api)
        if isinstance(event, StartCycle):
            self._state = self._following(before, self._state)

    def _following(self, before: SchedulerState, after: SchedulerState) -> SchedulerState:
        """The decision replaced by the other scheduler's, if that is allowed."""
        decided = after.decided
        if decided is None or decided.attempted.host is None:
            return after
        chosen = _taken(self._hosts, decided.pod.key)
        if chosen in (None, decided.attempted.host):
            return after
        attempt = Attempt(decided.pod, after.snapshot.nodes, world(before), self._semantics)
        if not permits_host(with_metadata(attempt), before.cache.tree, chosen):
            return after
        return evolve(after, decided=evolve(decided, attempted=evolve(decided.attempted, host=chosen)))

    def _preferred(self, tied: Collection[str]) -> str:
        chosen = _taken(self._nominations, self._deciding)
        return chosen if chosen in tied else min(tied)


def _taken(choices: Choices, pod: str) -> Any:
    """The next choice about a pod, None where none is known."""
    return choices[pod].pop(0) if choices.get(pod) else None


def chosen_hosts(effects: Iterable[Mapping[str, Any]], observation: Observation | None) -> Choices:
    """By what was bound, or selected for a claim, or, of a binding under way, where the cache has the pod."""
    hosts: defaultdict[str, list[str]] = defaultdict(list)
    for effect in effects:
        for said in (effect.get("bind"), effect.get("bindError")):
            if said:
                hosts[said["pod"]].append(said["node"])
    if observation is not None:
        for node, pods in observation.cache_nodes.items():
            for pod in pods:
                if pod in observation.assumed and pod not in hosts:
                    hosts[pod].append(node)
    return hosts


def chosen_nominations(effects: Iterable[Mapping[str, Any]]) -> Choices:
    nominations: defaultdict[str, list[str]] = defaultdict(list)
    for effect in effects:
        if said := effect.get("nominate"):
            nominations[said["pod"]].append(said["node"])
    return nominations
