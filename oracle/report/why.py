"""Why the reference decides as it does where the other side decides differently, each reason with its rules."""

from collections.abc import Iterator

from model.decision import tried_alone
from model.host_selection import best_nodes, select_host
from model.predicates.registry import PREDICATES
from model.scheduling_error import NoNodesAvailable, OtherError
from oracle.compare.considered import entries
from oracle.compare.divergence import Record
from oracle.compare.outcome import Outcome
from oracle.printable import counted
from oracle.report.because import Because
from oracle.report.details import texts
from oracle.report.points import about_points, about_totals, by_score
from oracle.report.trial import PARTS, Scored, try_node, with_rules
from oracle.report.victims import about_victims
from oracle.report.witness import Cycle

FREE_TURNS = "A-043"
"""Says that a turn is free, which it is not where hosts of equal points are told apart."""
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
    priorities = (record.get("priorities") for record in records)
    doubted = [entry for entry in entries(*priorities) if entry[1] in (records[1].get("feasible") or ())]
    if expected.host and expected.host != actual.host:
        settled = tuple(score for score in scored if score.priority not in {name for name, *_ in doubted})
        yield from _for_host(cycle, settled, expected.host, actual)
        if _tied(cycle, expected.host, actual.host) and "totals" not in records[1]:
            yield _unseen(cycle, actual.host or "", records[1])
    yield from _about_predicates(cycle, *records)
    yield from about_points(cycle, scored, doubted)
    if not doubted and all(record.get("totals") for record in records):
        yield from about_totals(scored, *(record["totals"] for record in records))
    if expected.refusal and not actual.host and expected.refusal != actual.refusal:
        yield from _about_message(cycle)
    if [record.get("eligible") for record in records] == [True, False]:
        yield Because(
            "The pod may preempt: on the node that it is nominated to nothing less important goes.", ("E-003",)
        )
    if _preempts_otherwise(sides, records):
        yield from about_victims(cycle, expected, actual)


def _preempts_otherwise(sides: tuple[Outcome, Outcome], records: tuple[Record, Record]) -> bool:
    """Whom it evicts for which node, whether it may, or whose nomination is taken back."""
    expected, actual = sides
    cleared = [[e["clearNomination"] for e in r.get("effects", ()) if "clearNomination" in e] for r in records]
    return (
        (expected.nominated, expected.victims) != (actual.nominated, actual.victims)
        or records[0].get("eligible") != records[1].get("eligible")
        or cleared[0] != cleared[1]
    )


def _about_predicates(cycle: Cycle, expected: Record, actual: Record) -> Iterator[Because]:
    """Those on which the two are not of one mind, node by node; of a predicate with parts only the parts."""
    differing = [(node, name) for node, name, *_ in entries(expected.get("predicates"), actual.get("predicates"))]
    for node, name in differing:
        if any(at == node and part in PARTS.get(name, ()) for at, part in differing) or name not in PREDICATES:
            continue
        info = cycle.attempt.snapshot[node]
        verdict, rules = with_rules(lambda: tried_alone(cycle.attempt, info, PREDICATES[name]))  # noqa: B023
        said = texts(cycle.attempt, info, verdict)
        yield Because(f"{name} {f'refuses {node}: ' + '; '.join(said) if said else f'lets {node} pass'}.", rules)


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


def _for_host(cycle: Cycle, scored: tuple[Scored, ...], host: str, actual: Outcome) -> Iterator[Because]:
    other = actual.host
    feasible, totals = cycle.attempted.feasible or (), cycle.attempted.totals
    if other is None:
        doubt = f"; the scheduler under test says “{actual.refusal}”" if actual.refusal else ""
        yield Because(f"{host} passes every predicate{doubt}.")
    if len(feasible) == 1:
        yield Because(f"{host} is the only feasible node, so it is taken without scoring.", ("A-041",))
    if len(feasible) != len(totals) or other not in feasible:
        return
    points = dict(zip(feasible, totals, strict=True))
    if not _tied(cycle, host, other):
        yield from by_score(scored, host, other, points[host], points[other])
        return
    tied = best_nodes(feasible, totals)
    counter = cycle.attempted.last_node_index - 1
    _, rules = with_rules(lambda: select_host(feasible, totals, counter))
    yield Because(
        f"Both nodes total {counted(points[host], 'point')}. The {len(tied)} best nodes take turns, in the order "
        f"{', '.join(tied[:8])}{', …' if len(tied) > 8 else ''}; the counter stands at {counter}, "
        f"and {counter} mod {len(tied)} = {counter % len(tied)} points at {host}.",
        tuple(rule for rule in rules if rule != FREE_TURNS),
    )


def _unseen(cycle: Cycle, host: str, actual: Record) -> Because:
    """Of a tie of which the other side has taken another node, and shows no points."""
    counter, tied = cycle.attempted.last_node_index, best_nodes(cycle.attempted.feasible or (), cycle.attempted.totals)
    if actual.get("lastNodeIndex") != counter:
        return Because(UNSEEN)
    takes = f"takes {host}, {'the first' if host == tied[0] else f'number {tied.index(host)}'} of them"
    return Because(
        f"The scheduler under test counts the same turns (the counter stands at {counter} afterwards on both sides), "
        f"but {takes}; v1.15.3 takes number counter mod {len(tied)}, counted from 0. The turn is part of what is "
        "compared. Or the scheduler under test scores one of these nodes in another way: its points are not on record."
    )


def _tied(cycle: Cycle, host: str, other: str | None) -> bool:
    """Both feasible, with the same points."""
    feasible, totals = cycle.attempted.feasible or (), cycle.attempted.totals
    points = dict(zip(feasible, totals, strict=False))
    return other is not None and host in points and points[host] == points.get(other)


def _about_message(cycle: Cycle) -> Iterator[Because]:
    """The failing predicates of a few refused nodes."""
    if isinstance(cycle.attempted.error, NoNodesAvailable):
        yield Because("There is no node at all, so v1.15.3 refuses the pod at once and goes on.", ("A-004", "L-061"))
    seen: set[tuple[str, ...]] = set()
    for name in cycle.attempted.failed:
        trial = try_node(cycle, name)
        if trial is None or not trial.failing or (first := trial.failing[0]).texts in seen:
            continue
        seen.add(first.texts)
        for tried in trial.failing if cycle.attempt.semantics.always_check_all_predicates else (first,):
            yield Because(f"{name} is refused by {tried.predicate}: {'; '.join(tried.texts)}.", tried.rules)
        if len(seen) == 4:
            return
