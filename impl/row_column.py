"""Something computed per row and kept: only the rows that changed are computed again."""

from collections.abc import Callable, Collection, Hashable

import numpy as np

from impl.lanes import Lane, Rows, silent
from impl.table import Table

FEW, SMALL_PART = 8, 64
"""One by one so many rows, or such a part of all, take about as long as a whole column."""

MOST = 256
"""Columns kept for sharing."""


class RowColumn:
    """`compute` takes one row or all of them and depends on nothing but the rows."""

    def __init__(self, table: Table, compute: Callable[[Rows], Lane]) -> None:
        self._table = table
        self._compute = compute
        self._tick = -1
        self._values: Lane = None

    def values(self) -> Lane:
        """Up to date, by row.  The caller must not change the array."""
        if self._tick != self._table.tick:
            self._catch_up(self._table.changed_since(self._tick))
            self._tick = self._table.tick
        return self._values

    def _catch_up(self, changed: Collection[int] | None) -> None:
        if changed is None or self._values is None or len(changed) > max(FEW, len(self._values) // SMALL_PART):
            self._compute_all()
            return
        for row in changed:
            self._put(row, self._compute(row))

    def _put(self, row: int, value: Lane) -> None:
        self._values[row] = value

    @silent
    def _compute_all(self) -> None:
        self._values = self._compute(self._table.rows)


class CountedColumn(RowColumn):
    """`nonzero`: how many of the values are not 0."""

    nonzero = 0

    def _put(self, row: int, value: Lane) -> None:
        self.nonzero += bool(value) - bool(self._values[row])
        super()._put(row, value)

    def _compute_all(self) -> None:
        super()._compute_all()
        self.nonzero = int(np.count_nonzero(self._values))


class SharedColumns:
    """Columns by what they depend on besides the rows; all go when `version` moves."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._version = -1
        self._columns: dict[Hashable, RowColumn] = {}
        self._counted: dict[Hashable, CountedColumn] = {}

    def at(self, version: int) -> "SharedColumns":
        """Those of this version."""
        if version != self._version or max(len(self._columns), len(self._counted)) > MOST:
            self._version = version
            self._columns.clear()
            self._counted.clear()
        return self

    def column(self, key: Hashable, compute: Callable[[Rows], Lane]) -> RowColumn:
        """The one with this key, or else a new one."""
        return self._columns.setdefault(key, RowColumn(self._table, compute))

    def counted(self, key: Hashable, compute: Callable[[Rows], Lane]) -> CountedColumn:
        """The same, for one that is counted."""
        return self._counted.setdefault(key, CountedColumn(self._table, compute))
