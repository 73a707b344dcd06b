"""The predicates by name, and the order in which they are evaluated."""

from collections.abc import Mapping

from model.predicates.conditions import (
    check_node_condition,
    check_node_disk_pressure,
    check_node_memory_pressure,
    check_node_pid_pressure,
)
from model.predicates.csi_volumes import max_csi_volume_count
from model.predicates.disks import no_disk_conflict
from model.predicates.general import general_predicates
from model.predicates.inter_pod_affinity import match_inter_pod_affinity
from model.predicates.node_selection import check_node_label_presence as check_node_label_presence
from model.predicates.node_selection import pod_fits_host, pod_match_node_selector
from model.predicates.ports import pod_fits_host_ports
from model.predicates.resources import pod_fits_resources
from model.predicates.service_affinity import ServiceAffinity
from model.predicates.taints import (
    check_node_unschedulable,
    pod_tolerates_node_no_execute_taints,
    pod_tolerates_node_taints,
)
from model.predicates.volume_binding import check_volume_binding
from model.predicates.volume_counts import MAX_AZURE_DISK, MAX_CINDER, MAX_EBS, MAX_GCE_PD
from model.predicates.volume_zone import no_volume_zone_conflict
from model.rules import declare
from model.semantics import PredicateFunction

declare("P-001", "A predicate tells for a pod and a node the reasons against, in order, or fails", __name__)

PREDICATES: Mapping[str, PredicateFunction] = {
    "CheckNodeCondition": check_node_condition,
    "CheckNodeUnschedulable": check_node_unschedulable,
    "GeneralPredicates": general_predicates,
    "HostName": pod_fits_host,
    "PodFitsHostPorts": pod_fits_host_ports,
    "PodFitsPorts": pod_fits_host_ports,
    "MatchNodeSelector": pod_match_node_selector,
    "PodFitsResources": pod_fits_resources,
    "NoDiskConflict": no_disk_conflict,
    "PodToleratesNodeTaints": pod_tolerates_node_taints,
    "PodToleratesNodeNoExecuteTaints": pod_tolerates_node_no_execute_taints,
    "MaxEBSVolumeCount": MAX_EBS,
    "MaxGCEPDVolumeCount": MAX_GCE_PD,
    "MaxCSIVolumeCountPred": max_csi_volume_count,
    "MaxAzureDiskVolumeCount": MAX_AZURE_DISK,
    "MaxCinderVolumeCount": MAX_CINDER,
    "CheckVolumeBinding": check_volume_binding,
    "NoVolumeZoneConflict": no_volume_zone_conflict,
    "CheckNodeMemoryPressure": check_node_memory_pressure,
    "CheckNodePIDPressure": check_node_pid_pressure,
    "CheckNodeDiskPressure": check_node_disk_pressure,
    "MatchInterPodAffinity": match_inter_pod_affinity,
}
"""All functions that need no argument; which of them a configuration may name, `model.releases` says."""

EVALUATION_ORDER: tuple[str, ...] = (
    "CheckNodeCondition",
    "CheckNodeUnschedulable",
    "GeneralPredicates",
    "HostName",
    "PodFitsHostPorts",
    "MatchNodeSelector",
    "PodFitsResources",
    "NoDiskConflict",
    "PodToleratesNodeTaints",
    "PodToleratesNodeNoExecuteTaints",
    "CheckNodeLabelPresence",
    "CheckServiceAffinity",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxCSIVolumeCountPred",
    "MaxAzureDiskVolumeCount",
    "MaxCinderVolumeCount",
    "CheckVolumeBinding",
    "NoVolumeZoneConflict",
    "CheckNodeMemoryPressure",
    "CheckNodePIDPressure",
    "CheckNodeDiskPressure",
    "MatchInterPodAffinity",
)
declare("L-068", "The order of evaluation has 23 names; a predicate of any other name is not in it", __name__)
declare("P-005", "Predicates are evaluated in one fixed order, whatever the configuration says", __name__)

check_service_affinity = ServiceAffinity
"""Takes the labels of a policy's `serviceAffinity` argument."""
