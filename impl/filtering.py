"""The nodes tried in one attempt, until enough of them fit.  [A-020..A-026]"""

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import define

from impl.configured import Plan
from impl.feasibility import Feasibility
from impl.lanes import Codes, Ints, Rows
from impl.node_order import MISSING, NodeOrder, feasible_nodes_to_find
from impl.outcomes import FITS, UNKNOWN_CONDITION, Outcomes
from impl.scheduling_error import SchedulingError
from impl.surroundings import Surroundings
from impl.table import Table
from model.api.objects import Pod


@define
class Tried:
    """The nodes tried in one attempt: `count` of the rows, in order, with the verdicts; and those that are feasible.

    `span`: these again, as a slice where that is possible.
    """

    rows: Ints
    codes: Codes
    count: int
    feasible: Ints
    span: Rows
    repeats: bool

    def failed(self) -> tuple[Ints, Codes]:
        """The rows where the pod does not fit, each once, and why."""
        rows, codes = self.rows[: self.count], self.codes[: self.count]
        if len(self.feasible):
            failing = codes != FITS
            rows, codes = rows[failing], codes[failing]
        if self.repeats:
            rows, first = np.unique(rows, return_index=True)
            codes = codes[first]
        return rows, codes


class Filtering:
    """The search of one scheduler: the next attempt goes on where the last one stopped."""

    def __init__(self, plan: Plan, table: Table, outcomes: Outcomes, surroundings: Surroundings) -> None:
        self._plan = plan
        self._table = table
        self._outcomes = outcomes
        self._tree = surroundings.cache.tree
        self._queue = surroundings.queue
        self._order = NodeOrder(table)
        self._fine: Codes = np.zeros(0, np.int32)
        """What is given when no row fails; nobody writes to it."""

    def find(self, feasibility: Feasibility) -> Tried:
        """Try nodes until enough fit; the node tree moves on.  Raises SchedulingError.  [A-021..A-026]"""
        tree = self._tree
        rows = self._order.upcoming(tree)
        wanted = feasible_nodes_to_find(tree.count, self._plan.percentage)
        codes, failing = self._codes(feasibility, rows, wanted)
        if not failing:
            stop = min(len(codes), wanted + 1)
            feasible = rows[:wanted]
            span = self._order.span(feasible)
        else:
            stop = len(codes)
            fitting = (codes == FITS).nonzero()[0]
            if len(fitting) > wanted:
                stop = int(fitting[wanted]) + 1
            feasible = span = rows[fitting[:wanted]]
        tree.advance(stop)
        if self._outcomes.any_error:
            self._raise_errors(codes[:stop])
        return Tried(rows, codes, stop, feasible, span, self._order.repeats)

    def _codes(self, feasibility: Feasibility, rows: Ints, wanted: int) -> tuple[Codes, int]:
        """The verdicts on the rows in order, at least up to the first feasible one too many; how many do not fit."""
        by_row = feasibility.codes()
        nominated = self._nominated(feasibility) if self._queue.nominated else {}
        if by_row is None or self._order.gaps:
            codes = self._codes_one_by_one(feasibility, rows, wanted, nominated)
            return codes, int(np.count_nonzero(codes))
        if nominated:
            by_row = by_row.copy()
            for row, pods in nominated.items():
                by_row[row] = feasibility.code(row, pods)
        elif not feasibility.failing:
            tried = min(len(rows), wanted + 1)
            if len(self._fine) != tried:
                self._fine = np.zeros(tried, np.int32)
            return self._fine, 0
        if feasibility.failing < len(by_row) - wanted:
            codes = by_row[self._order.span(rows[: wanted + 1 + wanted // 8])]
            failing = int(np.count_nonzero(codes))
            if len(codes) - failing > wanted:
                return codes, failing
        codes = by_row[self._order.span(rows)]
        return codes, int(np.count_nonzero(codes))

    def _nominated(self, feasibility: Feasibility) -> dict[int, Sequence[Pod]]:
        """The nominated pods that are reckoned with, by row."""
        row_of = self._table.row_of
        return {
            row_of[name]: qualified
            for name, pods in self._queue.nominated.items()
            if name in row_of and (qualified := feasibility.qualified(pods))
        }

    def _codes_one_by_one(
        self, feasibility: Feasibility, rows: Ints, wanted: int, nominated: Mapping[int, Sequence[Pod]]
    ) -> Codes:
        codes: list[int] = []
        fitting = 0
        for row in rows.tolist():
            code = feasibility.code(row, nominated.get(row, ())) if row != MISSING else self._missing_code()
            codes.append(code)
            fitting += code == FITS
            if fitting > wanted:
                break
        return np.array(codes, np.int32)

    def _missing_code(self) -> int:
        """[P-023, P-024]"""
        if self._plan.check_all:
            return self._outcomes.error("node not found")
        return self._outcomes.code(UNKNOWN_CONDITION)

    def _raise_errors(self, codes: Codes) -> None:
        """[A-026]"""
        texts = []
        for code, times in enumerate(np.bincount(codes).tolist()):
            error = self._outcomes[code].error
            if times and error is not None:
                texts.append(error if times == 1 else f"{error} (repeated {times} times)")
        if texts:
            raise SchedulingError(texts[0] if len(texts) == 1 else f"[{', '.join(sorted(texts))}]")
