"""The least that evictions could cost, on a node and anywhere, by the criteria that v1.15 ranks nodes by.  [E-040]

Advice, not judgement: v1.15 searches greedily and promises no optimum.  [E-062..E-064, E-067]
"""

from collections.abc import Iterable, Mapping
from time import monotonic

import z3
from attrs import frozen

from model.api.objects import Pod
from oracle.smt.facts import Facts
from oracle.smt.formula import Term, asserted, at_most, every, no, some
from oracle.smt.preemption import Eviction, violates
from oracle.smt.question import Incoming
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS, Broken, Holds

GAPS: Mapping[str, str] = {
    "E-062": "the number of victims is not minimized",
    "E-063": "the number of budget violations is not minimized",
    "E-064": "a budget saves a less important pod at the cost of a more important one",
    "E-067": "nodes are compared only by the victims that each would have",
}
"""Ways to pay more than the least."""

OFFSET = 2**31
"""Makes every summand at least 0.  [E-036]"""
NOBODY = -OFFSET - 1


@frozen(order=True)
class Cost:
    """In the order in which it counts.  `highest`: the truly highest priority, unlike E-035."""

    violations: int
    highest: int
    total: int
    count: int


@frozen
class Optimum:
    """`proved`: nothing costs less; else only the best that was found in time."""

    node: str
    victims: tuple[str, ...]
    cost: Cost
    proved: bool


def cost(facts: Facts, victims: Iterable[Pod]) -> Cost:
    gone = list(victims)
    return Cost(
        violations=sum(violates(pod, facts.budgets) for pod in gone),
        highest=max((pod.priority for pod in gone), default=NOBODY),
        total=sum(pod.priority + OFFSET for pod in gone),
        count=len(gone),
    )


def gaps(chosen: Cost, node_best: Cost, best: Cost) -> tuple[str, ...]:
    """The classes of what the greedy choice costs more than was needed.  [E-062..E-064, E-067]"""
    found = {
        "E-063": node_best.violations < chosen.violations,
        "E-064": node_best.violations == chosen.violations and node_best.highest < chosen.highest,
        "E-062": node_best < chosen and node_best.count < chosen.count,
        "E-067": best < node_best,
    }
    return tuple(rule for rule, holds in found.items() if holds)


def cheapest(
    facts: Facts, pod: Pod, nodes: Iterable[str], settings: Settings | None = None, budget_ms: int = LIMIT_MS
) -> Optimum | None:
    """The least cost over these nodes; None where no evictions help (or none were found in time)."""
    incoming = Incoming(facts, pod, settings or Settings())
    until, best = monotonic() + budget_ms / 1000, None
    proved = True
    for name in nodes:
        search = _Search(Eviction.of(incoming, facts.nodes[name], limit_ms=budget_ms), until)
        found = search.below(best.cost if best else None)
        best = found or best
        proved = proved and not search.gave_up
    return best and Optimum(best.node, best.victims, best.cost, proved)


class _Search:
    """One node: improvement upon improvement is demanded of the solver, until it proves that there is none."""

    def __init__(self, eviction: Eviction, until: float) -> None:
        self.eviction = eviction
        self.until = until
        self.gave_up = False
        facts = eviction.question.facts
        self.goes: Mapping[str, Term] = {key: no(term) for key, term in eviction.stays.items()}
        self.violating = [pod for pod in eviction.pods if violates(pod, facts.budgets)]

    def below(self, bound: Cost | None) -> Optimum | None:
        """The cheapest, if it costs less than `bound`."""
        solver, found = self.eviction.solving.solver, None
        solver.push()
        while self._has_time():
            if bound is not None:
                solver.add(asserted(self._less(bound)))
            answer = self.eviction.solving.ask()
            if not isinstance(answer, Holds):
                self.gave_up = not isinstance(answer, Broken)
                break
            found = self._optimum(answer.model)
            bound = found.cost
        solver.pop()
        return found

    def _has_time(self) -> bool:
        left = self.until - monotonic()
        self.gave_up = left <= 0
        self.eviction.solving.solver.set("timeout", max(1, int(left * 1000)))
        return left > 0

    def _optimum(self, model: z3.ModelRef) -> Optimum:
        victims = [pod for pod in self.eviction.pods if z3.is_false(model.eval(self.eviction.stays[pod.key], True))]
        facts, node = self.eviction.question.facts, self.eviction.question.node.name
        return Optimum(node, tuple(pod.key for pod in victims), cost(facts, victims), True)

    def _less(self, bound: Cost) -> Term:
        """Lexicographically, first difference first."""
        less: Term = self._fewer(bound.count - 1)
        less = some((self._cheaper(bound.total - 1), every((self._cheaper(bound.total), less))))
        less = some((self._humbler(bound.highest - 1), every((self._humbler(bound.highest), less))))
        return some((self._gentler(bound.violations - 1), every((self._gentler(bound.violations), less))))

    def _gentler(self, violations: int) -> Term:
        return at_most(((1, self.goes[pod.key]) for pod in self.violating), violations)

    def _humbler(self, highest: int) -> Term:
        return every(self.eviction.stays[pod.key] for pod in self.eviction.pods if pod.priority > highest)

    def _cheaper(self, total: int) -> Term:
        return at_most(((pod.priority + OFFSET, self.goes[pod.key]) for pod in self.eviction.pods), total)

    def _fewer(self, count: int) -> Term:
        return at_most(((1, goes) for goes in self.goes.values()), count)
