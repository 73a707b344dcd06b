"""The scores of feasible nodes for one kind of pod; what depends on a row alone is kept.  [S-010..S-015]"""

import numpy as np

from impl.configured import Plan, aggregate
from impl.lanes import Ints, Lane, Rows
from impl.priorities.scorer import NOTHING, Constant, PriorityError, Scorer, Subject
from impl.row_column import SharedColumns
from model.api.integers import int64


class Scoring:
    """`scorers`: name -> the priority and its weight."""

    def __init__(self, subject: Subject, plan: Plan, shared: SharedColumns) -> None:
        self.scorers: dict[str, tuple[Scorer, int]] = {
            name: (factory(subject), weight) for name, (factory, weight) in plan.priorities.items()
        }
        self._table = subject.table
        self._local = [pair for pair in self.scorers.values() if pair[0].local and not isinstance(pair[0], Constant)]
        self._others = [pair for pair in self.scorers.values() if not pair[0].local]
        self._constant = sum(s.score * weight for s, weight in self.scorers.values() if isinstance(s, Constant))
        if not plan.priorities and not plan.extenders:
            self._constant = 1  # Nothing scores, so all are equal.  [S-011]
        self._kept = shared.column(("score", subject.kind.local_content, self._constant), self._local_total)

    def _local_total(self, rows: Rows) -> Lane:
        if isinstance(rows, int):
            return int64(self._constant + sum(weight * int(scorer.scores(rows)) for scorer, weight in self._local))
        total: Lane = self._constant
        for scorer, weight in self._local:
            total = total + weight * scorer.scores(rows)
        if not self._local:
            return np.full(len(self._table.name_of), total, np.int64)
        return total

    def totals(self, rows: Ints) -> Ints:
        """The weighted sums, in the order of the rows.  Raises PriorityError or Crash."""
        totals: Ints = self._kept.values()[rows]
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
