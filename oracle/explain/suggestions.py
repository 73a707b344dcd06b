"""Smallest changes that would let the pod run, each tried out on the reference."""

from collections.abc import Iterator

from attrs import evolve, frozen

from model.api.protocol import Crash
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
    """Only those after which the reference does find a node, without what it does not ask for.

    A change can have consequences of its own: a node may come near others, a claim bound anew uses another disk.
    """
    found: list[Suggestion] = []
    for suggestion, confirmed in tried(ground, incoming):
        if confirmed:
            needed = evolve(suggestion, changes=_needed(ground, incoming, suggestion.changes))
            if not any(set(other.changes) <= set(needed.changes) for other in found):
                found.append(needed)
        if len(found) == MOST:
            break
    return tuple(found)


def tried(ground: Ground, incoming: Incoming) -> Iterator[tuple[Suggestion, bool]]:
    """What the solver proposes, with whether the reference finds a node after exactly these changes."""
    for correction in corrections(incoming):
        yield Suggestion(correction.changes, correction.nodes), _helps(ground, incoming, correction.changes)


def _helps(ground: Ground, incoming: Incoming, changes: tuple[Change, ...]) -> bool:
    cluster, pod = changed(changes, ground.cluster, incoming.pod)
    after = ground.after(cluster)
    try:
        return after.schedule(after.attempt(pod)).host is not None
    except Crash:
        return False


def _needed(ground: Ground, incoming: Incoming, changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """None of them can be left out."""
    for change in changes:
        fewer = tuple(other for other in changes if other is not change)
        if fewer and _helps(ground, incoming, fewer):
            changes = fewer
    return changes
