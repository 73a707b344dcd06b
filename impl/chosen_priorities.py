"""The priorities that a configuration chooses, by name, with their weights.  [S-002..S-004, S-034, L-244]"""

from collections.abc import Mapping

from impl.policy_argument import argument_of, check_name, registered_as
from impl.priorities.node_properties import node_label
from impl.priorities.registry import PRIORITIES, WEIGHTS
from impl.priorities.resources import requested_to_capacity_ratio
from impl.priorities.scorer import MAX, Factory
from impl.priorities.spreading import service_anti_affinity
from model.api.arguments import PriorityArgument
from model.api.configuration import Configuration, PolicyEntry
from model.api.protocol import Crash

DEFAULT_PRIORITIES = (
    "SelectorSpreadPriority",
    "InterPodAffinityPriority",
    "LeastRequestedPriority",
    "BalancedResourceAllocation",
    "NodePreferAvoidPodsPriority",
    "NodeAffinityPriority",
    "TaintTolerationPriority",
    "ImageLocalityPriority",
)


def chosen_priorities(configuration: Configuration, with_limits: bool) -> dict[str, tuple[Factory, int]]:
    """`with_limits`: the gate ResourceLimitsPriorityFunction.  Raises ConfigurationError and Crash.  [S-002..S-004]"""
    registered = dict(PRIORITIES)
    default = list(DEFAULT_PRIORITIES)
    if with_limits:
        default.append("ResourceLimitsPriority")
    else:
        del registered["ResourceLimitsPriority"]
    if configuration.priorities is None:
        if configuration.provider == "ClusterAutoscalerProvider":
            default[default.index("LeastRequestedPriority")] = "MostRequestedPriority"
        return {name: (registered[name], WEIGHTS[name]) for name in default}
    chosen: dict[str, tuple[Factory, int]] = {}
    for entry in configuration.priorities:
        registered[entry.name] = _priority(entry, registered)
        chosen[entry.name] = (registered[entry.name], entry.weight)
    return chosen


def _priority(entry: PolicyEntry, registered: Mapping[str, Factory]) -> Factory:
    if entry.argument is None:
        return registered_as(entry, registered, "priority")
    argument = argument_of(entry, PriorityArgument, "priority")
    factory = _from_argument(argument)
    check_name(entry.name)
    return factory


def _from_argument(argument: PriorityArgument) -> Factory:
    """Raises Crash for a shape that is no function.  [S-034]"""
    if argument.service_anti_affinity is not None:
        return service_anti_affinity(argument.service_anti_affinity.label)
    if argument.label_preference is not None:
        return node_label(argument.label_preference.label, argument.label_preference.presence)
    assert argument.requested_to_capacity_ratio_arguments is not None
    shape = [(point.utilization, point.score) for point in argument.requested_to_capacity_ratio_arguments.points]
    if problem := _shape_problem(shape):
        raise Crash(f"invalid RequestedToCapacityRatioPriority arguments: {problem}")
    return requested_to_capacity_ratio(shape)


def _shape_problem(shape: list[tuple[int, int]]) -> str:
    if not shape:
        return "at least one point must be specified"
    for i in range(1, len(shape)):
        before, after = shape[i - 1][0], shape[i][0]
        if before >= after:
            return f"utilization values must be sorted. Utilization[{i - 1}]=={before} >= Utilization[{i}]=={after}"
    for i, (utilization, score) in enumerate(shape):
        if utilization < 0:
            return f"utilization values must not be less than 0. Utilization[{i}]=={utilization}"
        if utilization > 100:
            return f"utilization values must not be greater than 100. Utilization[{i}]=={utilization}"
        if score < 0:
            return f"score values must not be less than 0. Score[{i}]=={score}"
        if score > MAX:
            return f"score valuses not be greater than 10. Score[{i}]=={score}"
    return ""
