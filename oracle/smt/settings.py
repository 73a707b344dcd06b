"""Which predicates a configuration makes hard constraints, read from the specification once more.  [P-002..P-010]"""

from collections.abc import Mapping

from attrs import Factory, field, frozen

from model.api.configuration import Configuration, PolicyEntry
from model.api.integers import parse_integer
from model.api.resources import is_extended

ORDER = (
    *("CheckNodeCondition", "CheckNodeUnschedulable", "GeneralPredicates", "HostName", "PodFitsHostPorts"),
    *("MatchNodeSelector", "PodFitsResources", "NoDiskConflict", "PodToleratesNodeTaints"),
    *("PodToleratesNodeNoExecuteTaints", "CheckNodeLabelPresence", "CheckServiceAffinity", "MaxEBSVolumeCount"),
    *("MaxGCEPDVolumeCount", "MaxCSIVolumeCountPred", "MaxAzureDiskVolumeCount", "MaxCinderVolumeCount"),
    *("CheckVolumeBinding", "NoVolumeZoneConflict", "CheckNodeMemoryPressure", "CheckNodePIDPressure"),
    *("CheckNodeDiskPressure", "MatchInterPodAffinity"),
)
"""Whatever is not in this list is never asked.  [P-005, P-006]"""

_ALWAYS = (
    *("GeneralPredicates", "NoDiskConflict", "PodToleratesNodeTaints", "MaxEBSVolumeCount", "MaxGCEPDVolumeCount"),
    *("MaxAzureDiskVolumeCount", "MaxCSIVolumeCountPred", "CheckVolumeBinding", "NoVolumeZoneConflict"),
    "MatchInterPodAffinity",
)
_CONDITIONS = (*("CheckNodeCondition", "CheckNodeMemoryPressure", "CheckNodeDiskPressure", "CheckNodePIDPressure"),)


@frozen
class Argued:
    """A predicate that a policy made with an argument; one of the two is set.  [P-008]"""

    service_labels: tuple[str, ...] | None = None
    present_labels: tuple[str, ...] | None = None
    presence: bool = False


@frozen
class Settings:
    """`predicates` in order of evaluation; `argued` those of them that a policy gave another meaning."""

    predicates: tuple[str, ...] = field()
    argued: Mapping[str, Argued] = Factory(dict)
    ignored_resources: frozenset[str] = frozenset()
    max_pd_volumes: int | None = None
    attach_limits: bool = True
    """Whether the nodes' own limits count.  [P-070, P-075]"""
    check_all: bool = False

    @predicates.default
    def _those_of_the_provider(self) -> tuple[str, ...]:
        return _ordered({*_ALWAYS, "CheckNodeUnschedulable"})

    @classmethod
    def of(cls, configuration: Configuration) -> "Settings":
        """Those that run by default, or those of the policy, and always the mandatory ones.  [P-003, P-004, P-007]"""
        by_taints = configuration.feature_gates.get("TaintNodesByCondition", True)
        provided = {*_ALWAYS, *(("CheckNodeUnschedulable",) if by_taints else _CONDITIONS)}
        mandatory = {"CheckNodeUnschedulable", "PodToleratesNodeTaints"} if by_taints else {"CheckNodeCondition"}
        entries = configuration.predicates
        named = provided if entries is None else {entry.name for entry in entries}
        return cls(
            predicates=_ordered(named | mandatory),
            argued={entry.name: _argued(entry) for entry in entries or () if entry.argument},
            ignored_resources=frozenset(
                resource.name
                for extender in configuration.extenders
                for resource in extender.managed_resources
                if resource.ignored_by_scheduler and is_extended(resource.name)
            ),
            max_pd_volumes=_positive(configuration.max_pd_volumes),
            attach_limits=configuration.feature_gates.get("AttachVolumeLimit", True),
            check_all=configuration.always_check_all_predicates,
        )


def _ordered(names: set[str]) -> tuple[str, ...]:
    return tuple(name for name in ORDER if name in names)


def _argued(entry: PolicyEntry) -> Argued:
    argument = entry.argument or {}
    if "serviceAffinity" in argument:
        return Argued(service_labels=tuple(argument["serviceAffinity"].get("labels") or ()))
    presence = argument["labelsPresence"]
    return Argued(present_labels=tuple(presence.get("labels") or ()), presence=presence.get("presence", False))


def _positive(text: str) -> int | None:
    """A limit from the environment counts only if it is a decimal above 0.  [P-071]"""
    number = parse_integer(text)
    return number if number is not None and number > 0 else None
