"""The priorities by the name they are configured with."""

from collections.abc import Mapping
from typing import Any

from model.api.arguments import PriorityArgument
from model.api.configuration import ConfigurationError
from model.api.decode import structure
from model.priorities.equal import equal
from model.priorities.image_locality import image_locality
from model.priorities.inter_pod_affinity import inter_pod_affinity
from model.priorities.node_affinity import node_affinity
from model.priorities.node_label import node_label
from model.priorities.prefer_avoid_pods import node_prefer_avoid_pods
from model.priorities.requested_to_capacity_ratio import DEFAULT_SHAPE, checked_shape, requested_to_capacity_ratio
from model.priorities.resource_allocation import (
    AttachedVolumes,
    balanced_resource_allocation,
    balanced_with_volumes,
    least_requested,
    most_requested,
)
from model.priorities.resource_limits import resource_limits
from model.priorities.selector_spreading import selector_spread, service_spreading
from model.priorities.service_anti_affinity import service_anti_affinity
from model.priorities.taint_toleration import taint_toleration
from model.rules import declare
from model.semantics import Priority, PriorityFunction

declare("S-001", "The registered priorities; avoiding nodes by annotation weighs 10000, the others 1", __name__)
PRIORITIES: Mapping[str, Priority] = {
    priority.name: priority
    for priority in (
        Priority("SelectorSpreadPriority", selector_spread),
        Priority("InterPodAffinityPriority", inter_pod_affinity, by_node=False),
        Priority("LeastRequestedPriority", least_requested),
        Priority("MostRequestedPriority", most_requested),
        Priority("BalancedResourceAllocation", balanced_resource_allocation),
        Priority("NodePreferAvoidPodsPriority", node_prefer_avoid_pods, weight=10000),
        Priority("NodeAffinityPriority", node_affinity),
        Priority("TaintTolerationPriority", taint_toleration),
        Priority("ImageLocalityPriority", image_locality),
        Priority("ServiceSpreadingPriority", service_spreading),
        Priority("EqualPriority", equal),
        Priority("RequestedToCapacityRatioPriority", requested_to_capacity_ratio(DEFAULT_SHAPE)),
    )
}
RESOURCE_LIMITS = Priority("ResourceLimitsPriority", resource_limits)
"""Registered only where its feature gate is on.  [S-002]"""


def from_argument(argument: PriorityArgument) -> PriorityFunction:
    """The priority that a valid policy argument describes.  Raises Crash for an invalid shape.  [S-004]"""
    if argument.service_anti_affinity is not None:
        return service_anti_affinity(argument.service_anti_affinity.label)
    if argument.label_preference is not None:
        return node_label(argument.label_preference.label, argument.label_preference.presence)
    if argument.requested_to_capacity_ratio_arguments is not None:
        return requested_to_capacity_ratio(checked_shape(argument.requested_to_capacity_ratio_arguments.points))
    raise ConfigurationError("priority argument: no member is set")


_KINDS = {
    "NodeLabelPriority": "labelPreference",
    "ServiceAntiAffinityPriority": "serviceAntiAffinity",
    "RequestedToCapacityRatioPriority": "requestedToCapacityRatioArguments",
}


def alone(name: str, arguments: Mapping[str, Any]) -> PriorityFunction:
    """A priority outside any configuration, by registered name or by kind of argument.

    `arguments`: the members of the policy argument, or for BalancedResourceAllocation `transientVolumes`:
    per node name `allocatableVolumesCount` and `requestedVolumes`.  Raises ConfigurationError, Crash and
    ManifestError.
    """
    if name in _KINDS and (name not in PRIORITIES or "shape" in arguments):
        return from_argument(structure({_KINDS[name]: dict(arguments)}, PriorityArgument))
    if name == "BalancedResourceAllocation" and "transientVolumes" in arguments:
        return balanced_with_volumes(
            {
                node: AttachedVolumes(counts["allocatableVolumesCount"], counts["requestedVolumes"])
                for node, counts in arguments["transientVolumes"].items()
            }
        )
    if name == RESOURCE_LIMITS.name:
        return RESOURCE_LIMITS.score
    if name not in PRIORITIES:
        raise ConfigurationError(f"there is no priority {name!r}")
    return PRIORITIES[name].score
