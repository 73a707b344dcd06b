"""The reference behind the protocol of judgeable parts."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from model.api.components import CacheComponent, Decision, PreemptionDecision, QueueComponent, Situation, Verdict
from model.api.configuration import Configuration, PolicyEntry
from model.api.protocol import Scheduler
from model.cache.component import ModelCache
from model.decision import Run, decide, decide_preemption, taken_in, tried_alone
from model.predicates.registry import PREDICATES
from model.priorities.prioritize import prioritize
from model.priorities.registry import alone
from model.queue.component import ModelQueue
from model.quirks import EVERY, Quirks, Without
from model.releases import v1_15_3
from model.scheduler import ModelScheduler
from model.selection import policy_predicate
from model.semantics import Predicate, Priority, Semantics


class Reference:
    """The model as an engine; `quirks`: the surprising rules in force; `canonical`: see Engine."""

    name = "model"
    canonical = True

    def __init__(self, quirks: Quirks = EVERY) -> None:
        self._quirks = quirks

    def without(self, quirk: str) -> "Reference":
        """The reference with one surprising rule taken out of all."""
        return Reference(Without(frozenset({quirk})))

    def semantics(self, configuration: Configuration) -> Semantics:
        """What it follows under a configuration.  Raises ConfigurationError and Crash."""
        return v1_15_3(configuration, self._quirks)

    def scheduler(self, configuration: Configuration) -> Scheduler:
        return ModelScheduler(self.semantics(configuration))

    def queue(self) -> QueueComponent:
        return ModelQueue(self._quirks)

    def cache(self, ttl_ms: int) -> CacheComponent:
        return ModelCache(ttl_ms, self._quirks)

    def decide(self, situation: Situation) -> Decision:
        """A predicate with an argument is shown even under a name that is never evaluated.  [P-006]"""
        semantics = self.semantics(situation.configuration)
        entries = situation.configuration.predicates or ()
        tried = {entry.name: policy_predicate(entry, PREDICATES) for entry in entries if entry.argument is not None}
        return decide(situation, semantics, tried)

    def preempt(self, situation: Situation) -> PreemptionDecision:
        return decide_preemption(situation, self.semantics(situation.configuration))

    def predicate(self, name: str, situation: Situation, node: str, arguments: Mapping[str, Any]) -> Verdict:
        """`arguments`: the policy argument, empty for a predicate that takes none."""
        run = self.run_of_predicate(name, situation, arguments)
        (predicate,) = run.attempt.semantics.predicates
        return tried_alone(run.attempt, run.standing.snapshot[node], predicate.evaluate)

    def run_of_predicate(self, name: str, situation: Situation, arguments: Mapping[str, Any]) -> Run:
        """With this predicate alone, and nothing that gives points."""
        function = policy_predicate(PolicyEntry(name, argument=arguments or None), PREDICATES)
        semantics = self.semantics(situation.configuration)
        return taken_in(situation, evolve(semantics, predicates=(Predicate(name, function),), priorities=()))

    def priority(self, name: str, situation: Situation, arguments: Mapping[str, Any]) -> Mapping[str, int]:
        """Every node counts as feasible.  Raises PriorityError and Crash.

        A hard affinity weight of 0 is answered, too, though no scheduler starts with it.  [S-006]
        """
        run = self.run_of_priority(name, situation, arguments)
        names = list(run.standing.world.nodes)
        return dict(zip(names, prioritize(run.attempt, [run.standing.snapshot[n] for n in names]), strict=True))

    def run_of_priority(self, name: str, situation: Situation, arguments: Mapping[str, Any]) -> Run:
        """With this priority alone or those of the arguments, and nothing that refuses a node.  Raises Crash."""
        weights = {name: 1}
        if name == "Prioritize":
            weights = {listed["name"]: listed["weight"] for listed in arguments["priorities"]}
            arguments = {}
        priorities = tuple(Priority(name, alone(name, arguments), weight) for name, weight in weights.items())
        hard_weight = situation.configuration.hard_pod_affinity_weight
        semantics = self.semantics(evolve(situation.configuration, hard_pod_affinity_weight=1))
        asked = evolve(semantics, predicates=(), priorities=priorities, hard_pod_affinity_weight=hard_weight)
        return taken_in(situation, asked)
