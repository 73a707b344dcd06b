"""Why the reference decides as it does where the other side decides differently, each reason with its rules."""

from collections.abc import Iterator, Mapping

from model.host_selection import best_nodes, select_host
from model.preemption import Victims, preempt
from model.preemption.pick import criteria
from model.scheduling_error import OtherError, SchedulingError
from oracle.compare.considered import entries
from oracle.compare.divergence import Record
from oracle.compare.outcome import Outcome
from oracle.report.because import Because
from oracle.report.moment import Cycle
from oracle.report.trial import Scored, try_node, with_rules

PARTS = {"GeneralPredicates": ("PodFitsResources", "PodFitsHost", "HostName", "PodFitsHostPorts", "MatchNodeSelector")}
"""Predicates that are configured as parts of another."""


def because(
    cycle: Cycle, scored: tuple[Scored, ...], sides: tuple[Outcome, Outcome], records: tuple[Record, Record]
) -> Iterator[Because]:
    """What speaks for the one answer and against the other, the telling things first; the reference comes first."""
    expected, actual = sides
    if isinstance(cycle.attempted.error, OtherError):
        yield Because(f"v1.15.3 cannot carry the attempt through: {cycle.attempted.error.text}.")
    if actual.host and actual.host != expected.host:
        yield from _about_host(cycle, actual.host)
    if expected.host and expected.host != actual.host:
        yield from _for_host(cycle, scored, expected.host, actual.host)
    yield from _about_opinions(cycle, scored, *records)
    if expected.refusal and actual.refusal and expected.refusal != actual.refusal:
        yield from _about_message(cycle)
    if (expected.nominated, expected.victims) != (actual.nominated, actual.victims):
        yield from _about_victims(cycle, expected, actual)


def _about_opinions(cycle: Cycle, scored: tuple[Scored, ...], expected: Record, actual: Record) -> Iterator[Because]:
    """Single predicates and priorities on which the two are not of one mind."""
    for node, name, *_ in entries(expected.get("predicates"), actual.get("predicates")):
        trial = try_node(cycle, node)
        for tried in trial.tried if trial else ():
            if tried.predicate == name or name in PARTS.get(tried.predicate, ()):
                verdict = "lets it pass" if tried.fits else f"refuses it: {'; '.join(tried.texts)}"
                yield Because(f"On {node}, {tried.predicate} {verdict}.", tried.rules)
    nodes: dict[str, list[str]] = {}
    for name, node, *_ in entries(expected.get("priorities"), actual.get("priorities")):
        nodes.setdefault(name, []).append(node)
    for score in scored:
        if score.priority in nodes and not isinstance(score.scores, str):
            few = nodes[score.priority][:3]
            points = ", ".join(f"{node} {score.scores[node]} points" for node in few if node in score.scores)
            yield Because(f"{score.priority} gives {points}{', …' if nodes[score.priority][3:] else ''}.", score.rules)


def _about_host(cycle: Cycle, host: str) -> Iterator[Because]:
    """What the reference has against the host of the other side."""
    trial = try_node(cycle, host)
    if trial is None:
        yield Because(f"{host} is not a node that the scheduler can know of at this moment.")
        return
    for tried in trial.failing:
        yield Because(f"{host} is refused by {tried.predicate}: {'; '.join(tried.texts)}.", tried.rules)
    if trial.refused and not trial.failing:
        yield Because(f"{host} is refused once the pods nominated to it are counted in: {trial.refused}.", ("P-021",))


def _for_host(cycle: Cycle, scored: tuple[Scored, ...], host: str, other: str | None) -> Iterator[Because]:
    feasible, totals = cycle.attempted.feasible or (), cycle.attempted.totals
    if other is None:
        yield Because(f"{host} passes every predicate.")
    if len(feasible) == 1:
        yield Because(f"{host} is the only feasible node, so it is taken without scoring.", ("A-041",))
    if len(feasible) != len(totals) or other not in feasible:
        return
    points = dict(zip(feasible, totals, strict=True))
    if points[host] != points[other]:
        yield from _by_score(scored, host, other, points[host], points[other])
        return
    tied = best_nodes(feasible, totals)
    counter = cycle.attempted.last_node_index - 1
    _, rules = with_rules(lambda: select_host(feasible, totals, counter))
    yield Because(
        f"Both nodes total {points[host]} points. The {len(tied)} best nodes take turns, in the order "
        f"{', '.join(tied[:8])}{', …' if len(tied) > 8 else ''}; the counter stands at {counter}, "
        f"and {counter} mod {len(tied)} = {counter % len(tied)} points at {host}.",
        rules,
    )


def _by_score(scored: tuple[Scored, ...], host: str, other: str, points: int, others: int) -> Iterator[Because]:
    yield Because(f"{host} totals {points} points, {other} only {others}.", ("A-042",))
    for score in scored:
        if isinstance(score.scores, str) or score.weighted(host) == score.weighted(other):
            continue
        times = f", counted {score.weight} times" if score.weight != 1 else ""
        text = f"{score.priority} gives {host} {score.scores[host]} and {other} {score.scores[other]}{times}."
        yield Because(text, score.rules)


def _about_message(cycle: Cycle) -> Iterator[Because]:
    """The failing predicates of a few refused nodes."""
    seen: set[tuple[str, ...]] = set()
    for name in cycle.attempted.failed:
        trial = try_node(cycle, name)
        if trial is None or not trial.failing or (first := trial.failing[0]).texts in seen:
            continue
        seen.add(first.texts)
        yield Because(f"{name} is refused by {first.predicate}: {'; '.join(first.texts)}.", first.rules)
        if len(seen) == 4:
            return


def _about_victims(cycle: Cycle, expected: Outcome, actual: Outcome) -> Iterator[Because]:
    found, failure = cycle.preemption, cycle.attempted.error
    if found is None or failure is None:
        return
    if found.node is None:
        why = "the pod may not preempt now" if found.eligible is False else "evicting pods helps on no node"
        yield Because(f"Nobody is evicted: {why}.", _preemption_rules(cycle, failure))
        return
    evicted = ", ".join(pod.key for pod in found.victims) or "nobody"
    yield Because(f"On {found.node} the pod gets in by evicting {evicted}.", _preemption_rules(cycle, failure))
    other = actual.nominated or ""
    if other in found.candidates and other not in found.allowed:
        yield from _by_criterion(cycle, found.node, other, found.candidates)
    elif other and other not in found.candidates:
        yield Because(f"On {other} no eviction lets the pod in.")
    if len(found.allowed) > 1:
        tied = ", ".join(sorted(found.allowed))
        yield Because(f"Any of {tied} would have been right: they tie on all criteria.", ("E-045",))


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
