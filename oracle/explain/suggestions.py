"""Smallest changes that would let the pod run, each tried out on the reference."""

from collections.abc import Iterator
from itertools import islice

from attrs import frozen

from oracle.explain.changing import changed
from oracle.explain.ground import Ground
from oracle.smt.changes import Change
from oracle.smt.corrections import corrections
from oracle.smt.question import Incoming

MOST = 12


@frozen
class Suggestion:
    """`nodes`: where this kind of change would do; the changes are those for the first."""

    changes: tuple[Change, ...]
    nodes: tuple[str, ...]


def suggestions(ground: Ground, incoming: Incoming) -> tuple[Suggestion, ...]:
    """Only those after which the reference does find a node: a change can have consequences of its own."""
    confirmed = (suggestion for suggestion, confirmed in tried(ground, incoming) if confirmed)
    return tuple(islice(confirmed, MOST))


def tried(ground: Ground, incoming: Incoming) -> Iterator[tuple[Suggestion, bool]]:
    """What the solver proposes, with whether the reference finds a node after exactly these changes."""
    for correction in corrections(incoming):
        cluster, pod = changed(correction.changes, ground.cluster, incoming.pod)
        after = ground.after(cluster)
        found = after.search(after.attempt(pod))
        yield Suggestion(correction.changes, correction.nodes), bool(found.feasible)
