"""The reasons why a pod does not fit, one constant each.  [P-099, P-100]

`error` is the reason's own name, which is not always the predicate's; `resolvable` says whether evicting
pods may make it go away.  [E-005]
"""

from model.fit import Reason
from model.rules import declare, rule

DISK_CONFLICT = Reason("node(s) had no available disk", "NoDiskConflict")
VOLUME_ZONE_CONFLICT = Reason("node(s) had no available volume zone", "NoVolumeZoneConflict", resolvable=False)
NODE_SELECTOR_NOT_MATCH = Reason("node(s) didn't match node selector", "MatchNodeSelector", resolvable=False)
POD_AFFINITY_NOT_MATCH = Reason("node(s) didn't match pod affinity/anti-affinity", "MatchInterPodAffinity")
POD_AFFINITY_RULES_NOT_MATCH = Reason(
    "node(s) didn't match pod affinity rules", "PodAffinityRulesNotMatch", resolvable=False
)
POD_ANTI_AFFINITY_RULES_NOT_MATCH = Reason(
    "node(s) didn't match pod anti-affinity rules", "PodAntiAffinityRulesNotMatch"
)
EXISTING_PODS_ANTI_AFFINITY_RULES_NOT_MATCH = Reason(
    "node(s) didn't satisfy existing pods anti-affinity rules", "ExistingPodsAntiAffinityRulesNotMatch"
)
TAINTS_TOLERATIONS_NOT_MATCH = Reason(
    "node(s) had taints that the pod didn't tolerate", "PodToleratesNodeTaints", resolvable=False
)
POD_NOT_MATCH_HOST_NAME = Reason("node(s) didn't match the requested hostname", "HostName", resolvable=False)
POD_NOT_FITS_HOST_PORTS = Reason("node(s) didn't have free ports for the requested pod ports", "PodFitsHostPorts")
NODE_LABEL_PRESENCE_VIOLATED = Reason(
    "node(s) didn't have the requested labels", "CheckNodeLabelPresence", resolvable=False
)
SERVICE_AFFINITY_VIOLATED = Reason("node(s) didn't match service affinity", "CheckServiceAffinity")
MAX_VOLUME_COUNT_EXCEEDED = Reason("node(s) exceed max volume count", "MaxVolumeCount")
NODE_UNDER_MEMORY_PRESSURE = Reason("node(s) had memory pressure", "NodeUnderMemoryPressure", resolvable=False)
NODE_UNDER_DISK_PRESSURE = Reason("node(s) had disk pressure", "NodeUnderDiskPressure", resolvable=False)
NODE_UNDER_PID_PRESSURE = Reason("node(s) had pid pressure", "NodeUnderPIDPressure", resolvable=False)
NODE_NOT_READY = Reason("node(s) were not ready", "NodeNotReady", resolvable=False)
NODE_NETWORK_UNAVAILABLE = Reason("node(s) had unavailable network", "NodeNetworkUnavailable", resolvable=False)
NODE_UNSCHEDULABLE = Reason("node(s) were unschedulable", "NodeUnschedulable", resolvable=False)
NODE_UNKNOWN_CONDITION = Reason("node(s) had unknown conditions", "NodeUnknownCondition", resolvable=False)
VOLUME_NODE_CONFLICT = Reason(
    "node(s) had volume node affinity conflict", "VolumeNodeAffinityConflict", resolvable=False
)
VOLUME_BIND_CONFLICT = Reason(
    "node(s) didn't find available persistent volumes to bind", "VolumeBindingNoMatch", resolvable=False
)

declare("P-099", "Each reason has one text, and preemption can mend it or cannot", __name__)


@rule("P-100", "A lack of a resource carries what was asked for, what is used and what there is")
def insufficient(resource: str, requested: int, used: int, capacity: int) -> Reason:
    """Amounts in milli-CPU, bytes or units."""
    return Reason(f"Insufficient {resource}", requested=requested, used=used, capacity=capacity)
