"""From a configuration to what runs: predicates, priorities, extenders.  [P-006, P-010, P-011, S-006, L-230..L-249]"""

import re
from collections.abc import Mapping

from attrs import frozen

from impl.chosen_predicates import chosen_predicates
from impl.chosen_priorities import chosen_priorities
from impl.predicates.check import Factory as PredicateFactory
from impl.predicates.registry import EVALUATION_ORDER
from impl.priorities.scorer import MAX
from impl.priorities.scorer import Factory as PriorityFactory
from impl.validation import problems
from model.api.aggregate import aggregate
from model.api.configuration import Configuration, ConfigurationError, Extender
from model.api.integers import INT64_MAX

GATES = {
    "TaintNodesByCondition": True,
    "AttachVolumeLimit": True,
    "VolumeScheduling": True,
    "ResourceLimitsPriorityFunction": False,
    "NonPreemptingPriority": False,
    "BalanceAttachedNodeVolumes": False,
}
"""Those that matter, as they are unless the configuration says otherwise.  [P-011]"""


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
    if wrong := problems(configuration):
        raise ConfigurationError(aggregate(wrong))
    predicates = chosen_predicates(configuration, gates["TaintNodesByCondition"])
    priorities = chosen_priorities(configuration, gates["ResourceLimitsPriorityFunction"])
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


def _check_provider(configuration: Configuration) -> None:
    if configuration.provider not in ("DefaultProvider", "ClusterAutoscalerProvider"):
        raise ConfigurationError(f'plugin "{configuration.provider}" has not been registered')


def _check_total(priorities: Mapping[str, tuple[PriorityFactory, int]]) -> None:
    if sum(weight * MAX for _, weight in priorities.values()) > INT64_MAX:
        raise ConfigurationError("total priority of priority functions has overflown")


def _max_volumes(text: str) -> int:
    """[P-071]"""
    number = int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else 0
    return number if 0 < number <= INT64_MAX else 0
