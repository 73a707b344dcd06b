"""How the priorities that go by CPU and memory come to their points, in figures."""

from collections.abc import Callable
from functools import partial

from model.api.amounts import amount
from model.api.arguments import PriorityArgument
from model.api.configuration import Configuration
from model.api.decode import structure
from model.api.integers import quotient
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities import MAX_PRIORITY
from model.priorities.inputs import loads
from model.priorities.requested_to_capacity_ratio import DEFAULT_SHAPE, FULL, Shape, score_at

Part = Callable[[str, int, int], tuple[str, int]]
"""Of a resource, how much of it is wanted and how much there is: the figures, and the points."""


def working(attempt: Attempt, info: NodeInfo, priority: str, configuration: Configuration, points: int) -> str:
    """ "" for a priority that goes by something else, or comes to its `points` in another way."""
    cpu, cpu_capacity, memory, memory_capacity = loads(attempt, [info])[0]
    if priority == "BalancedResourceAllocation":
        text, result = _balance(cpu, cpu_capacity, memory, memory_capacity)
        return text if result == points else ""
    part = _part(priority, configuration)
    if part is None:
        return ""
    (cpu_text, cpu_points), (memory_text, memory_points) = (
        part("cpu", cpu, cpu_capacity),
        part("memory", memory, memory_capacity),
    )
    if quotient(cpu_points + memory_points, 2) != points:
        return ""
    mean = _cut((cpu_points + memory_points) / 2)
    return f"CPU {cpu_text}, memory {memory_text}, ({cpu_points} + {memory_points}) / 2 = {mean}"


def _part(priority: str, configuration: Configuration) -> Part | None:
    if priority == "LeastRequestedPriority":
        return partial(_tenths, "free", lambda wanted, there: there - wanted)
    if priority == "MostRequestedPriority":
        return partial(_tenths, "in use", lambda wanted, _: wanted)
    shape = _shape(priority, configuration)
    return partial(_on_curve, shape) if shape else None


def _tenths(what: str, counted: Callable[[int, int], int], resource: str, wanted: int, there: int) -> tuple[str, int]:
    if there == 0 or wanted > there:
        return _nothing(resource, wanted, there), 0
    share = counted(wanted, there)
    text = f"{amount(resource, share)} of {amount(resource, there)} {what} = {_cut(MAX_PRIORITY * share / there)}"
    return text, quotient(share * MAX_PRIORITY, there)


def _on_curve(shape: Shape, resource: str, wanted: int, there: int) -> tuple[str, int]:
    full = there == 0 or wanted > there
    percent = FULL if full else FULL - quotient((there - wanted) * FULL, there)
    points = score_at(shape, percent)
    return f"{percent} % in use, on the curve {points}", points


def _shape(priority: str, configuration: Configuration) -> Shape:
    """() for a priority without one."""
    for entry in configuration.priorities or ():
        if entry.name == priority and entry.argument:
            given = structure(entry.argument, PriorityArgument).requested_to_capacity_ratio_arguments
            return given.points if given else ()
    return DEFAULT_SHAPE if priority == "RequestedToCapacityRatioPriority" else ()


def _balance(cpu: int, cpu_capacity: int, memory: int, memory_capacity: int) -> tuple[str, int]:
    parts, shares = [], []
    for resource, wanted, there in (("cpu", cpu, cpu_capacity), ("memory", memory, memory_capacity)):
        shares.append(wanted / there if there else 1.0)
        parts.append(f"{amount(resource, wanted)} of {amount(resource, there)} = {shares[-1]:.4g}")
    text = f"CPU {parts[0]}, memory {parts[1]}"
    if max(shares) >= 1:
        return f"{text}: one is used up", 0
    score = (1 - abs(shares[0] - shares[1])) * float(MAX_PRIORITY)
    return f"{text}, apart by {abs(shares[0] - shares[1]):.4g}: {_cut(score)}", int(score)


def _nothing(resource: str, wanted: int, there: int) -> str:
    return f"{amount(resource, wanted)} wanted of {amount(resource, there)} = 0"


def _cut(value: float) -> str:
    """The whole number that is left of it."""
    return f"{value:g}" if value == int(value) else f"{value:.4g}, cut to {int(value)}"
