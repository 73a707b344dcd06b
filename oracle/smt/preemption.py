"""Preemption as v1.15 simulates it, over the same constraints: who may be removed, in what order, who is put back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

import z3
from attrs import frozen

from model.api.objects import Pod, PodDisruptionBudget
from model.api.selectors import SelectorError, from_label_selector
from oracle.smt.chain import constraints
from oracle.smt.constraint import Constraint
from oracle.smt.facts import NodeFacts
from oracle.smt.question import Incoming, Question
from oracle.smt.solving import LIMIT_MS, Answer, Broken, OutOfTime, Solving, Undecided

_NOW = datetime.max.replace(tzinfo=UTC)


@frozen(eq=False)
class Eviction:
    """One node, each of its pods of lower priority free to stay or to go.  [E-021]"""

    question: Question
    pods: tuple[Pod, ...]
    """Those that may go, in the node's order."""
    stays: Mapping[str, z3.BoolRef]
    """By `namespace/name`."""
    solving: Solving

    @classmethod
    def of(cls, incoming: Incoming, node: NodeFacts, simulated: bool = False, limit_ms: int = LIMIT_MS) -> "Eviction":
        """The pods of the node that v1.15 may evict."""
        pods = tuple(pod for pod in node.pods if pod.priority < incoming.pod.priority)
        return cls.over(incoming, node, pods, simulated, limit_ms)

    @classmethod
    def over(
        cls,
        incoming: Incoming,
        node: NodeFacts,
        pods: tuple[Pod, ...],
        simulated: bool = False,
        limit_ms: int = LIMIT_MS,
    ) -> "Eviction":
        stays = {pod.key: z3.Bool(f"{pod.key} stays") for pod in pods}
        question = Question(incoming, node, stays, simulated=simulated)
        return cls(question, pods, stays, Solving(constraints(question), limit_ms))

    def without(self, gone: Iterable[str]) -> Answer:
        """Does the pod fit when exactly these are gone?"""
        return self.solving.ask(*self._assumed(gone))

    def fits_without(self, gone: Iterable[str]) -> bool:
        """Raises OutOfTime."""
        return self.solving.holds(*self._assumed(gone))

    def _assumed(self, gone: Iterable[str]) -> Iterator[z3.BoolRef]:
        left = dict.fromkeys(gone)
        return (z3.Not(term) if key in left else term for key, term in self.stays.items())


def greedy(eviction: Eviction, last: Sequence[str] = ()) -> tuple[str, ...] | None:
    """Whom v1.15 would evict, None where removing all does not help.  [E-021..E-024]

    `last`: these are put back after others that are equally important, where the order is left to chance.
    Raises OutOfTime.
    """
    if not eviction.fits_without(eviction.stays):
        return None
    budgets = eviction.question.facts.budgets
    ordered = sorted(eviction.pods, key=lambda pod: (not violates(pod, budgets), importance(pod), pod.key in last))
    gone = [pod.key for pod in ordered]
    for pod in ordered:
        fewer = [key for key in gone if key != pod.key]
        if eviction.fits_without(fewer):
            gone = fewer
    return tuple(gone)


def importance(pod: Pod) -> tuple[int, datetime]:
    """Ascending, the most important first; a pod that has not started counts as starting now.  [E-022]"""
    return -pod.priority, pod.status.start_time or _NOW


def violates(pod: Pod, budgets: Iterable[PodDisruptionBudget]) -> bool:
    """Evicting the pod violates a budget: one without allowance selects it.  [E-030]"""
    return bool(pod.labels) and any(
        budget.namespace == pod.namespace and budget.status.disruptions_allowed <= 0 and _selects(budget, pod)
        for budget in budgets
    )


def _selects(budget: PodDisruptionBudget, pod: Pod) -> bool:
    try:
        selector = from_label_selector(budget.spec.selector)
    except SelectorError:
        return False
    return not selector.is_empty and selector.matches(pod.labels)


def might_help(incoming: Incoming, node: NodeFacts) -> bool:
    """Nothing that is said against the node is beyond preemption.  Raises OutOfTime.  [E-004, E-005]"""
    question = Question(incoming, node)
    solving = Solving(constraints(question))
    said: list[Constraint] = []
    for name in incoming.settings.predicates:
        match solving.ask(only=[name]):
            case Undecided(why):
                raise OutOfTime(why)
            case Broken(core):
                broken = [c for c in solving.named.values() if c.predicate == name and c.holds is False] or core
                said += broken[:1] if name == "MatchInterPodAffinity" else broken
                if not incoming.settings.check_all:
                    break
    return all(constraint.resolvable and not constraint.error for constraint in said)
