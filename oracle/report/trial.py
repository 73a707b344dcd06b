"""What the reference says of single nodes: predicate by predicate, priority by priority, with the rules it used."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from attrs import Factory, frozen

from model.api.configuration import Configuration
from model.attempt import Attempt
from model.decision import scores_alone, tried_alone, tried_together
from model.node_info import NodeInfo
from model.predicates.registry import PREDICATES
from model.rules import RULES, counting
from oracle.report.arithmetic import working
from oracle.report.details import texts
from oracle.report.witness import Cycle

T = TypeVar("T")

PARTS = {"GeneralPredicates": ("PodFitsResources", "PodFitsHost", "HostName", "PodFitsHostPorts", "MatchNodeSelector")}
"""Predicates that are configured as parts of another."""
BEHIND = {
    "node(s) didn't satisfy existing pods anti-affinity rules": "P-032",
    "node(s) didn't match pod affinity rules": "P-033",
    "node(s) didn't match pod anti-affinity rules": "P-034",
}
"""Rules of what was worked out before the predicate."""


@frozen
class Tried:
    """One predicate on one node; `texts`: the reasons, in words and with amounts; none where it fits."""

    predicate: str
    texts: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return not self.texts


@frozen
class NodeTrial:
    """All configured predicates on one node; `refused`: what the attempt itself was told, "" where it fits."""

    name: str
    tried: tuple[Tried, ...]
    refused: str

    @property
    def failing(self) -> tuple[Tried, ...]:
        return tuple(tried for tried in self.tried if not tried.fits)

    @property
    def fits(self) -> bool:
        return not self.refused


@frozen
class Scored:
    """One priority; `scores` by node, a text where it failed; `workings`: how some nodes come to theirs, in figures."""

    priority: str
    weight: int
    scores: Mapping[str, int] | str
    rules: tuple[str, ...]
    workings: Mapping[str, str] = Factory(dict)

    def points(self, node: str) -> int:
        """Before the weight; 0 where the priority failed."""
        return 0 if isinstance(self.scores, str) else self.scores[node]

    def weighted(self, node: str) -> int:
        return self.weight * self.points(node)


def with_rules(compute: Callable[[], T]) -> tuple[T, tuple[str, ...]]:
    """The result, and the rules used for it, in order of their first use."""
    counts: Counter[str] = Counter()
    with counting(counts):
        result = compute()
    return result, tuple(rule for rule in counts if rule in RULES)


def try_node(cycle: Cycle, name: str) -> NodeTrial | None:
    """None for a node that the attempt cannot see."""
    info = cycle.attempt.snapshot.get(name)
    if info is None or info.node is None:
        return None
    tried = []
    for predicate in cycle.attempt.semantics.predicates:
        verdict, rules = with_rules(lambda: tried_alone(cycle.attempt, info, predicate.evaluate))  # noqa: B023
        if verdict.failures and predicate.name in PARTS:
            rules = (*rules[:1], *_rules_of_parts(cycle.attempt, info, predicate.name))
        rules += tuple(BEHIND[each["reason"]] for each in verdict.failures if each["reason"] in BEHIND)
        tried.append(Tried(predicate.name, texts(cycle.attempt, info, verdict), rules))
    together = tried_together(cycle.attempt, info)
    refused = together.error or ", ".join(together.reasons)
    return NodeTrial(name, tuple(tried), refused)


def _rules_of_parts(attempt: Attempt, info: NodeInfo, name: str) -> tuple[str, ...]:
    """Of those parts alone that refuse the node."""
    found: dict[str, None] = {}
    for part in (part for part in PARTS[name] if part in PREDICATES):
        verdict, rules = with_rules(lambda: tried_alone(attempt, info, PREDICATES[part]))  # noqa: B023
        found |= dict.fromkeys(rules if verdict.failures else ())
    return tuple(found)


def score_nodes(cycle: Cycle, shown: Collection[str], configuration: Configuration) -> tuple[Scored, ...]:
    """Every configured priority over the feasible nodes; `shown`: those that figures are wanted of."""
    feasible = cycle.attempted.feasible or ()
    if not feasible:
        return ()
    scored = []
    for priority in cycle.attempt.semantics.priorities:
        scores, rules = with_rules(lambda: scores_alone(priority, cycle.attempt, feasible))  # noqa: B023
        figures = {} if isinstance(scores, str) else _workings(cycle, priority.name, scores, shown, configuration)
        scored.append(Scored(priority.name, priority.weight, scores, rules, figures))
    return tuple(scored)


def _workings(
    cycle: Cycle, priority: str, scores: Mapping[str, int], shown: Collection[str], configuration: Configuration
) -> Mapping[str, str]:
    found = {
        name: working(cycle.attempt, cycle.attempt.snapshot[name], priority, configuration, points)
        for name, points in scores.items()
        if name in shown
    }
    return {name: text for name, text in found.items() if text}
