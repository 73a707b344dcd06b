"""Why the reference evicts whom it evicts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from model.preemption import Victims
from model.preemption.pick import criteria
from model.preemption.victims import NOW
from oracle.compare.outcome import Outcome
from oracle.report.because import Because
from oracle.report.reprieve import Return, reprieve
from oracle.report.witness import Cycle
from oracle.report.words import some

MOST_RETURNS = 4
"""Pods on a node up to which each is told, whether the sides differ about it or not."""


def about_victims(cycle: Cycle, expected: Outcome, actual: Outcome) -> Iterator[Because]:
    found, failure = cycle.preemption, cycle.attempted.error
    if found is None or failure is None:
        return
    other = actual.nominated or ""
    if found.eligible is False:
        yield _waiting(cycle)
    elif found.node is None and not other:
        yield Because("Nobody is evicted: that helps on no node.", ("E-010",))
    elif found.node is not None:
        yield from _on_its_node(cycle, found.node, expected, actual)
    if other in found.candidates and other not in found.allowed:
        yield from _by_criterion(cycle, found.node or "", other, found.candidates)
    elif other and other not in found.candidates:
        yield from _hopeless(cycle, other, other in found.potential)
    if len(found.allowed) > 1:
        yield Because(
            f"Any of {some(sorted(found.allowed))} would have been right: they tie on all criteria.", ("E-045",)
        )


def _waiting(cycle: Cycle) -> Because:
    pod = cycle.attempt.pod
    node = cycle.attempt.snapshot.get(pod.status.nominated_node_name)
    going = [held.key for held in node.pods if held.is_terminating and held.priority < pod.priority] if node else []
    if not going:
        return Because("Nobody is evicted: the pod's policy is never to preempt.", ("E-003",))
    why = f"{some(going)} is terminating on {pod.status.nominated_node_name}, the node that it is nominated to"
    return Because(f"{pod.key} waits, and keeps its nomination: {why}.", ("E-003", "L-120"))


def _on_its_node(cycle: Cycle, node: str, expected: Outcome, actual: Outcome) -> Iterator[Because]:
    """Whom it thinks away there, and who of them may return."""
    thought = reprieve(cycle, node)
    if thought is None:
        return
    away = some([pod.key for pod in thought.removed])
    if actual.host is not None or actual.nominated not in (None, node):
        evicts = f"by evicting {some([pod.key for pod in thought.victims])}" if thought.victims else "and evicts nobody"
        yield Because(f"v1.15.3 makes room on {node} {evicts}.", ("L-122", "E-024"))
        return
    if not thought.victims:
        stay = f"All of {away} may stay on {node}, and {cycle.attempt.pod.key} fits beside them."
        yield Because(stay if away else f"{cycle.attempt.pod.key} fits on {node} without any eviction.", ("E-026",))
        return
    budgets = "those first whose budget allows no disruption, then " if any(r.budgets for r in thought.returns) else ""
    turn = f"one by one, {budgets}the more important first, " if thought.removed[1:] else ""
    them, others = ("them", "the others are") if thought.removed[1:] else ("it", "else it is")
    text = f"v1.15.3 thinks away all pods of lower priority on {node}, {away}, and lets {them} return {turn}as long as"
    rules = ("E-021", "E-023", "E-022") if budgets else ("E-021", "E-022")
    yield Because(f"{text} {cycle.attempt.pod.key} still fits; {others} evicted.", rules)
    if sorted(expected.victims) == sorted(actual.victims):
        text = (
            "The victims are deleted in this order: those whose budget allows no disruption first, then by importance."
        )
        yield Because(text, ("E-025", "E-022"))
    differing = [each for each in thought.returns if expected.evicts(each.pod) != actual.evicts(each.pod)]
    yield from _returns(cycle, node, thought.returns if len(thought.returns) <= MOST_RETURNS else differing)


def _returns(cycle: Cycle, node: str, returns: Iterable[Return]) -> Iterator[Because]:
    """In turn, neighbours of one fate together."""
    together: list[tuple[Return, list[str]]] = []
    for each in returns:
        if together and together[-1][0].why == each.why:
            together[-1][1].append(each.pod.key)
        else:
            together.append((each, [each.pod.key]))
    pod = cycle.attempt.pod.key
    for each, keys in together:
        back = {1: "it", 2: "either of them"}.get(len(keys), "any of them")
        if each.stays:
            text = f"{some(keys)} may return: {pod} fits beside {'them' if keys[1:] else 'it'}."
        else:
            text = f"{some(keys)} cannot return: with {back} back, {node} refuses {pod}: {each.why}."
        yield Because(text, ("E-024",))


def _hopeless(cycle: Cycle, node: str, is_potential: bool) -> Iterator[Because]:
    if not is_potential:
        yield Because(f"On {node} no eviction can help: what refuses the pod there would stay.", ("E-005",))
    elif (thought := reprieve(cycle, node)) and thought.refused:
        away = some([pod.key for pod in thought.removed])
        gone = (
            f"Even without {away}, all of lower priority on {node},"
            if away
            else f"No pod on {node} may be evicted, and"
        )
        refuses = f"it refuses {cycle.attempt.pod.key}: {'; '.join(thought.refused)}"
        yield Because(f"{gone} {refuses}.", ("E-021", "L-122"))


def _by_criterion(cycle: Cycle, node: str, other: str, candidates: Mapping[str, Victims]) -> Iterator[Because]:
    """The first criterion that tells the two apart."""
    if not candidates[node].pods:
        yield Because(f"{node} needs no eviction at all, {other} does.", ("L-123",))
        return
    for criterion, measure, _ in criteria(cycle.attempt.semantics.quirks):
        mine, theirs = measure(candidates[node]), measure(candidates[other])
        if mine != theirs:
            yield Because(
                f"{node} is better than {other} by “{criterion}”: {_measure(mine)} against {_measure(theirs)}.",
                ("E-040",),
            )
            return


def _measure(value: Any) -> str:
    """A number, or a time at which the important victim started."""
    return "now (no start is told)" if value == NOW else str(value)
