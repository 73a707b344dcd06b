"""Preemption found nothing: would it have helped to evict somebody after all?"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import z3
from attrs import frozen

from model.api.objects import Pod
from oracle.smt.facts import Facts, NodeFacts
from oracle.smt.host import Unknown
from oracle.smt.preemption import Eviction, might_help
from oracle.smt.question import Incoming
from oracle.smt.resources import wraps
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS, Broken, Holds, OutOfTime, Undecided

_BLAMED = {"P-090": "E-065a", "P-098": "E-065a", "P-063": "E-065d", "P-078": "E-060"}
"""The constraint that removing too many pods breaks, and the class that this is."""


@frozen
class Missed:
    """On `node` it would do to evict `victims`.  `rule`: why v1.15 does not see it, "" if nothing excuses it."""

    node: str
    victims: tuple[str, ...]
    rule: str


def missed(
    facts: Facts, pod: Pod, nodes: Iterable[str], settings: Settings | None = None, limit_ms: int = LIMIT_MS
) -> Iterator[Missed | Unknown]:
    """Of these nodes, those where evicting some pods of lower priority on it would make room."""
    incoming = Incoming(facts, pod, settings or Settings())
    for name in nodes:
        node = facts.nodes[name]
        eviction = Eviction.of(incoming, node, limit_ms=limit_ms)
        yield from _missed(name, eviction, partial(_excuse, incoming, node, limit_ms))


def missed_across_nodes(
    facts: Facts, pod: Pod, nodes: Iterable[str], settings: Settings | None = None, limit_ms: int = LIMIT_MS
) -> Iterator[Missed | Unknown]:
    """As `missed`, where pods of lower priority may go wherever they are.  [E-065c]"""
    incoming = Incoming(facts, pod, settings or Settings())
    lower = tuple(other for other, _ in facts.placed if other.priority < pod.priority)
    for name in nodes:
        eviction = Eviction.over(incoming, facts.nodes[name], lower, limit_ms=limit_ms)
        yield from _missed(name, eviction, lambda: "E-065c")


def _missed(name: str, eviction: Eviction, excuse: Callable[[], str]) -> Iterator[Missed | Unknown]:
    match eviction.solving.ask():
        case Undecided(why):
            yield Unknown(f"{name}: {why}")
        case Holds(model):
            victims = [key for key, term in eviction.stays.items() if z3.is_false(model.eval(term, True))]
            try:
                yield Missed(name, _needed(eviction, victims), excuse())
            except OutOfTime as unknown:
                yield Unknown(f"{name}: {unknown}")


def _needed(eviction: Eviction, victims: list[str]) -> tuple[str, ...]:
    """Those that cannot be put back, tried in turn.  Raises OutOfTime."""
    for victim in tuple(victims):
        fewer = [key for key in victims if key != victim]
        if eviction.fits_without(fewer):
            victims = fewer
    return tuple(victims)


def _excuse(incoming: Incoming, node: NodeFacts, limit_ms: int) -> str:
    """Raises OutOfTime.  [E-065, O-001]"""
    if not might_help(incoming, node):
        return "E-065b"
    simulated = Eviction.of(incoming, node, simulated=True, limit_ms=limit_ms)
    match simulated.without(simulated.stays):
        case Undecided(why):
            raise OutOfTime(why)
        case Broken(core) if core:
            if wraps(simulated.question) and any(each.rule == "P-047" for each in core):
                return "O-001"
            return next((_BLAMED[each.rule] for each in core if each.rule in _BLAMED), "")
    return ""
