"""In which order the decisions were made, if that of their arrival does not explain them.

Bindings are sent side by side, so that one may overtake another.  But a scheduler decides about one pod after the
other, and knows what it has decided: there must be one order in which every decision is right.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import Generic, TypeVar

from attrs import Factory, define

from oracle.judgement.judged import Judged, Outcome
from oracle.live.deeds import Bound, Deed, StatusSet
from oracle.live.views import Record

REACH = 6
"""So many decisions before and after a wrong one may have been made in another order."""

MOST_JUDGED = 400
"""Decisions that are judged to find that order."""

Said = TypeVar("Said", bound=Judged)
Judge = Callable[[Deed, Collection[Bound]], tuple[Said, ...]]
"""Told the bindings that the scheduler had decided before."""


def in_order(record: Record, judge: Judge[Said]) -> dict[int, tuple[Said, ...]]:
    """What is to be said of each deed that was accepted, by its identity."""
    found: dict[int, tuple[Said, ...]] = {}
    for _, deeds in groupby(filter(_is_accepted, record.new_deeds), record.span):
        found |= _in_order(list(deeds), judge, lambda deed: record.history.created("Pod", deed.pod))
    return found


def _is_accepted(deed: Deed) -> bool:
    return deed.error is None and isinstance(deed, Bound | StatusSet)


def _in_order(order: list[Deed], judge: Judge[Said], rank: Callable[[Deed], int]) -> dict[int, tuple[Said, ...]]:
    """`rank`: the likely order, by which pods were taken from the queue."""
    found = {id(deed): judge(deed, _bindings(order[:at])) for at, deed in enumerate(order)}
    for deed in tuple(order):
        if not _is_fine(found[id(deed)]):
            at = next(at for at, other in enumerate(order) if other is deed)
            near = slice(max(at - REACH, 0), at + REACH + 1)
            search = _Search(judge)
            if search.explains(sorted(order[near], key=rank), _bindings(order[: near.start])):
                order[near] = search.order
                found |= {id(other): search.said[id(other)] for other in search.order}
    return found


@define
class _Search(Generic[Said]):
    """Depth first: what is right now comes next.  `order` and `said` are the explanation, once there is one."""

    judge: Judge[Said]
    order: list[Deed] = Factory(list)
    said: dict[int, tuple[Said, ...]] = Factory(dict)
    _hopeless: set[frozenset[int]] = Factory(set)
    """Decisions already made, after which nothing explains the others."""
    _judged: int = 0

    def explains(self, rest: Sequence[Deed], known: list[Bound]) -> bool:
        if not rest:
            return True
        made = frozenset(map(id, self.order))
        for at, deed in enumerate(rest):
            if made in self._hopeless or self._judged >= MOST_JUDGED:
                return False
            self._judged += 1
            said = self.judge(deed, known)
            if not _is_fine(said):
                continue
            self.order.append(deed)
            self.said[id(deed)] = said
            if self.explains([*rest[:at], *rest[at + 1 :]], [*known, *_bindings([deed])]):
                return True
            self.order.pop()
        self._hopeless.add(made)
        return False


def _bindings(deeds: Sequence[Deed]) -> list[Bound]:
    return [deed for deed in deeds if isinstance(deed, Bound)]


def _is_fine(said: Sequence[Judged]) -> bool:
    return all(each.outcome is not Outcome.FAILED for each in said)
