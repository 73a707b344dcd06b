"""In which order the decisions were made, if that of their arrival does not explain them.

Bindings are sent side by side, so that one may overtake another.  But a scheduler decides about one pod after the
other, and knows what it has decided: there must be one order in which every decision is right.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby, islice
from typing import TypeVar

from oracle.judgement.judged import Judged, Outcome
from oracle.live.deeds import Bound, Deed, StatusSet
from oracle.live.views import Record

MOST_ORDERS = 40
"""Other orders that are tried for one decision."""

Said = TypeVar("Said", bound=Judged)
Judge = Callable[[Deed, Collection[Bound]], tuple[Said, ...]]
"""Told the bindings that the scheduler had decided before."""


def in_order(record: Record, judge: Judge[Said]) -> dict[int, tuple[Said, ...]]:
    """What is to be said of each deed that was accepted, by its identity."""
    found: dict[int, tuple[Said, ...]] = {}
    for _, deeds in groupby(filter(_is_accepted, record.deeds), record.span):
        found |= _in_order(list(deeds), judge)
    return found


def _is_accepted(deed: Deed) -> bool:
    return deed.error is None and isinstance(deed, Bound | StatusSet)


def _in_order(order: list[Deed], judge: Judge[Said]) -> dict[int, tuple[Said, ...]]:
    found = {id(deed): judge(deed, _known(order, at)) for at, deed in enumerate(order)}
    for deed in tuple(order):
        if _is_fine(found[id(deed)]):
            continue
        for other in islice(_moved(order, deed), MOST_ORDERS):
            changed = [at for at, (old, new) in enumerate(zip(order, other, strict=True)) if old is not new]
            said = {id(other[at]): judge(other[at], _known(other, at)) for at in changed}
            if all(map(_is_fine, said.values())):
                order, found = other, found | said
                break
    return found


def _known(order: Sequence[Deed], at: int) -> list[Bound]:
    return [deed for deed in order[:at] if isinstance(deed, Bound)]


def _moved(order: Sequence[Deed], deed: Deed) -> Iterator[list[Deed]]:
    """A later binding before this deed, as of a pod that had to wait for its volumes; the deed in all other places."""
    at = next(at for at, other in enumerate(order) if other is deed)
    for later in order[at + 1 :]:
        if isinstance(later, Bound):
            yield _placed(order, later, at)
    for place in sorted(range(len(order)), key=lambda place: abs(place - at)):
        if place != at:
            yield _placed(order, deed, place)


def _placed(order: Sequence[Deed], deed: Deed, place: int) -> list[Deed]:
    rest = [other for other in order if other is not deed]
    return [*rest[:place], deed, *rest[place:]]


def _is_fine(said: Sequence[Judged]) -> bool:
    return all(each.outcome is not Outcome.FAILED for each in said)
