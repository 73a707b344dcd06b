"""Victims by row, with what the choice compares as columns, so that it is quick among thousands.  [E-035..E-045]"""

from datetime import UTC, datetime, timedelta

import numpy as np

from impl.lanes import Flags, Ints
from impl.victims import Victims

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RESOLUTION = timedelta.resolution


class VictimColumns:
    """`known`: the rows that were looked at; `possible`: those of them where eviction makes room."""

    def __init__(self, capacity: int) -> None:
        self.victims: list[Victims | None] = [None] * capacity
        self.known: Flags = np.zeros(capacity, np.bool_)
        self.possible: Flags = np.zeros(capacity, np.bool_)
        self.noted: Flags = np.zeros(capacity, np.bool_)
        self._free: Flags = np.zeros(capacity, np.bool_)
        self._measures: Ints = np.zeros((5, capacity), np.int64)
        """One line per criterion, in turn; the least is best."""

    def put(self, row: int, victims: Victims | None) -> None:
        self.victims[row] = victims
        self.known[row] = True
        self.possible[row] = victims is not None
        self.noted[row] = bool(victims and victims.notes)
        self._free[row] = bool(victims and not victims.pods)
        if victims and victims.pods:
            self._measures[:, row] = (
                victims.pdb_violations,
                victims.first_priority,
                victims.sum_of_priorities,
                len(victims.pods),
                (_EPOCH - victims.earliest_start) // _RESOLUTION,
            )

    def rule_out(self, rows: Ints) -> None:
        """Eviction does not help there."""
        self.known[rows] = True
        self.possible[rows] = self.noted[rows] = self._free[rows] = False

    def best(self, rows: Ints) -> Ints:
        """Of the possible rows given, those among which chance decides.  [E-040]"""
        free = rows[self._free[rows]]
        if len(free):
            return free
        for measure in self._measures:
            if len(rows) < 2:
                break
            measured = measure[rows]
            rows = rows[measured == measured.min()]
        return rows
