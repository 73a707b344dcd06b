"""Something computed per row and kept: only the rows that changed are computed again."""

from collections.abc import Callable

from impl.lanes import Lane, Rows
from impl.table import Table


class RowColumn:
    """`compute` takes one row or all of them and depends on nothing but the rows."""

    def __init__(self, table: Table, compute: Callable[[Rows], Lane]) -> None:
        self._table = table
        self._compute = compute
        self._tick = -1
        self._values: Lane = None

    def values(self) -> Lane:
        """Up to date, by row.  The caller must not change the array."""
        table = self._table
        if self._tick != table.tick:
            changed = table.changed_since(self._tick)
            if changed is None or self._values is None or 8 * len(changed) > len(self._values):
                self._values = self._compute(table.rows)
            else:
                for row in changed:
                    self._values[row] = self._compute(row)
            self._tick = table.tick
        return self._values
