"""Which nodes a page shows one by one, and what became of the others."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from oracle.compare.outcome import Outcome
from oracle.printable import counted
from oracle.report.moment import Moment
from oracle.report.witness import Cycle

MOST = 12
"""Nodes that are drawn and tried one by one; the rest is counted by what became of it."""


@frozen
class NodeGroup:
    """Nodes that are not shown one by one, and what became of them."""

    text: str
    count: int
    some: tuple[str, ...]


def that_matter(moment: Moment, cycle: Cycle | None, expected: Outcome, actual: Outcome) -> Iterator[str]:
    """Those the two answers name, then feasible ones, then one for each way to be refused, then others."""
    wanted = [host for host in (expected.host, actual.host, expected.nominated, actual.nominated) if host]
    freed = (n for n, info in moment.nodes.items() if any(expected.evicts(p) or actual.evicts(p) for p in info.pods))
    wanted += freed
    if cycle:
        points = totals(cycle)
        wanted += sorted(cycle.attempted.feasible or (), key=lambda name: -points.get(name, 0))
        wanted += list(cycle.preemption.candidates) if cycle.preemption else []
        wanted += {fit: name for name, fit in reversed(list(cycle.attempted.failed.items()))}.values()
    chosen = [name for name in dict.fromkeys([*wanted, *moment.nodes]) if name in moment.nodes][:MOST]
    as_listed = [node.name for node in moment.objects.nodes]
    yield from (name for name in dict.fromkeys([*as_listed, *chosen]) if name in chosen)


def groups(moment: Moment, cycle: Cycle | None, shown: tuple[str, ...]) -> Iterator[NodeGroup]:
    found: dict[str, list[str]] = {}
    for name in moment.nodes:
        if name not in shown:
            found.setdefault(_fate(name, cycle), []).append(name)
    for text, names in sorted(found.items(), key=lambda group: -len(group[1])):
        yield NodeGroup(text, len(names), tuple(names[:5]))


def totals(cycle: Cycle | None) -> Mapping[str, int]:
    """Points of the feasible nodes, {} where none were given."""
    if cycle is None or not cycle.attempted.totals:
        return {}
    return dict(zip(cycle.attempted.feasible or (), cycle.attempted.totals, strict=True))


def _fate(name: str, cycle: Cycle | None) -> str:
    if cycle is None:
        return "not concerned"
    if name in (cycle.attempted.feasible or ()):
        total = totals(cycle).get(name)
        return "feasible" if total is None else f"feasible, {counted(total, 'point')}"
    fit = cycle.attempted.failed.get(name)
    return "not looked at" if fit is None else ", ".join(reason.text for reason in fit)
