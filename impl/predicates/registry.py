"""The predicates by name, and the order in which they are evaluated.  [P-002, P-005]"""

from collections.abc import Mapping

from impl.predicates import node_state
from impl.predicates.check import Check, Factory, Question
from impl.predicates.disks import no_disk_conflict
from impl.predicates.general import (
    general_predicates,
    host_name,
    host_ports,
    match_node_selector,
    pod_fits_resources,
)
from impl.predicates.pod_affinity_slow import match_inter_pod_affinity
from impl.predicates.volume_binding import check_volume_binding, no_volume_zone_conflict
from impl.predicates.volume_counts import AZURE, CINDER, EBS, GCE, max_csi_volume_count, max_volume_count

PREDICATES: Mapping[str, Factory] = {
    "CheckNodeCondition": node_state.check_node_condition,
    "CheckNodeUnschedulable": node_state.check_node_unschedulable,
    "GeneralPredicates": general_predicates,
    "HostName": host_name,
    "PodFitsHostPorts": host_ports,
    "PodFitsPorts": host_ports,
    "MatchNodeSelector": match_node_selector,
    "PodFitsResources": pod_fits_resources,
    "NoDiskConflict": no_disk_conflict,
    "PodToleratesNodeTaints": node_state.pod_tolerates_node_taints,
    "PodToleratesNodeNoExecuteTaints": node_state.pod_tolerates_node_no_execute_taints,
    "MaxEBSVolumeCount": max_volume_count(EBS),
    "MaxGCEPDVolumeCount": max_volume_count(GCE),
    "MaxCSIVolumeCountPred": max_csi_volume_count,
    "MaxAzureDiskVolumeCount": max_volume_count(AZURE),
    "MaxCinderVolumeCount": max_volume_count(CINDER),
    "CheckVolumeBinding": check_volume_binding,
    "NoVolumeZoneConflict": no_volume_zone_conflict,
    "CheckNodeMemoryPressure": node_state.check_node_memory_pressure,
    "CheckNodePIDPressure": node_state.check_node_pid_pressure,
    "CheckNodeDiskPressure": node_state.check_node_disk_pressure,
    "MatchInterPodAffinity": match_inter_pod_affinity,
}

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

__all__ = ["EVALUATION_ORDER", "PREDICATES", "Check", "Factory", "Question"]
