"""How v1.15 comes to its victims on a node: all less important pods leave it, then one after the other may return."""

from collections.abc import Iterator, Sequence
from functools import reduce

from attrs import evolve, frozen

from model.algorithm import with_metadata
from model.api.objects import Pod
from model.attempt import Attempt
from model.decision import tried_together
from model.preemption.budgets import effective_selector, protects
from model.preemption.simulation import Simulation, fits, having, without
from model.preemption.victims import emptied, importance, potential_victims, split
from oracle.compare.outcome import Outcome
from oracle.report.details import texts
from oracle.report.pod_facts import facts
from oracle.report.witness import Cycle
from oracle.report.words import some

WANTED = ("asks for", "host ports", "claims", "must be near", "must be away from", "labels")


@frozen
class Return:
    """A pod that may come back, in its turn; `refused`: why the incoming pod would not fit then, none where it would.

    `budgets`: those that protect the pod and allow no disruption.  `too_early`: pods that return after it, and beside
    which it would fit after all; nobody asks then.
    """

    pod: Pod
    budgets: tuple[str, ...]
    refused: tuple[str, ...]
    too_early: tuple[Pod, ...] = ()

    @property
    def stays(self) -> bool:
        return not self.refused

    @property
    def why(self) -> str:
        """It cannot."""
        once = some([pod.key for pod in self.too_early])
        later = (f"once {once} {'are' if self.too_early[1:] else 'is'} back, it could return too",) if once else ()
        return "; ".join((*self.refused, *later))


@frozen
class Row:
    """What becomes of a pod of the node on both sides."""

    pod: Pod
    budgets: tuple[str, ...]
    evicted: bool
    why: str
    evicted_by_other: bool

    @property
    def since(self) -> str:
        start = self.pod.status.start_time
        return start.strftime("%Y-%m-%d %H:%M:%S") if start else "not told: as if now"

    @property
    def wants(self) -> str:
        return ", ".join(f"{name} {text}" for name, text in facts(self.pod) if name in WANTED)


@frozen
class Reprieve:
    """`refused`: why the pod does not fit even with all of lower priority gone; then nobody returns.

    `more_important`: pods of the node that are not of lower priority, and are never removed.
    """

    node: str
    refused: tuple[str, ...]
    removed: tuple[Pod, ...]
    returns: tuple[Return, ...]
    more_important: tuple[Pod, ...]

    def rows(self, other: Outcome) -> Iterator[Row]:
        """In the order in which they may return, then those that were never away."""
        waiting = self.returns or [Return(pod, (), self.refused) for pod in self.removed]
        for each in waiting:
            evicted = not each.stays and not self.refused
            why = (
                "no room with all gone, and fewer are not tried"
                if self.refused
                else "there is room"
                if each.stays
                else each.why
            )
            yield Row(each.pod, each.budgets, evicted, why, other.evicts(each.pod))
        for pod in self.more_important:
            yield Row(pod, (), False, "its priority is not lower", other.evicts(pod))

    @property
    def tells_starts(self) -> bool:
        return any(pod.status.start_time for pod in (*self.removed, *self.more_important))

    @property
    def tells_budgets(self) -> bool:
        return any(each.budgets for each in self.returns)

    @property
    def victims(self) -> tuple[Pod, ...]:
        return tuple(each.pod for each in self.returns if not each.stays)


def reprieve(cycle: Cycle, node: str) -> Reprieve | None:
    """None for a node that the attempt cannot see."""
    info = cycle.attempt.snapshot.get(node)
    if info is None or info.node is None:
        return None
    attempt = with_metadata(evolve(cycle.attempt, metadata=None))
    lower = potential_victims(attempt, info)
    rest = tuple(pod for pod in info.pods if pod not in lower)
    cleared = emptied(attempt, info, lower)
    if not fits(cleared):
        return Reprieve(node, _refusals(cleared), lower, (), rest)
    in_turn = [
        pod
        for group in split(sorted(lower, key=importance), tuple(attempt.world.budgets.values()), attempt)
        for pod in group
    ]
    return Reprieve(node, (), lower, tuple(_too_early(cleared, tuple(_returns(cleared, in_turn)))), rest)


def _returns(simulation: Simulation, pods: Sequence[Pod]) -> Iterator[Return]:
    for pod in pods:
        restored = having(simulation, pod)
        refused = () if fits(restored) else _refusals(restored)
        yield Return(pod, tuple(exhausted(simulation.attempt, pod)), refused)
        simulation = without(restored, pod) if refused else restored


def _too_early(cleared: Simulation, returns: Sequence[Return]) -> Iterator[Return]:
    """With those that could return at the end, though not in their turn."""
    final = reduce(having, (each.pod for each in returns if each.stays), cleared)
    for at, each in enumerate(returns):
        later = tuple(other.pod for other in returns[at + 1 :] if other.stays)
        yield evolve(each, too_early=later) if each.refused and later and fits(having(final, each.pod)) else each


def _refusals(simulation: Simulation) -> tuple[str, ...]:
    return texts(simulation.attempt, simulation.info, tried_together(simulation.attempt, simulation.info))


def exhausted(attempt: Attempt, pod: Pod) -> Iterator[str]:
    """Names of the budgets that protect the pod and allow no disruption.  [E-030]"""
    for budget in attempt.world.budgets.values():
        selector = effective_selector(budget)
        if (
            selector
            and budget.status.disruptions_allowed <= 0
            and protects(budget, selector, pod, attempt.semantics.quirks)
        ):
            yield budget.name
