"""The predicates that a configuration chooses, by name.  [P-003, P-007, P-008, L-240..L-244, L-249]"""

from collections.abc import Mapping

from impl.policy_argument import argument_of, check_name, registered_as
from impl.predicates.check import Factory
from impl.predicates.node_state import check_node_label_presence
from impl.predicates.registry import PREDICATES
from impl.predicates.service_affinity import check_service_affinity
from model.api.arguments import PredicateArgument
from model.api.configuration import Configuration, PolicyEntry

CONDITION_PREDICATES = (
    "CheckNodeCondition",
    "CheckNodeMemoryPressure",
    "CheckNodeDiskPressure",
    "CheckNodePIDPressure",
)
"""Replaced by taints where the gate TaintNodesByCondition is on.  [P-003]"""

DEFAULT_PREDICATES = (
    "GeneralPredicates",
    "NoDiskConflict",
    "PodToleratesNodeTaints",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxCSIVolumeCountPred",
    "MaxAzureDiskVolumeCount",
    "CheckVolumeBinding",
    "NoVolumeZoneConflict",
    "MatchInterPodAffinity",
)
NEVER_REGISTERED = ("PodToleratesNodeNoExecuteTaints",)


def chosen_predicates(configuration: Configuration, by_taints: bool) -> dict[str, Factory]:
    """`by_taints`: the gate TaintNodesByCondition.  Raises ConfigurationError and Crash.  [P-003, P-007, P-008]"""
    registered = {name: factory for name, factory in PREDICATES.items() if name not in NEVER_REGISTERED}
    if by_taints:
        mandatory: tuple[str, ...] = ("CheckNodeUnschedulable", "PodToleratesNodeTaints")
        default: tuple[str, ...] = (*DEFAULT_PREDICATES, "CheckNodeUnschedulable")
        for name in CONDITION_PREDICATES:
            del registered[name]
    else:
        mandatory = ("CheckNodeCondition",)
        default = (*DEFAULT_PREDICATES, *CONDITION_PREDICATES)
        del registered["CheckNodeUnschedulable"]
    if configuration.predicates is None:
        chosen = {name: registered[name] for name in default}
    else:
        chosen = {}
        for entry in configuration.predicates:
            chosen[entry.name] = registered[entry.name] = _predicate(entry, registered)
    for name in mandatory:
        chosen.setdefault(name, registered[name])
    return chosen


def _predicate(entry: PolicyEntry, registered: Mapping[str, Factory]) -> Factory:
    if entry.argument is None:
        return registered_as(entry, registered, "predicate")
    argument = argument_of(entry, PredicateArgument, "predicate")
    check_name(entry.name)
    if argument.service_affinity is not None:
        return check_service_affinity(argument.service_affinity.labels)
    assert argument.labels_presence is not None
    return check_node_label_presence(argument.labels_presence.labels, argument.labels_presence.presence)
