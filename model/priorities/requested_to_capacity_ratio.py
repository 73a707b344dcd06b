"""A score read off a curve: utilization in percent against score."""

from collections.abc import Sequence
from itertools import pairwise

from model.api.arguments import UtilizationShapePoint as Point
from model.api.integers import int64, quotient
from model.api.protocol import Crash
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities import MAX_PRIORITY
from model.priorities.resource_allocation import mean_of_cpu_and_memory
from model.rules import clause, declare, reached, rule
from model.semantics import PriorityFunction

FULL = 100


Shape = tuple[Point, ...]

declare(
    "S-033", "Unless a policy says otherwise an empty node scores 10 and a full one 0, on a straight line", __name__
)
DEFAULT_SHAPE: Shape = (Point(0, 10), Point(FULL, 0))


@rule("S-034", "A shape has points, with strictly rising utilization in 0..100 and scores in 0..10")
def checked_shape(shape: Sequence[Point]) -> Shape:
    """Raises Crash: the scheduler does not start with an invalid shape."""
    problem = _problem(shape)
    if problem:
        raise Crash(f"invalid RequestedToCapacityRatioPriority arguments: {problem}")
    return tuple(shape)


def _problem(shape: Sequence[Point]) -> str:
    if not shape:
        return "at least one point must be specified"
    for i, (before, point) in enumerate(pairwise(shape), start=1):
        if before.utilization >= point.utilization:
            return (
                "utilization values must be sorted. "
                f"Utilization[{i - 1}]=={before.utilization} >= Utilization[{i}]=={point.utilization}"
            )
    for i, point in enumerate(shape):
        if point.utilization < 0:
            return f"utilization values must not be less than 0. Utilization[{i}]=={point.utilization}"
        if point.utilization > FULL:
            return f"utilization values must not be greater than 100. Utilization[{i}]=={point.utilization}"
        if point.score < 0:
            return f"score values must not be less than 0. Score[{i}]=={point.score}"
        if point.score > MAX_PRIORITY:
            return f"score valuses not be greater than 10. Score[{i}]=={point.score}"
    return ""


@clause("S-035", "Between two points the score is interpolated, truncating toward zero; outside it is the end's")
def score_at(shape: Shape, percent: int) -> int:
    reached("S-035")
    if percent <= shape[0].utilization:
        return shape[0].score
    for left, right in pairwise(shape):
        if percent <= right.utilization:
            rise, run = right.score - left.score, right.utilization - left.utilization
            return left.score + quotient(rise * (percent - left.utilization), run)
    return shape[-1].score


@clause("S-036", "CPU and memory utilization each give the score of the shape; the result is their mean")
def requested_to_capacity_ratio(shape: Shape) -> PriorityFunction:
    def utilization_score(requested: int, capacity: int) -> int:
        if capacity == 0 or requested > capacity:
            return score_at(shape, FULL)
        return score_at(shape, FULL - quotient(int64((capacity - requested) * FULL), capacity))

    def score(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
        reached("S-036")
        return mean_of_cpu_and_memory(attempt, feasible, utilization_score)

    return score
