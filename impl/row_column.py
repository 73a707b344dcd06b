"""Something computed per row and kept: only the rows that changed are computed again.  Kinds of pods share it."""

from collections.abc import Callable, Collection, Hashable
from typing import Any

import numpy as np

from impl.lanes import Ints, Lane, Rows, silent
from impl.table import Table

FEW, SMALL_PART = 8, 64
"""One by one so many rows, or such a part of all, take about as long as a whole column."""

MOST = 256
"""Columns kept for sharing."""


class RowColumn:
    """`compute` takes one row, a slice, or, for `at` only, an array of rows; nothing else matters to it."""

    def __init__(self, table: Table, compute: Callable[[Rows], Lane]) -> None:
        self._table = table
        self._compute = compute
        self._tick = -1
        self._values: Lane = None
        self._asked = False

    def values(self) -> Lane:
        """Up to date, by row.  The caller must not change the array."""
        if self._tick != self._table.tick:
            self._catch_up(self._table.changed_since(self._tick))
            self._tick = self._table.tick
        return self._values

    @silent
    def _some(self, rows: Rows) -> Ints:
        values: Ints = self._compute(rows)
        return values

    def at(self, rows: Rows) -> Ints:
        """The values of some rows.  At first no others are worked out, as many kinds of pods come only once."""
        if not self._asked:
            self._asked = True
            return self._some(rows)
        values: Ints = self.values()[rows]
        return values

    def _catch_up(self, changed: Collection[int] | None) -> None:
        if (
            changed is None
            or self._values is None
            or (len(changed) > FEW and len(changed) > len(self._values) // SMALL_PART)
        ):
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
        self._values[row] = value

    def _compute_all(self) -> None:
        super()._compute_all()
        self.nonzero = int(np.count_nonzero(self._values))


class SharedColumns:
    """Columns, and what computes them, by what they depend on besides the rows; all go when `version` moves."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._version = -1
        self._columns: dict[Hashable, RowColumn] = {}
        self._counted: dict[Hashable, CountedColumn] = {}
        self._makers: dict[Hashable, dict[str, Any]] = {}

    def at(self, version: int) -> "SharedColumns":
        """Those of this version."""
        if version != self._version or max(len(self._columns), len(self._counted), len(self._makers)) > MOST:
            self._version = version
            self._columns.clear()
            self._counted.clear()
            self._makers.clear()
        return self

    def column(self, key: Hashable, compute: Callable[[Rows], Lane]) -> RowColumn:
        """The one with this key, or else a new one."""
        return self._columns.setdefault(key, RowColumn(self._table, compute))

    def counted(self, key: Hashable, compute: Callable[[Rows], Lane]) -> CountedColumn:
        """The same, for one that is counted."""
        return self._counted.setdefault(key, CountedColumn(self._table, compute))

    def makers(self, key: Hashable) -> dict[str, Any]:
        """The predicates or priorities with this key, by name, as far as somebody put them there."""
        return self._makers.setdefault(key, {})
