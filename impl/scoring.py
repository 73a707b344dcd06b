"""The scores of feasible nodes for one kind of pod; what depends on a row alone is kept.  [S-010..S-015]"""

from collections.abc import Sequence

import numpy as np

from impl.configured import Plan
from impl.lanes import Ints, Lane, Rows
from impl.load import ByLoad
from impl.node_order import MISSING
from impl.priorities.scorer import NOTHING, Constant, PriorityError, Scorer, Subject
from impl.row_column import SharedColumns
from model.api.aggregate import aggregate
from model.api.integers import int64


class Scoring:
    """`scorers`: name -> the priority and its weight."""

    def __init__(self, subject: Subject, plan: Plan, shared: SharedColumns) -> None:
        known: dict[str, Scorer] = shared.makers(("priorities", subject.kind.local_content))
        self.scorers: dict[str, tuple[Scorer, int]] = {}
        for name, (factory, weight) in plan.priorities.items():
            scorer = known.get(name) or factory(subject)
            self.scorers[name] = scorer, weight
            if scorer.local:
                known[name] = scorer
        self._table = subject.table
        varying = [pair for pair in self.scorers.values() if not isinstance(pair[0], Constant)]
        local = [pair for pair in varying if pair[0].local]
        self._by_amounts = [pair for pair in local if pair[0].of_amounts]
        self._by_load = ByLoad(subject.table, lambda row: int64(self._constant + _weighted(self._by_amounts, row)))
        self._local = [pair for pair in local if not pair[0].of_amounts]
        self._others = [pair for pair in varying if not pair[0].local]
        self._constant = sum(s.score * weight for s, weight in self.scorers.values() if isinstance(s, Constant))
        if not plan.priorities and not plan.extenders:
            self._constant = 1  # Nothing scores, so all are equal.  [S-011]
        self._kept = shared.column(("score", subject.kind.local_content, self._constant), self._local_total)

    def _local_total(self, rows: Rows) -> Lane:
        if isinstance(rows, int):
            total = self._by_load.at(rows)
            return int64(total + _weighted(self._local, rows)) if self._local else total
        count = rows.stop - rows.start if isinstance(rows, slice) else len(rows)
        totals: Ints = np.full(count, self._constant, np.int64)
        for scorer, weight in self._by_amounts + self._local:
            totals += weight * scorer.scores(rows)
        return totals

    def totals(self, rows: Rows) -> Ints:
        """The weighted sums, in the order of the rows, not to be changed.  Raises PriorityError or Crash."""
        totals = self._kept.at(rows)
        errors = []
        for scorer, weight in self._others:
            try:
                scores = scorer.scores(rows)
                if scores is not NOTHING:
                    totals = totals + (scores if weight == 1 else weight * scores)
            except PriorityError as error:
                errors.append(str(error))
        if errors:
            raise PriorityError(aggregate(sorted(errors)))
        return totals

    def totals_with_strangers(self, rows: Ints) -> Ints:
        """The same where rows may be MISSING: an extender brought in a node that the snapshot does not have."""
        if (rows != MISSING).all():
            return self.totals(rows)
        totals = np.zeros(len(rows), np.int64)
        errors = set()
        for name, (_, weight) in self.scorers.items():
            try:
                totals += weight * self.scores(name, rows)
            except PriorityError as error:
                errors.add(str(error))
        if errors:
            raise PriorityError(aggregate(sorted(errors)))
        return totals

    def scores(self, name: str, rows: Ints) -> Ints:
        """Those of one priority; rows may be MISSING.  Raises PriorityError or Crash.  [S-016]"""
        scorer, known = self.scorers[name][0], rows != MISSING
        if scorer.by_node and not known.all():
            raise PriorityError("node not found")
        scores = np.zeros(len(rows), np.int64)
        scores[known] = scorer.scores(rows[known])
        return scores


def _weighted(scorers: Sequence[tuple[Scorer, int]], row: int) -> int:
    """The weighted sum on one row, of any size."""
    return sum(weight * int(scorer.scores(row)) for scorer, weight in scorers)
