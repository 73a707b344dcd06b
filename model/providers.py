"""Which predicates and priorities are registered, which are mandatory, and which a provider names."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from model.api.configuration import ConfigurationError
from model.predicates.registry import PREDICATES
from model.priorities.registry import PRIORITIES, RESOURCE_LIMITS
from model.rules import declare, reached, rule
from model.semantics import PredicateFunction, Priority

declare("P-002", "Twenty predicates are registered by default, fourteen of them by the providers", __name__)
declare(
    "L-231",
    "Both providers have the same predicates; one prefers the least requested nodes, the other the most requested",
    __name__,
)

_PROVIDED_PREDICATES = (
    "NoVolumeZoneConflict",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxAzureDiskVolumeCount",
    "MaxCSIVolumeCountPred",
    "MatchInterPodAffinity",
    "NoDiskConflict",
    "GeneralPredicates",
    "CheckNodeMemoryPressure",
    "CheckNodeDiskPressure",
    "CheckNodePIDPressure",
    "CheckNodeCondition",
    "PodToleratesNodeTaints",
    "CheckVolumeBinding",
)
_OTHER_PREDICATES = (
    "PodFitsPorts",
    "PodFitsHostPorts",
    "PodFitsResources",
    "HostName",
    "MatchNodeSelector",
    "MaxCinderVolumeCount",
)
_PROVIDED_PRIORITIES = (
    "SelectorSpreadPriority",
    "InterPodAffinityPriority",
    "LeastRequestedPriority",
    "BalancedResourceAllocation",
    "NodePreferAvoidPodsPriority",
    "NodeAffinityPriority",
    "TaintTolerationPriority",
    "ImageLocalityPriority",
)
_PACKING_PRIORITIES = tuple(
    "MostRequestedPriority" if name == "LeastRequestedPriority" else name for name in _PROVIDED_PRIORITIES
)
_BY_CONDITION = ("CheckNodeCondition", "CheckNodeMemoryPressure", "CheckNodeDiskPressure", "CheckNodePIDPressure")
_BY_TAINT = ("PodToleratesNodeTaints", "CheckNodeUnschedulable")


@frozen
class Provider:
    predicates: tuple[str, ...]
    priorities: tuple[str, ...]


@frozen
class Registry:
    """What a configuration can name.  `mandatory` predicates run in every configuration."""

    predicates: Mapping[str, PredicateFunction]
    mandatory: tuple[str, ...]
    priorities: Mapping[str, Priority]
    providers: Mapping[str, Provider]


declare("L-242", "A policy may also name predicates and priorities that no provider names", __name__)
BEFORE_GATES = Registry(
    predicates={name: PREDICATES[name] for name in (*_PROVIDED_PREDICATES, *_OTHER_PREDICATES)},
    mandatory=("CheckNodeCondition",),
    priorities=PRIORITIES,
    providers={
        "DefaultProvider": Provider(_PROVIDED_PREDICATES, _PROVIDED_PRIORITIES),
        "ClusterAutoscalerProvider": Provider(_PROVIDED_PREDICATES, _PACKING_PRIORITIES),
    },
)


@rule("L-240", "The gates change the registry once, before any scheduler is made")
def registry(gates: Mapping[str, bool]) -> Registry:
    found = BEFORE_GATES
    if gates["TaintNodesByCondition"]:
        found = with_taints_for_conditions(found)
    if gates["ResourceLimitsPriorityFunction"]:
        found = with_resource_limits(found)
    return found


@rule("P-003", "With TaintNodesByCondition the condition predicates go, and taints and unschedulable become mandatory")
@rule("P-004", "So by default eleven predicates run, from CheckNodeUnschedulable to MatchInterPodAffinity")
def with_taints_for_conditions(before: Registry) -> Registry:
    def adjusted(names: Sequence[str]) -> tuple[str, ...]:
        return (*(name for name in names if name not in (*_BY_CONDITION, *_BY_TAINT)), *_BY_TAINT)

    return evolve(
        before,
        predicates={name: PREDICATES[name] for name in adjusted(tuple(before.predicates))},
        mandatory=adjusted(before.mandatory),
        providers={
            name: evolve(provider, predicates=adjusted(provider.predicates))
            for name, provider in before.providers.items()
        },
    )


@rule("S-002", "With ResourceLimitsPriorityFunction the resource limits priority is registered and in every provider")
def with_resource_limits(before: Registry) -> Registry:
    return evolve(
        before,
        priorities={**before.priorities, RESOURCE_LIMITS.name: RESOURCE_LIMITS},
        providers={
            name: evolve(provider, priorities=(*provider.priorities, RESOURCE_LIMITS.name))
            for name, provider in before.providers.items()
        },
    )


@rule("L-230", "A provider is found by its name; an unknown one is an error")
def provider(found: Registry, name: str) -> Provider:
    """Raises ConfigurationError."""
    if name not in found.providers:
        raise ConfigurationError(f'plugin "{name}" has not been registered')
    reached(f"provider: {name}")
    return found.providers[name]
