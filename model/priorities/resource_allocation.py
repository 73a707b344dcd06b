"""Scores from how full a node would be: least requested, most requested, balanced."""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from model.api.integers import int64, quotient, truncated
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities.inputs import loads
from model.rules import clause, reached, rule
from model.semantics import PriorityFunction


def mean_of_cpu_and_memory(
    attempt: Attempt, feasible: Sequence[NodeInfo], score: Callable[[int, int], int]
) -> list[int]:
    """Half the sum of `score(requested, capacity)` of both resources."""
    return [
        quotient(score(cpu, cpu_capacity) + score(memory, memory_capacity), 2)
        for cpu, cpu_capacity, memory, memory_capacity in loads(attempt, feasible)
    ]


@rule("S-030", "The fewer a node's resources are requested the better: tenths left free, mean of CPU and memory")
def least_requested(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    return mean_of_shares(attempt, feasible, lambda requested, capacity: capacity - requested)


@rule("S-032", "The more a node's resources are requested the better: tenths in use, mean of CPU and memory")
def most_requested(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    return mean_of_shares(attempt, feasible, lambda requested, _: requested)


def mean_of_shares(attempt: Attempt, feasible: Sequence[NodeInfo], part: Callable[[int, int], int]) -> list[int]:
    """`part` of each capacity on the scale of scores; 0 of one that is 0 or exceeded."""
    best = attempt.semantics.max_score

    def share(requested: int, capacity: int) -> int:
        if capacity == 0 or requested > capacity:
            return 0
        return quotient(int64(part(requested, capacity) * best), capacity)

    return mean_of_cpu_and_memory(attempt, feasible, share)


@frozen
class AttachedVolumes:
    """How many more volumes a node can attach, and how many the pod would add.  [P-074]"""

    allocatable: int = 0
    requested: int = 0


@clause("S-031", "The closer CPU and memory are used alike the better; 0 where either is used up")
def balanced_resource_allocation(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    reached("S-031")
    best = attempt.semantics.max_score
    return [_balance(_fraction(c, cc), _fraction(m, mc), best) for c, cc, m, mc in loads(attempt, feasible)]


def balanced_with_volumes(volumes: Mapping[str, AttachedVolumes]) -> PriorityFunction:
    """The variant that lets volumes take part on nodes that report some, by node name.  [S-031]"""

    def balanced(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
        scores, best = [], attempt.semantics.max_score
        for info, (cpu, cpu_capacity, memory, memory_capacity) in zip(feasible, loads(attempt, feasible), strict=True):
            used = _fraction(cpu, cpu_capacity), _fraction(memory, memory_capacity)
            attached = volumes.get(info.name, AttachedVolumes())
            if attached.allocatable > 0:
                scores.append(_evenness(*used, float(attached.requested) / float(attached.allocatable), best))
            else:
                scores.append(_balance(*used, best))
        return scores

    return balanced


def _fraction(requested: int, capacity: int) -> float:
    return 1.0 if capacity == 0 else float(requested) / float(capacity)


def _balance(cpu: float, memory: float, best: int) -> int:
    if cpu >= 1 or memory >= 1:
        return 0
    return truncated((1 - abs(cpu - memory)) * float(best))


def _evenness(cpu: float, memory: float, volumes: float, best: int) -> int:
    """One minus the variance, times `best`."""
    if cpu >= 1 or memory >= 1 or volumes >= 1:
        return 0
    mean = (cpu + memory + volumes) / 3.0
    variance = (
        ((cpu - mean) * (cpu - mean)) + ((memory - mean) * (memory - mean)) + ((volumes - mean) * (volumes - mean))
    ) / 3.0
    return truncated((1 - variance) * float(best))
