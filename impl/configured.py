"""From a configuration to what runs: predicates, priorities, extenders.  [P-002..P-010, S-001..S-006, L-230..L-249]"""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from attrs import frozen

from impl.predicates.check import Factory as PredicateFactory
from impl.predicates.node_state import check_node_label_presence
from impl.predicates.registry import EVALUATION_ORDER, PREDICATES
from impl.predicates.service_affinity import check_service_affinity
from impl.priorities.node_properties import node_label
from impl.priorities.registry import PRIORITIES, WEIGHTS
from impl.priorities.resources import requested_to_capacity_ratio
from impl.priorities.scorer import MAX
from impl.priorities.scorer import Factory as PriorityFactory
from impl.priorities.spreading import service_anti_affinity
from model.api.arguments import PredicateArgument, PriorityArgument
from model.api.configuration import Configuration, ConfigurationError, Extender, PolicyEntry
from model.api.decode import ManifestError, structure
from model.api.integers import INT64_MAX
from model.api.names import name_problems
from model.api.protocol import Crash
from model.api.resources import is_extended

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

GATES = {
    "TaintNodesByCondition": True,
    "AttachVolumeLimit": True,
    "VolumeScheduling": True,
    "ResourceLimitsPriorityFunction": False,
    "NonPreemptingPriority": False,
    "BalanceAttachedNodeVolumes": False,
}
"""Those that matter, as they are unless the configuration says otherwise.  [P-011]"""

NAME = "^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$"

AnyArgument = TypeVar("AnyArgument", PredicateArgument, PriorityArgument)


@frozen
class Plan:
    """What one scheduler runs.  `predicates` in evaluation order; `priorities` by name; required extenders first.

    `unheard`: configured predicates whose name is not in the evaluation order, so they are never asked.  [P-006]
    """

    predicates: Mapping[str, PredicateFactory]
    unheard: Mapping[str, PredicateFactory]
    priorities: Mapping[str, tuple[PriorityFactory, int]]
    extenders: tuple[Extender, ...]
    ignored_resources: frozenset[str]
    gates: Mapping[str, bool]
    check_all: bool
    hard_pod_affinity_weight: int
    percentage: int
    max_volumes: int


def plan(configuration: Configuration) -> Plan:
    """Raises ConfigurationError where building fails, and Crash where the process would end."""
    gates = _gates(configuration)
    _check_provider(configuration)
    _validate(configuration)
    predicates = _predicates(configuration, gates["TaintNodesByCondition"])
    priorities = _priorities(configuration, gates["ResourceLimitsPriorityFunction"])
    if not 1 <= configuration.hard_pod_affinity_weight <= 100:
        raise ConfigurationError(
            f"invalid hardPodAffinitySymmetricWeight: {configuration.hard_pod_affinity_weight}, "
            "must be in the range 1-100"
        )
    _check_total(priorities)
    return Plan(
        predicates={name: predicates[name] for name in EVALUATION_ORDER if name in predicates},
        unheard={name: factory for name, factory in predicates.items() if name not in EVALUATION_ORDER},
        priorities=dict(sorted(priorities.items())),
        extenders=tuple(sorted(configuration.extenders, key=lambda extender: extender.ignorable)),
        ignored_resources=frozenset(
            resource.name
            for extender in configuration.extenders
            for resource in extender.managed_resources
            if resource.ignored_by_scheduler
        ),
        gates=gates,
        check_all=configuration.always_check_all_predicates,
        hard_pod_affinity_weight=configuration.hard_pod_affinity_weight,
        percentage=configuration.percentage_of_nodes_to_score,
        max_volumes=_max_volumes(configuration.max_pd_volumes),
    )


def _gates(configuration: Configuration) -> dict[str, bool]:
    gates = {**GATES, **configuration.feature_gates}
    if not gates["VolumeScheduling"]:
        raise ConfigurationError("cannot set feature gate VolumeScheduling to false, feature is locked to true")
    if gates["BalanceAttachedNodeVolumes"]:
        raise ConfigurationError("feature gate BalanceAttachedNodeVolumes: its effect is not modelled, leave it off")
    return gates


def _max_volumes(text: str) -> int:
    """[P-071]"""
    number = int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else 0
    return number if 0 < number <= INT64_MAX else 0


# --- predicates -----------------------------------------------------------------------------------


def _predicates(configuration: Configuration, by_taints: bool) -> dict[str, PredicateFactory]:
    """[P-003, P-007, P-008]"""
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


def _check_provider(configuration: Configuration) -> None:
    if configuration.provider not in ("DefaultProvider", "ClusterAutoscalerProvider"):
        raise ConfigurationError(f'plugin "{configuration.provider}" has not been registered')


def _predicate(entry: PolicyEntry, registered: Mapping[str, PredicateFactory]) -> PredicateFactory:
    if entry.argument is None:
        if entry.name not in registered:
            raise Crash(f"Invalid configuration: Predicate type not found for {entry.name}")
        return registered[entry.name]
    argument = _argument(entry, PredicateArgument, "predicate")
    if argument.members != 1:
        raise Crash(f"Exactly 1 predicate argument is required, numArgs: {argument.members}, Predicate: {entry.name}")
    _check_name(entry.name)
    if argument.service_affinity is not None:
        return check_service_affinity(argument.service_affinity.labels)
    assert argument.labels_presence is not None
    return check_node_label_presence(argument.labels_presence.labels, argument.labels_presence.presence)


def _check_name(name: str) -> None:
    if not re.fullmatch(NAME, name):
        raise Crash(f'Algorithm name {name} does not match the name validation regexp "{NAME}".')


def _argument(entry: PolicyEntry, kind: type[AnyArgument], what: str) -> AnyArgument:
    try:
        return structure(entry.argument, kind)
    except ManifestError as error:
        raise ConfigurationError(f"{what} {entry.name}: argument.{error}") from None


# --- priorities -----------------------------------------------------------------------------------


def _priorities(configuration: Configuration, with_limits: bool) -> dict[str, tuple[PriorityFactory, int]]:
    """[S-002..S-004]"""
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
    chosen: dict[str, tuple[PriorityFactory, int]] = {}
    for entry in configuration.priorities:
        registered[entry.name] = _priority(entry, registered)
        chosen[entry.name] = (registered[entry.name], entry.weight)
    return chosen


def _priority(entry: PolicyEntry, registered: Mapping[str, PriorityFactory]) -> PriorityFactory:
    if entry.argument is None:
        if entry.name not in registered:
            raise Crash(f"Invalid configuration: Priority type not found for {entry.name}")
        return registered[entry.name]
    argument = _argument(entry, PriorityArgument, "priority")
    if argument.members != 1:
        raise Crash(f"Exactly 1 priority argument is required, numArgs: {argument.members}, Priority: {entry.name}")
    factory = _from_argument(argument)
    _check_name(entry.name)
    return factory


def _from_argument(argument: PriorityArgument) -> PriorityFactory:
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


# --- validation -----------------------------------------------------------------------------------


def _validate(configuration: Configuration) -> None:
    """[S-005, L-245]"""
    problems: dict[str, None] = {}
    for entry in configuration.priorities or ():
        if not 0 < entry.weight < INT64_MAX // MAX:
            problems[f"Priority {entry.name} should have a positive weight applied to it or it has overflown"] = None
    managed: set[str] = set()
    for extender in configuration.extenders:
        if extender.prioritize_verb and extender.weight <= 0:
            problems[f"Priority for extender {extender.url_prefix} should have a positive weight applied to it"] = None
        for resource in extender.managed_resources:
            wrong = name_problems(resource.name)
            if not wrong and not is_extended(resource.name):
                wrong = (f"{resource.name} is an invalid extended resource name",)
            problems.update(dict.fromkeys(wrong))
            if resource.name in managed:
                problems[f"Duplicate extender managed resource name {resource.name}"] = None
            managed.add(resource.name)
    binders = sum(bool(extender.bind_verb) for extender in configuration.extenders)
    if binders > 1:
        problems[f"Only one extender can implement bind, found {binders}"] = None
    if problems:
        raise ConfigurationError(aggregate(problems))


def aggregate(texts: Iterable[str]) -> str:
    """Several errors as one; each text once.  [L-069]"""
    distinct = list(dict.fromkeys(texts))
    return distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]"


def _check_total(priorities: Mapping[str, tuple[PriorityFactory, int]]) -> None:
    if sum(weight * MAX for _, weight in priorities.values()) > INT64_MAX:
        raise ConfigurationError("total priority of priority functions has overflown")
