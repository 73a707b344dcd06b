"""What the nodes offer and what is taken of it: a line per resource, pods first, and a place per row.

The columns are written when somebody reads them; `loads` tells each row's amounts at once.
"""

from typing import TypeAlias

import numpy as np

from impl.aggregate import Aggregate
from impl.lanes import Ints
from impl.pod_kind import PodKind
from model.api.resources import Resources

BASE_RESOURCES = ("pods", "cpu", "memory", "ephemeral-storage")
MILLI_CPU, MEMORY = map(BASE_RESOURCES.index, ("cpu", "memory"))
KINDS_REMEMBERED = 4096
LOADS_REMEMBERED = 4096

Scalars: TypeAlias = tuple[tuple[str, int], ...]
Limit: TypeAlias = tuple[tuple[int, int, int, int], Scalars]
"""The allocatable amounts of the base resources and of scalars."""
Load: TypeAlias = tuple[int, tuple[int, int, int, int], tuple[int, int], Scalars]
"""A number for the limit, what is in use, the cpu and memory that scoring assumes, scalars in use."""
_NO_LIMIT: Limit = (0, 0, 0, 0), ()
_NO_LOAD: Load = 0, (0, 0, 0, 0), (0, 0), ()


class Amounts:
    """`loads`: where two rows have equal ones, so are used, allocatable and nonzero."""

    def __init__(self, capacity: int) -> None:
        self.loads: list[Load] = [_NO_LOAD] * capacity
        self._lines: dict[str, int] = {name: line for line, name in enumerate(BASE_RESOURCES)}
        self._allocatable: Ints = np.zeros((8, capacity), np.int64)
        self._used: Ints = np.zeros((8, capacity), np.int64)
        self._nonzero: Ints = np.zeros((2, capacity), np.int64)
        self._unwritten: set[int] = set()
        self._of_kind: dict[PodKind, Ints] = {}
        self._limits: list[Limit] = [_NO_LIMIT]
        self._columns_of_limits: Ints = np.zeros((8, 8), np.int64)
        """The allocatable amounts, a column for each limit."""
        self._number_of: dict[Limit, int] = {_NO_LIMIT: 0}
        self._limit_of_row = [0] * capacity
        self._met: dict[Load, Load] = {}
        """Rows with equal loads share one, as many do."""

    # --- rows --------------------------------------------------------------------------------------

    def grow(self) -> None:
        """Room for twice as many."""
        self.loads += [_NO_LOAD] * len(self.loads)
        self._limit_of_row += [0] * len(self._limit_of_row)
        self._allocatable = _doubled(self._allocatable, 1)
        self._used, self._nonzero = _doubled(self._used, 1), _doubled(self._nonzero, 1)

    def drop(self, row: int) -> None:
        self.loads[row] = _NO_LOAD
        self._unwritten.add(row)

    def put(self, row: int, aggregate: Aggregate) -> None:
        """What is used now."""
        load = (
            self._limit_of_row[row],
            (len(aggregate.pods), aggregate.milli_cpu, aggregate.memory, aggregate.ephemeral_storage),
            (aggregate.nonzero_milli_cpu, aggregate.nonzero_memory),
            tuple(aggregate.scalars.items()) if aggregate.scalars else (),
        )
        if len(self._met) >= LOADS_REMEMBERED:
            self._met.clear()
        self.loads[row] = self._met.setdefault(load, load)
        self._unwritten.add(row)

    def put_allocatable(self, row: int, allocatable: Resources) -> None:
        """Before `put`."""
        base = allocatable.allowed_pods, allocatable.milli_cpu, allocatable.memory, allocatable.ephemeral_storage
        limit = base, tuple(allocatable.scalars.items()) if allocatable.scalars else ()
        number = self._number_of.get(limit)
        if number is None:
            number = self._number_of[limit] = self._new_limit(limit)
        self._limit_of_row[row] = number

    def _new_limit(self, limit: Limit) -> int:
        number = len(self._limits)
        self._limits.append(limit)
        if number == self._columns_of_limits.shape[1]:
            self._columns_of_limits = _doubled(self._columns_of_limits, 1)
        self._columns_of_limits[: len(BASE_RESOURCES), number] = limit[0]
        for name, amount in limit[1]:
            line = self.line(name)
            self._columns_of_limits[line, number] = amount
        return number

    # --- columns -----------------------------------------------------------------------------------

    @property
    def allocatable(self) -> Ints:
        self._write()
        return self._allocatable

    @property
    def used(self) -> Ints:
        self._write()
        return self._used

    @property
    def nonzero(self) -> Ints:
        """Cpu and memory."""
        self._write()
        return self._nonzero

    def _write(self) -> None:
        if not self._unwritten:
            return
        loads = [self.loads[row] for row in self._unwritten]
        rows = np.array(list(self._unwritten))
        self._unwritten.clear()
        distinct = {id(load): load for load in loads}
        place = dict(zip(distinct, range(len(distinct)), strict=True))
        which = np.array([place[id(load)] for load in loads])
        limits, used, nonzero, _ = zip(*distinct.values(), strict=True)
        base = len(BASE_RESOURCES)
        self._allocatable[:, rows] = self._columns_of_limits[:, limits][:, which]
        self._used[:base, rows] = np.array(used, np.int64).T[:, which]
        self._nonzero[:, rows] = np.array(nonzero, np.int64).T[:, which]
        self._used[base : len(self._lines), rows] = 0
        for at, load in enumerate(distinct.values()):
            for name, amount in load[3]:
                line = self.line(name)
                self._used[line, rows[which == at]] = amount

    # --- resources ---------------------------------------------------------------------------------

    def line(self, resource: str) -> int:
        """A new one for a scalar never seen."""
        line = self._lines.get(resource)
        if line is None:
            line = self._lines[resource] = len(self._lines)
            if line == len(self._used):
                self._used, self._allocatable = _doubled(self._used), _doubled(self._allocatable)
                self._columns_of_limits = _doubled(self._columns_of_limits)
        return line

    def known_limit(self, resource: str, row: int) -> int | None:
        """The allocatable amount of a scalar resource, None where the node does not tell it."""
        return next((amount for name, amount in self._limits[self.loads[row][0]][1] if name == resource), None)

    def volume_limits(self, row: int) -> dict[str, int]:
        """[O-098]"""
        scalars = self._limits[self.loads[row][0]][1]
        return {name: amount for name, amount in scalars if name.startswith("attachable-volumes-")}

    def of(self, kind: PodKind) -> Ints:
        """What a placed pod of the kind uses, by line.  [O-045]"""
        held = self._of_kind.get(kind)
        if held is None or len(held) != len(self._used):
            footprint = kind.footprint
            lines = {self.line(name): amount for name, amount in footprint.scalars.items()}
            held = np.zeros(len(self._used), np.int64)
            held[: len(BASE_RESOURCES)] = 1, footprint.milli_cpu, footprint.memory, footprint.ephemeral_storage
            for line, amount in lines.items():
                held[line] = amount
            if len(self._of_kind) == KINDS_REMEMBERED:
                self._of_kind.clear()
            self._of_kind[kind] = held
        return held


def _doubled(array: Ints, axis: int = 0) -> Ints:
    """With as much room again, zero."""
    doubled: Ints = np.zeros([length * (1 + (at == axis)) for at, length in enumerate(array.shape)], np.int64)
    doubled[tuple(map(slice, array.shape))] = array
    return doubled
