"""Priorities that weigh requested against allocatable cpu and memory.  [S-020..S-036, S-064]"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from impl.amounts import MEMORY, MILLI_CPU
from impl.lanes import Lane, Rows, choose, quotient, ratio, truncated
from impl.priorities.scorer import MAX, Factory, Scorer, Subject
from model.api.resources import pod_limits

DEFAULT_SHAPE = ((0, 10), (100, 0))

Amounts: TypeAlias = tuple[Lane, Lane, Lane, Lane]
"""Requested and allocatable milli-CPU, then bytes of memory."""


class _Resources(Scorer):
    """The mean of a score for cpu and one for memory."""

    of_amounts = True

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        nonzero = subject.kind.nonzero
        self._cpu, self._memory = np.int64(nonzero.milli_cpu), np.int64(nonzero.memory)

    def scores(self, rows: Rows) -> Lane:
        return self.score(self.amounts(rows))

    def score(self, amounts: Amounts) -> Lane:
        cpu, cpu_capacity, memory, memory_capacity = amounts
        return quotient(self.one(cpu, cpu_capacity) + self.one(memory, memory_capacity), 2)

    def amounts(self, rows: Rows) -> Amounts:
        """[S-021]"""
        cpu, memory = self.table.amounts.nonzero
        allocatable = self.table.amounts.allocatable
        return (
            cpu[rows] + self._cpu,
            allocatable[MILLI_CPU][rows],
            memory[rows] + self._memory,
            allocatable[MEMORY][rows],
        )

    def one(self, requested: Lane, capacity: Lane) -> Lane:
        raise NotImplementedError


def _beyond(requested: Lane, capacity: Lane) -> Lane:
    return (capacity == 0) | (requested > capacity)


class LeastRequested(_Resources):
    """[S-030]"""

    def one(self, requested: Lane, capacity: Lane) -> Lane:
        return choose(_beyond(requested, capacity), 0, quotient((capacity - requested) * MAX, capacity))


class MostRequested(_Resources):
    """[S-032]"""

    def one(self, requested: Lane, capacity: Lane) -> Lane:
        return choose(_beyond(requested, capacity), 0, quotient(requested * MAX, capacity))


class BalancedAllocation(_Resources):
    """[S-031]"""

    def score(self, amounts: Amounts) -> Lane:
        cpu, cpu_capacity, memory, memory_capacity = amounts
        a, b = _fraction(cpu, cpu_capacity), _fraction(memory, memory_capacity)
        return choose((a >= 1) | (b >= 1), 0, truncated((1 - abs(a - b)) * 10.0))


class BalancedWithVolumes(BalancedAllocation):
    """With what is known of the volumes of some nodes.  [S-031]"""

    local = of_amounts = False

    def scores(self, rows: Rows) -> Lane:
        scores = super().scores(rows)
        for at, row in enumerate(np.arange(len(self.table.name_of))[rows].tolist()):
            allocatable, requested = self.table.volumes.get(row, (0, 0))
            if allocatable > 0:
                scores[at] = self._with_volumes(row, requested / allocatable)
        return scores

    def _with_volumes(self, row: int, v: float) -> int:
        cpu, cpu_capacity, memory, memory_capacity = self.amounts(row)
        a, b = float(_fraction(cpu, cpu_capacity)), float(_fraction(memory, memory_capacity))
        if a >= 1 or b >= 1 or v >= 1:
            return 0
        mean = (a + b + v) / 3.0
        variance = (((a - mean) * (a - mean)) + ((b - mean) * (b - mean)) + ((v - mean) * (v - mean))) / 3.0
        return int(truncated((1 - variance) * 10.0))


def _fraction(requested: Lane, capacity: Lane) -> Lane:
    return choose(capacity == 0, 1.0, ratio(requested, capacity))


def balanced_allocation(subject: Subject) -> Scorer:
    return BalancedWithVolumes(subject) if subject.table.volumes else BalancedAllocation(subject)


class RequestedToCapacityRatio(_Resources):
    """A broken line over the utilization in percent.  [S-033..S-036]"""

    def __init__(self, subject: Subject, shape: Sequence[tuple[int, int]]) -> None:
        super().__init__(subject)
        self._utilization = np.array([utilization for utilization, _ in shape], np.int64)
        self._score = np.array([score for _, score in shape], np.int64)

    def one(self, requested: Lane, capacity: Lane) -> Lane:
        unused = quotient((capacity - requested) * 100, capacity)
        return self._line(choose(_beyond(requested, capacity), 100, 100 - unused))

    def _line(self, percent: Lane) -> Lane:
        """[S-035]"""
        u, s = self._utilization, self._score
        at = np.searchsorted(u, percent)
        right = np.minimum(at, len(u) - 1)
        left = np.maximum(right - 1, 0)
        between = s[left] + quotient((s[right] - s[left]) * (percent - u[left]), u[right] - u[left])
        return choose(at == 0, s[0], choose(at == len(u), s[-1], between))


def requested_to_capacity_ratio(shape: Sequence[tuple[int, int]] = DEFAULT_SHAPE) -> Factory:
    return lambda subject: RequestedToCapacityRatio(subject, shape)


class ResourceLimits(Scorer):
    """1 where the node can hold the pod's limits.  [S-064]"""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        limits = pod_limits(subject.pod)
        self._cpu, self._memory = limits.milli_cpu, limits.memory

    def scores(self, rows: Rows) -> Lane:
        allocatable = self.table.amounts.allocatable
        cpu, memory = allocatable[MILLI_CPU][rows], allocatable[MEMORY][rows]
        return choose(_holds(self._cpu, cpu) | _holds(self._memory, memory), 1, 0)


def _holds(limit: int, capacity: Lane) -> Lane:
    return (limit != 0) & (capacity != 0) & (limit <= capacity)
