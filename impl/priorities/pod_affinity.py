"""InterPodAffinityPriority by tallies.  [S-050..S-053]"""

from collections.abc import Iterator

import numpy as np

from impl.lanes import Flags, Ints, Lane, Rows
from impl.pair_index import Search
from impl.priorities.scorer import NOTHING, PriorityError, Scorer, Subject
from impl.tally import Tally
from impl.terms import Term
from model.api.protocol import NIL_DEREFERENCE, Crash


class InterPodAffinity(Scorer):
    local = by_node = False

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self._index = subject.table.pairs
        self._own = [
            (term.topology_key, term.weight, self._index.tally(Search((term.matcher,))))
            for term in subject.kind.preferred_terms
        ]
        self._theirs: list[tuple[str, int, Tally]] = []
        """The terms of placed pods that the pod matches: key, weight, tally."""
        self._looked_at = 0
        self._live_rows: Flags | None = None
        self._live_at = (-1, -1)

    def scores(self, rows: Rows) -> Lane:
        theirs = [term for term in self._their_terms() if term[2].total] if self._index.scored else []
        if not theirs and not self._own:
            self._look_for_errors()
            return NOTHING
        counted = self.table.with_affinity[rows] > 0
        live = self._live()
        if not self.subject.kind.has_affinity and not counted.all():
            self._look_for_crash(rows, ~counted, theirs, live)
        self._look_for_errors()
        per_key: dict[str, Ints] = {}
        for key, weight, tally in (*self._own, *theirs):
            amounts = weight * tally.per_value(key, live)
            per_key[key] = per_key[key] + amounts if key in per_key else amounts
        counters = np.zeros(len(counted), np.int64)
        for key, amounts in per_key.items():
            counters += amounts[self.table.labels.column(key).codes[rows]]
        if self.subject.kind.has_affinity:
            return _spread_out(counters)
        counters[~counted] = 0
        return np.where(counted, _spread_out(counters), 0)

    def _their_terms(self) -> list[tuple[str, int, Tally]]:
        terms = self._index.scored
        if len(terms) > self._looked_at:
            for term, hard in list(terms)[self._looked_at :]:
                if term.matcher.selects(self.subject.kind):
                    weight = self.subject.hard_pod_affinity_weight if hard else term.weight
                    self._theirs.append((term.topology_key, weight, terms[term, hard]))
            self._looked_at = len(terms)
        return self._theirs

    def _live(self) -> Flags | None:
        """The rows whose node still exists, None when all do: pods on vanished nodes do not count.  [S-051, C-043]"""
        table, stores = self.table, self.subject.surroundings.stores
        state = stores.versions["Node"], table.membership
        if state != self._live_at:
            self._live_rows, self._live_at = None, state
            if not table.row_of.keys() <= stores.nodes.keys():
                self._live_rows = np.zeros(len(table.with_affinity), np.bool_)
                self._live_rows[[row for name, row in table.row_of.items() if name in stores.nodes]] = True
        return self._live_rows

    def _look_for_crash(
        self, rows: Rows, uncounted: Flags, theirs: list[tuple[str, int, Tally]], live: Flags | None
    ) -> None:
        """A term that reaches a feasible node without counter ends kube-scheduler.  [S-052]"""
        for key, _, tally in theirs:
            if (tally.per_value(key, live)[self.table.labels.column(key).codes[rows][uncounted]] > 0).any():
                raise Crash(NIL_DEREFERENCE)

    def _look_for_errors(self) -> None:
        """The first selector met that cannot be built.  [S-051]"""
        if self.subject.kind.broken_preferences or self._index.broken_scored:
            for term in self._terms_in_order():
                if term.matcher.error:
                    raise PriorityError(term.matcher.error)

    def _terms_in_order(self) -> Iterator[Term]:
        kind, table, nodes = self.subject.kind, self.table, self.subject.surroundings.stores.nodes
        for name, row in table.row_of.items():
            for placed in table.kinds_of_row[row] if name in nodes else ():
                if kind.has_affinity or placed.has_affinity:
                    yield from kind.preferred_terms
                    if self._index.scores_required:
                        yield from placed.affinity_terms
                    yield from placed.preferred_terms


def _spread_out(counters: Ints) -> Ints:
    """From the least to the most, 0 among both.  [S-053]"""
    most, least = max(0, int(counters.max(initial=0))), min(0, int(counters.min(initial=0)))
    if most == least:
        return np.zeros(len(counters), np.int64)
    scores: Ints = (10.0 * ((counters - least) / (most - least))).astype(np.int64)
    return scores
