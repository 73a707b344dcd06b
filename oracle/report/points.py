"""Why nodes get the points that they get."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from model.api.integers import int64
from oracle.printable import counted
from oracle.report.because import Because
from oracle.report.spreading import SPREADING, spread_over
from oracle.report.trial import Scored
from oracle.report.witness import Cycle

MOST = 3
"""Nodes of one priority that are told."""


def by_score(scored: Iterable[Scored], host: str, other: str, points: int, others: int) -> Iterator[Because]:
    """Of two nodes with different totals: the priorities that tell them apart."""
    yield Because(f"{host} totals {counted(points, 'point')}, {other} only {others}.", ("A-042",))
    for score in scored:
        if isinstance(score.scores, str) or score.weighted(host) == score.weighted(other):
            continue
        times = f", counted {score.weight} times" if score.weight != 1 else ""
        text = f"{score.priority} gives {host} {score.scores[host]} and {other} {score.scores[other]}{times}"
        yield Because(f"{text}{_figures(score, (host, other))}.", score.rules)


def about_points(
    cycle: Cycle, scored: Iterable[Scored], differing: Sequence[tuple[str, str, Any, Any]]
) -> Iterator[Because]:
    """`differing`: priority, node, and the points that each side gives."""
    for score in scored:
        found = [(node, theirs) for name, node, _, theirs in differing if name == score.priority]
        if not found or isinstance(score.scores, str):
            continue
        few = [(node, theirs) for node, theirs in found if node in score.scores][:MOST]
        said = ", ".join(
            f"{node} {counted(score.scores[node], 'point')}, not {'none' if theirs is None else theirs}"
            for node, theirs in few
        )
        more = ", …" if found[MOST:] else ""
        nodes = [node for node, _ in few]
        why = spread_over(cycle, nodes) if score.priority == SPREADING else _figures(score, nodes)
        yield Because(f"{score.priority} gives {said}{more}{why}.", score.rules)


def about_totals(scored: Sequence[Scored], expected: Mapping[str, int], actual: Mapping[str, int]) -> Iterator[Because]:
    """Of nodes about whose points the two agree; where extenders add to them, nothing can be told."""
    for node, total in [(node, total) for node, total in expected.items() if total != actual.get(node)][:MOST]:
        given = [score for score in scored if score.weighted(node)]
        terms = " + ".join(f"{score.points(node)} × {score.weight} ({score.priority})" for score in given)
        exact = sum(score.weighted(node) for score in given)
        if int64(exact) == total:
            wrapped = "" if exact == total else f" = {exact}, in 64 bits"
            yield Because(f"The points of {node}, times their weights: {terms or 0}{wrapped} = {total}.", ("S-013",))


def _figures(score: Scored, nodes: Iterable[str]) -> str:
    """A sentence that goes on after another."""
    said = [f"{node}: {score.workings[node]}" for node in nodes if node in score.workings]
    return f". {'. '.join(said)}" if said else ""
