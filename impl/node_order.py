"""The nodes of the next cycle as rows, in the order of the node tree.  [A-021, A-024]"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from impl.lanes import Ints, Rows
from impl.node_tree import NodeTree
from impl.table import Table

MISSING = -1
"""Stands for a node that the snapshot does not have.  [P-023]"""


class NodeOrder:
    """`repeats`: a node may come twice; `gaps`: some row may be MISSING."""

    def __init__(self, table: Table) -> None:
        self.repeats = self.gaps = False
        self._table = table
        self._order: tuple[str, ...] | None = None
        self._membership = -1
        self._twice: Ints = np.zeros(0, np.int64)
        self._start = 0
        """Where in a pass the upcoming rows begin."""
        self._in_a_row = 0
        """So many of a pass lie as they are taken, from the first row on."""

    def upcoming(self, tree: NodeTree) -> Ints:
        """As many as the tree counts, from its present position.  Nothing moves."""
        regular = tree.regular()
        if regular is None:
            self._order = None
            self._start, self._in_a_row = 0, 0
            return self._rows(tree.upcoming(tree.count))
        order, position = regular
        if order is not self._order or self._membership != self._table.membership:
            self._order, self._membership = order, self._table.membership
            rows = self._rows(order)
            self._twice = np.concatenate((rows, rows))
            self._in_a_row = len(rows) if (rows == np.arange(len(rows))).all() else 0
        self._start = position % tree.count if tree.count else 0
        return self._twice[position : position + tree.count]

    def span(self, rows: Ints) -> Rows:
        """The rows, which are the first upcoming ones: as a slice where they follow one another."""
        end = self._start + len(rows)
        return slice(self._start, end) if end <= self._in_a_row else rows

    def _rows(self, names: Sequence[str]) -> Ints:
        row_of = self._table.row_of
        rows = [row_of.get(name, MISSING) for name in names]
        self.repeats, self.gaps = len(set(rows)) < len(rows), MISSING in rows
        return np.array(rows, np.int64)


@lru_cache
def feasible_nodes_to_find(nodes: int, percentage: int) -> int:
    """How many feasible nodes are enough; percentage 0 = adaptive.  [A-022]"""
    if nodes < 100 or percentage >= 100:
        return nodes
    if percentage <= 0:
        percentage = max(5, 50 - nodes // 125)
    return max(nodes * percentage // 100, 100)
