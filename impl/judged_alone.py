"""One predicate or one priority by itself, for comparison with recorded calls."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import evolve

from impl.judged import algorithm_of
from impl.outcomes import ERROR_NAMES, INSUFFICIENT
from impl.predicates.general import PodFitsResources
from impl.predicates.registry import PREDICATES
from impl.trial import Trial
from model.api.components import Situation, Verdict
from model.api.configuration import PolicyEntry


def predicate(name: str, situation: Situation, node: str, arguments: Mapping[str, Any]) -> Verdict:
    """`arguments`: that of a policy, none for a predicate without."""
    configuration = situation.configuration
    if arguments:
        entry = PolicyEntry(name, argument=arguments)
        configuration = evolve(configuration, predicates=(entry,))
    algorithm = algorithm_of(evolve(situation, configuration=configuration))
    algorithm.surroundings.cache.recency.refresh(algorithm.table)
    with np.errstate(all="ignore"):
        prepared = algorithm.preparations.of(situation.pod)
        factory = algorithm.plan.predicates[name] if arguments else PREDICATES[name]
        check = factory(prepared.feasibility.question)
        if check is None:
            return Verdict()
        check.prepare()
        row = algorithm.table.row_of[node]
        outcome = algorithm.outcomes[check.at(Trial(algorithm.table, row))]
        resources = PodFitsResources(prepared.feasibility.question)
        failures = tuple(_failure(reason, resources, row) for reason in outcome.reasons)
    return Verdict(outcome.reasons, outcome.error, failures)


def _failure(reason: str, resources: PodFitsResources, row: int) -> Mapping[str, Any]:
    """[P-100]"""
    if reason.startswith(INSUFFICIENT):
        resource = reason.removeprefix(INSUFFICIENT)
        return {"reason": reason, "resource": resource, **resources.shortage(row, reason)}
    return {"reason": reason, "error": ERROR_NAMES[reason]}


_ARGUMENT_KINDS = {
    "NodeLabelPriority": "labelPreference",
    "ServiceAntiAffinityPriority": "serviceAntiAffinity",
    "RequestedToCapacityRatioPriority": "requestedToCapacityRatioArguments",
}


def priority(name: str, situation: Situation, arguments: Mapping[str, Any]) -> Mapping[str, int]:
    """All nodes are feasible; a hard affinity weight of 0 is answered, too.

    `Prioritize` takes `arguments["priorities"]`.
    """
    listed: list[Mapping[str, Any]] = arguments.get("priorities") or [{"name": name, "weight": 1}]
    argument = {key: value for key, value in arguments.items() if key not in ("priorities", "transientVolumes")}
    configured = {_ARGUMENT_KINDS[name]: argument} if name in _ARGUMENT_KINDS and argument else None
    entries = tuple(PolicyEntry(entry["name"], entry["weight"], configured) for entry in listed)
    gates = {**situation.configuration.feature_gates, "ResourceLimitsPriorityFunction": True}
    hard_weight = situation.configuration.hard_pod_affinity_weight
    configuration = evolve(situation.configuration, priorities=entries, feature_gates=gates, hard_pod_affinity_weight=1)
    algorithm = algorithm_of(evolve(situation, configuration=configuration))
    algorithm.preparations.plan = evolve(algorithm.plan, hard_pod_affinity_weight=hard_weight)
    table = algorithm.table
    table.pairs.scores_required = hard_weight > 0
    algorithm.surroundings.cache.recency.refresh(table)
    for node, volumes in (arguments.get("transientVolumes") or {}).items():
        table.volumes[table.row_of[node]] = (volumes["allocatableVolumesCount"], volumes["requestedVolumes"])
    names = list(table.row_of)
    with np.errstate(all="ignore"):
        totals = algorithm.preparations.of(situation.pod).scoring.totals(
            np.array(list(table.row_of.values()), np.int64)
        )
    return dict(zip(names, totals.tolist(), strict=True))
