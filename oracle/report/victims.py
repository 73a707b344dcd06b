"""Why the reference evicts whom it evicts."""

from collections.abc import Iterator, Mapping

from model.decision import tried_together
from model.preemption import Preemption, Victims, preempt
from model.preemption.pick import criteria
from model.preemption.simulation import Simulation, without
from model.scheduling_error import SchedulingError
from oracle.compare.outcome import Outcome
from oracle.report.because import Because
from oracle.report.moment import Cycle
from oracle.report.trial import texts, with_rules


def about_victims(cycle: Cycle, expected: Outcome, actual: Outcome) -> Iterator[Because]:
    found, failure = cycle.preemption, cycle.attempted.error
    if found is None or failure is None:
        return
    if found.node is None:
        why = "the pod may not preempt now" if found.eligible is False else "evicting pods helps on no node"
        yield Because(f"Nobody is evicted: {why}.", _preemption_rules(cycle, failure))
        return
    evicted = ", ".join(pod.key for pod in found.victims) or "nobody"
    yield Because(f"On {found.node} the pod gets in by evicting {evicted}.", _preemption_rules(cycle, failure))
    if actual.host is None and actual.nominated in (None, found.node):
        yield from _not_without(cycle, found, actual)
    other = actual.nominated or ""
    if other in found.candidates and other not in found.allowed:
        yield from _by_criterion(cycle, found.node, other, found.candidates)
    elif other and other not in found.candidates:
        yield Because(f"On {other} no eviction lets the pod in.")
    if len(found.allowed) > 1:
        tied = ", ".join(sorted(found.allowed))
        yield Because(f"Any of {tied} would have been right: they tie on all criteria.", ("E-045",))


def _not_without(cycle: Cycle, found: Preemption, actual: Outcome) -> Iterator[Because]:
    """Where the other side evicts only some of the victims: what keeps the pod out while one of the others stays."""
    if not {*actual.victims} <= {name for pod in found.victims for name in (pod.key, pod.name)}:
        return
    spared: dict[tuple[str, ...], list[str]] = {}
    for pod in found.victims:
        if pod.key in actual.victims or pod.name in actual.victims:
            continue
        simulation = Simulation(cycle.attempt, cycle.attempt.snapshot[found.node or ""])
        for victim in found.victims:
            simulation = without(simulation, victim) if victim is not pod else simulation
        refused = texts(simulation.attempt, simulation.info, tried_together(simulation.attempt, simulation.info))
        spared.setdefault(refused, []).append(pod.key)
    for refused, keys in spared.items():
        if refused:
            who = f"any of {', '.join(keys)}" if keys[1:] else keys[0]
            alone = ", even alone" if found.victims[1:] else ""
            yield Because(f"While {who} stays{alone}, {found.node} refuses: {'; '.join(refused)}.", ("E-024",))


def _by_criterion(cycle: Cycle, node: str, other: str, candidates: Mapping[str, Victims]) -> Iterator[Because]:
    """The first criterion that tells the two apart."""
    if not candidates[node].pods:
        yield Because(f"{node} needs no eviction at all, {other} does.", ("L-123",))
        return
    for criterion, measure, _ in criteria(cycle.attempt.semantics.quirks):
        mine, theirs = measure(candidates[node]), measure(candidates[other])
        if mine != theirs:
            yield Because(f"{node} is better than {other} by “{criterion}”: {mine} against {theirs}.", ("E-040",))
            return


def _preemption_rules(cycle: Cycle, failure: SchedulingError) -> tuple[str, ...]:
    """Those about victims and the choice among nodes, not about the predicates tried on the way."""
    attempt = cycle.attempt
    if attempt.semantics.extenders:
        return ()
    steps = preempt(attempt.pod, failure, attempt.world, attempt.snapshot, attempt.semantics)
    _, rules = with_rules(lambda: list(steps))
    return tuple(rule for rule in rules if rule.startswith("E-") and rule >= "E-010")
