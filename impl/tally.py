"""Counts of placed pods per row and, kept incrementally, per value of a topology label and beside one."""

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from impl.labels import Column, LabelColumns
from impl.lanes import Flags, Ints


@frozen
class Coded:
    """Per row the count, in the bits above `bits`, and below it the row's code in a column of a certain version."""

    column: Column
    version: int
    bits: int
    rows: Ints


class Tally:
    """How many pods of some description are on each row.

    `living`: terminating pods do not count.
    """

    def __init__(self, labels: LabelColumns, living: bool = False) -> None:
        self.living = living
        self.total = 0
        self.rows: Ints = np.zeros(len(labels.rows), np.int64)
        self._labels = labels
        self._sums: dict[str, tuple[Column, int, Ints]] = {}
        """Per label key: the column, its version at that time, and the sums."""
        self._coded: Coded | None = None

    def add(self, row: int, count: int) -> None:
        self.total += count
        self.rows[row] += count
        if self._sums:
            for column, version, sums in self._sums.values():
                if version == column.version:
                    sums[column.codes[row]] += count
        if self._coded is not None:
            self._coded.rows[row] += count << self._coded.bits

    def start(self, counts: Mapping[int, int]) -> None:
        """Count what is there already, by row, while nobody has asked yet."""
        self.total += sum(counts.values())
        rows = np.fromiter(counts, np.int64, len(counts))
        self.rows[rows] += np.fromiter(counts.values(), np.int64, len(counts))

    def per_value(self, key: str, where: Flags | None = None) -> Ints:
        """Pods per code of the label `key`; rows without the label count for nothing.

        `where`: count only these rows.  The caller must not change the array.
        """
        column = self._labels.column(key)
        if where is not None:
            return _sums(column, self.rows * where)
        held = self._sums.get(key)
        if held is None or held[1] != column.version:
            held = self._sums[key] = (column, column.version, _sums(column, self.rows))
        held[2][0] = 0
        return held[2]

    def beside(self, column: Column) -> Coded:
        """The counts together with the codes of the column.  The caller must not change the array."""
        held = self._coded
        if held is None or held.column is not column or held.version != column.version:
            bits = (len(column.values) - 1).bit_length()
            held = self._coded = Coded(column, column.version, bits, (self.rows << bits) | column.codes)
        return held

    def grow(self, capacity: int) -> None:
        self.rows = np.concatenate((self.rows, np.zeros(capacity - len(self.rows), np.int64)))
        self._coded = None


def _sums(column: Column, rows: Ints) -> Ints:
    sums = np.bincount(column.codes, weights=rows, minlength=len(column.values)).astype(np.int64)
    sums[0] = 0
    return sums
