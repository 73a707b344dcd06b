"""What the nodes offer and what is taken of it: a line per resource, pods first, and a place per row.

The columns are written when somebody reads them; `loads` tells each row's amounts at once.
"""

from typing import Any, TypeAlias, TypeVar

import numpy as np

from impl.aggregate import Aggregate
from impl.lanes import Flags, Ints
from impl.pod_kind import PodKind
from model.api.resources import Resources

AnyArray = TypeVar("AnyArray", Ints, Flags)

PODS, MILLI_CPU, MEMORY, EPHEMERAL_STORAGE = range(4)
BASE_RESOURCES = ("pods", "cpu", "memory", "ephemeral-storage")
_USED, _NONZERO, _SCALARS = slice(1, 5), slice(5, 7), slice(7, None)

Load: TypeAlias = tuple[Any, ...]
"""A number for the allocatable amounts, then those in use, those that scoring assumes, and scalars with their names."""
_EMPTY: Load = (0,) * 7


class Amounts:
    """`loads`: where two rows have equal ones, so are used, allocatable and nonzero."""

    def __init__(self, capacity: int) -> None:
        self.loads: list[Load] = []
        self.allocatable: Ints = np.zeros((8, capacity), np.int64)
        self.limited: Flags = np.zeros((8, capacity), np.bool_)
        """Whether the node's allocatable has the resource at all."""
        self._lines: dict[str, int] = {name: line for line, name in enumerate(BASE_RESOURCES)}
        self._used: Ints = np.zeros((8, capacity), np.int64)
        self._nonzero: Ints = np.zeros((2, capacity), np.int64)
        self._unwritten: set[int] = set()
        self._limits: dict[Load, int] = {}
        self._limit_of_row: list[int] = []

    # --- rows --------------------------------------------------------------------------------------

    def append(self) -> None:
        """Another row."""
        self.loads.append(_EMPTY)
        self._limit_of_row.append(0)

    def grow(self) -> None:
        """Room for twice as many."""
        self.allocatable, self.limited = _doubled(self.allocatable, 1), _doubled(self.limited, 1)
        self._used, self._nonzero = _doubled(self._used, 1), _doubled(self._nonzero, 1)

    def drop(self, row: int) -> None:
        self.loads[row] = _EMPTY
        self._unwritten.add(row)

    def put(self, row: int, aggregate: Aggregate) -> None:
        """What is used now."""
        self.loads[row] = (
            self._limit_of_row[row],
            len(aggregate.pods),
            aggregate.milli_cpu,
            aggregate.memory,
            aggregate.ephemeral_storage,
            aggregate.nonzero_milli_cpu,
            aggregate.nonzero_memory,
            *aggregate.scalars.items(),
        )
        self._unwritten.add(row)

    def put_allocatable(self, row: int, allocatable: Resources) -> None:
        base = allocatable.allowed_pods, allocatable.milli_cpu, allocatable.memory, allocatable.ephemeral_storage
        limits = (*base, *allocatable.scalars.items())
        self._limit_of_row[row] = self._limits.setdefault(limits, len(self._limits))
        lines = {self.line(name): amount for name, amount in allocatable.scalars.items()}
        if len(self._lines) > len(BASE_RESOURCES):
            self.allocatable[:, row] = 0
            self.limited[:, row] = False
        self.allocatable[: len(BASE_RESOURCES), row] = base
        for line, amount in lines.items():
            self.allocatable[line, row] = amount
            self.limited[line, row] = True

    # --- columns -----------------------------------------------------------------------------------

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
        rows = list(self._unwritten)
        self._unwritten.clear()
        loads = [self.loads[row] for row in rows]
        self._used[: len(BASE_RESOURCES), rows] = np.array([load[_USED] for load in loads], np.int64).T
        self._nonzero[:, rows] = np.array([load[_NONZERO] for load in loads], np.int64).T
        if len(self._lines) > len(BASE_RESOURCES):
            self._used[len(BASE_RESOURCES) :, rows] = 0
        for row, load in zip(rows, loads, strict=True):
            for name, amount in load[_SCALARS]:
                line = self.line(name)
                self._used[line, row] = amount

    # --- resources ---------------------------------------------------------------------------------

    def line(self, resource: str) -> int:
        """A new one for a scalar never seen."""
        line = self._lines.get(resource)
        if line is None:
            line = self._lines[resource] = len(self._lines)
            if line == len(self._used):
                self._used, self.allocatable = _doubled(self._used), _doubled(self.allocatable)
                self.limited = _doubled(self.limited)
        return line

    def known_limit(self, resource: str, row: int) -> int | None:
        """The allocatable amount of a scalar resource, None where the node does not tell it."""
        line = self._lines.get(resource)
        return int(self.allocatable[line, row]) if line is not None and self.limited[line, row] else None

    def volume_limits(self, row: int) -> dict[str, int]:
        """[O-098]"""
        return {
            name: int(self.allocatable[line, row])
            for name, line in self._lines.items()
            if self.limited[line, row] and name.startswith("attachable-volumes-")
        }

    def of(self, kind: PodKind) -> Ints:
        """What a placed pod of the kind uses, by line.  [O-045]"""
        held: Ints | None = kind.__dict__.get("amounts")
        if held is None or len(held) != len(self._used):
            footprint = kind.footprint
            lines = {self.line(name): amount for name, amount in footprint.scalars.items()}
            held = np.zeros(len(self._used), np.int64)
            held[: len(BASE_RESOURCES)] = 1, footprint.milli_cpu, footprint.memory, footprint.ephemeral_storage
            for line, amount in lines.items():
                held[line] = amount
            kind.__dict__["amounts"] = held
        return held


def _doubled(array: AnyArray, axis: int = 0) -> AnyArray:
    """With as much room again, zero."""
    doubled: AnyArray = np.concatenate((array, np.zeros_like(array)), axis=axis)
    return doubled
