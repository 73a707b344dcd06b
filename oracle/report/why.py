"""Why the reference decides as it does where the other side decides differently, each reason with its rules."""

from collections.abc import Iterator

from model.host_selection import best_nodes, select_host
from model.scheduling_error import OtherError
from oracle.compare.considered import entries
from oracle.compare.divergence import Record
from oracle.compare.outcome import Outcome
from oracle.report.because import Because
from oracle.report.moment import Cycle
from oracle.report.spreading import SPREADING, spread_over
from oracle.report.trial import PARTS, Scored, try_node, with_rules
from oracle.report.victims import about_victims

UNSEEN = (
    "The points that the scheduler under test gave are not on record: "
    "it scores one of these nodes in another way, or takes turns in another way."
)


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
        if _tied(cycle, expected.host, actual.host) and "totals" not in records[1]:
            yield Because(UNSEEN)
    yield from _about_opinions(cycle, scored, *records)
    if expected.refusal and actual.refusal and expected.refusal != actual.refusal:
        yield from _about_message(cycle)
    if (expected.nominated, expected.victims) != (actual.nominated, actual.victims):
        yield from about_victims(cycle, expected, actual)


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
            more = ", …" if nodes[score.priority][3:] else ""
            counted = spread_over(cycle, few) if score.priority == SPREADING else ""
            yield Because(f"{score.priority} gives {points}{more}{counted}.", score.rules)


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
    if not _tied(cycle, host, other):
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


def _tied(cycle: Cycle, host: str, other: str | None) -> bool:
    """Both feasible, with the same points."""
    feasible, totals = cycle.attempted.feasible or (), cycle.attempted.totals
    points = dict(zip(feasible, totals, strict=False))
    return other is not None and host in points and points[host] == points.get(other)


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
