"""The priorities by name, with the weights of the built-in configuration.  [S-001]"""

from collections.abc import Mapping

from impl.priorities import node_properties, resources
from impl.priorities.pod_affinity import InterPodAffinity
from impl.priorities.scorer import Constant, Factory
from impl.priorities.spreading import selector_spread

PRIORITIES: Mapping[str, Factory] = {
    "SelectorSpreadPriority": selector_spread,
    "ServiceSpreadingPriority": selector_spread,
    "InterPodAffinityPriority": InterPodAffinity,
    "LeastRequestedPriority": resources.LeastRequested,
    "MostRequestedPriority": resources.MostRequested,
    "BalancedResourceAllocation": resources.balanced_allocation,
    "RequestedToCapacityRatioPriority": resources.requested_to_capacity_ratio(),
    "ResourceLimitsPriority": resources.ResourceLimits,
    "NodePreferAvoidPodsPriority": node_properties.node_prefer_avoid_pods,
    "NodeAffinityPriority": node_properties.node_affinity,
    "TaintTolerationPriority": node_properties.taint_toleration,
    "ImageLocalityPriority": node_properties.image_locality,
    "EqualPriority": lambda subject: Constant(subject, 1),
}

WEIGHTS: Mapping[str, int] = {name: 10000 if name == "NodePreferAvoidPodsPriority" else 1 for name in PRIORITIES}
