"""Who would be evicted for the pod, why from that node, why each of them, and what the least would have been."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from model.api.objects import Pod
from model.attempt import Attempt
from model.decision import answered
from model.preemption import Preemption, preempt
from model.preemption.pick import criteria
from model.preemption.victims import Victims
from model.scheduling_error import SchedulingError
from oracle.smt.chain import constraints
from oracle.smt.optimum import Optimum, cheapest, cost, gaps
from oracle.smt.preemption import violates
from oracle.smt.question import Incoming, Question
from oracle.smt.solving import Broken, Solving

ADVICE_MS = 8000


@frozen
class Victim:
    """`needed`: what would be wrong if this one stayed."""

    pod: Pod
    violates_budget: bool
    needed: tuple[str, ...]


@frozen
class Criterion:
    """`best`: the best value among the candidates that were left, and how many have it."""

    name: str
    best: Any
    left: int


@frozen
class Evictions:
    """`potential`: nodes that preemption looks at, `candidates`: those where it finds victims.

    `node` is None where nobody is evicted.  `best` is the cheapest set that Z3 finds, with the rules that say why
    v1.15 does not find it (none where it is as cheap).
    """

    eligible: bool
    potential: int
    candidates: int
    node: str | None
    victims: tuple[Victim, ...]
    criteria: tuple[Criterion, ...]
    tied: tuple[str, ...]
    to_clear: tuple[str, ...]
    best: Optimum | None
    gaps: tuple[str, ...]


def evictions(attempt: Attempt, error: SchedulingError, incoming: Incoming) -> Evictions:
    """Without extenders."""
    world, snapshot, semantics = attempt.world, attempt.snapshot, attempt.semantics
    found = answered(preempt(attempt.pod, error, world, snapshot, semantics), {})
    best = cheapest(incoming.facts, incoming.pod, _promising(incoming, found), incoming.settings, ADVICE_MS)
    chosen = cost(incoming.facts, found.victims)
    there = found.node and cheapest(incoming.facts, incoming.pod, [found.node], incoming.settings, ADVICE_MS)
    return Evictions(
        eligible=bool(found.eligible),
        potential=len(found.potential),
        candidates=len(found.candidates),
        node=found.node,
        victims=_victims(found, incoming) if found.node else (),
        criteria=_criteria(found.candidates, attempt),
        tied=tuple(found.allowed),
        to_clear=tuple(pod.key for pod in found.to_clear),
        best=best,
        gaps=gaps(chosen, there.cost, best.cost) if there and best else (),
    )


def _promising(incoming: Incoming, found: Preemption) -> list[str]:
    """The chosen node first, then all that hold a pod of lower priority."""
    holding = (
        name
        for name, node in incoming.facts.nodes.items()
        if any(pod.priority < incoming.pod.priority for pod in node.pods)
    )
    return list(dict.fromkeys([*([found.node] if found.node else ()), *holding]))


def _victims(found: Preemption, incoming: Incoming) -> tuple[Victim, ...]:
    return tuple(
        Victim(
            victim,
            violates(victim, incoming.facts.budgets),
            _needed(incoming, str(found.node), [other.key for other in found.victims if other is not victim]),
        )
        for victim in found.victims
    )


def _needed(incoming: Incoming, node: str, gone: list[str]) -> tuple[str, ...]:
    """What is wrong with only these gone."""
    question = Question(incoming, incoming.facts.nodes[node], dict.fromkeys(gone, False))
    answer = Solving(constraints(question)).ask()
    return tuple(map(str, answer.core)) if isinstance(answer, Broken) else ()


def _criteria(candidates: Mapping[str, Victims], attempt: Attempt) -> tuple[Criterion, ...]:
    """Those that were looked at, until one candidate was left.  [E-040]"""
    left, told = candidates, []
    if any(not victims.pods for victims in candidates.values()):
        return ()
    for name, measure, best in criteria(attempt.semantics.quirks):
        if len(left) <= 1:
            break
        bound = best(measure(victims) for victims in left.values())
        left = {node: victims for node, victims in left.items() if measure(victims) == bound}
        told.append(Criterion(name, bound, len(left)))
    return tuple(told)
