"""What placed pods mean to incoming ones through affinity and spreading: tallies kept up to date.

`anti`: the required anti-affinity terms of placed pods (the origin of map E, P-032); `scored`: their terms
that move scores (S-051), with whether the term is a required one; and, on demand, tallies of the pods that
an incoming pod's terms or selectors look for (maps A and N, P-033, P-034; spreading, S-055).
"""

from collections.abc import Iterable, Iterator

from attrs import Factory, define, frozen

from impl.labels import LabelColumns
from impl.pod_kind import PodKind
from impl.tally import Tally
from impl.terms import Matcher, Term
from model.api.objects import Pod
from model.api.selectors import Selector

MOST_SEARCHES = 2048


@frozen
class Search:
    """Pods that all (or, with `any_of`, at least one) of the matchers select; `living`: none that is terminating."""

    matchers: tuple[Matcher, ...]
    any_of: bool = False
    living: bool = False

    def selects(self, kind: PodKind) -> bool:
        found = (matcher.selects(kind) for matcher in self.matchers)
        return any(found) if self.any_of else all(found)


def spread_search(namespace: str, selectors: Iterable[Selector]) -> Search:
    """Living pods of the namespace that every selector matches.  [S-055]"""
    return Search(tuple(Matcher(frozenset({namespace}), selector) for selector in selectors), living=True)


@define(eq=False)
class _Placed:
    """The pods of one kind: how many living, and how many terminating, are on each row.

    `counting`: the tallies that count such pods; `declared`: those of the terms that they carry.
    """

    living: dict[int, int] = Factory(dict)
    terminating: dict[int, int] = Factory(dict)
    counting: list[Tally] = Factory(list)
    declared: list[Tally] = Factory(list)


class PairIndex:
    """Fed by the table with every pod that comes to a row or leaves it."""

    def __init__(self, labels: LabelColumns) -> None:
        self.scores_required = True
        """Whether required affinity terms of placed pods move scores, as they do unless their weight is 0.  [S-051]"""
        self.anti: dict[Term, Tally] = {}
        self.scored: dict[tuple[Term, bool], Tally] = {}
        self.broken_anti = 0
        """Placed pods with a required anti-affinity term whose selector cannot be built.  [P-038]"""
        self.broken_scored = 0
        """The same for terms that move scores."""
        self._searched: dict[Search, Tally] = {}
        self._labels = labels
        self._placed: dict[PodKind, _Placed] = {}

    @property
    def anything_placed(self) -> bool:
        return bool(self._placed)

    @property
    def crowded(self) -> bool:
        """So many searches are kept that it is time to `forget` them."""
        return len(self._searched) > MOST_SEARCHES

    def place(self, row: int, pod: Pod, kind: PodKind, count: int = 1) -> None:
        """Count a pod that came to the row or, with -1, left it."""
        placed = self._placed.get(kind) or self._enter(kind)
        terminating = pod.is_terminating
        rows = placed.terminating if terminating else placed.living
        left = rows.get(row, 0) + count
        rows[row] = left
        for tally in placed.counting:
            if not (terminating and tally.living):
                tally.add(row, count)
        if kind.has_affinity:
            for tally in placed.declared:
                tally.add(row, count)
            self.broken_anti += count * kind.broken_anti_affinity
            broken_required = self.scores_required and kind.broken_affinity
            self.broken_scored += count * (broken_required or kind.broken_preferences)
        if not left:
            del rows[row]
            if not placed.living and not placed.terminating:
                del self._placed[kind]

    def _enter(self, kind: PodKind) -> _Placed:
        """Make the kind known: which tallies count its pods."""
        counting = [tally for search, tally in self._searched.items() if search.selects(kind)]
        placed = self._placed[kind] = _Placed(counting=counting, declared=list(self._declared(kind)))
        return placed

    def _declared(self, kind: PodKind) -> Iterator[Tally]:
        for term in kind.anti_affinity_terms:
            yield self.anti.setdefault(term, Tally(self._labels))
        required = kind.affinity_terms if self.scores_required else ()
        for term, hard in [(term, True) for term in required] + [(term, False) for term in kind.preferred_terms]:
            if term.matcher.error:  # the pod is given up here: its later terms neither count nor crash
                return
            yield self.scored.setdefault((term, hard), Tally(self._labels))

    def tally(self, search: Search) -> Tally:
        """The tally of the pods that the search selects."""
        tally = self._searched.get(search)
        if tally is None:
            tally = self._searched[search] = Tally(self._labels, search.living)
            for kind, placed in self._placed.items():
                if search.selects(kind):
                    placed.counting.append(tally)
                    for rows in (placed.living,) if search.living else (placed.living, placed.terminating):
                        tally.start(rows)
        return tally

    def forget(self) -> None:
        """Drop all searches, and the terms that no placed pod carries any more; whoever holds a tally must ask anew."""
        self._searched.clear()
        for placed in self._placed.values():
            placed.counting.clear()
        used = {id(tally) for placed in self._placed.values() for tally in placed.declared}
        self.anti = {term: tally for term, tally in self.anti.items() if id(tally) in used}
        self.scored = {term: tally for term, tally in self.scored.items() if id(tally) in used}

    def grow(self, capacity: int) -> None:
        for tallies in (self.anti, self.scored, self._searched):
            for tally in tallies.values():
                tally.grow(capacity)
