"""What is worked out for a node's amounts alone, kept by the amounts: nodes are much alike, and meet the same ones."""

from collections.abc import Callable

from impl.amounts import Load
from impl.lanes import Lane, silent
from impl.table import Table

MOST_KNOWN = 4096


class ByLoad:
    """`compute` takes a row and reads nothing of it but used, allocatable and nonzero."""

    def __init__(self, table: Table, compute: Callable[[int], Lane]) -> None:
        self._loads = table.amounts.loads
        self._compute = compute
        self._known: dict[Load, Lane] = {}

    def at(self, row: int) -> Lane:
        load = self._loads[row]
        found = self._known.get(load)
        return self._found(load, row) if found is None else found

    @silent
    def _found(self, load: Load, row: int) -> Lane:
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        found = self._known[load] = self._compute(row)
        return found
