"""The algorithm's parts one by one, for comparison with recorded runs."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from attrs import evolve

from impl.algorithm import NO_NODES, Algorithm, Prepared, SchedulingError, Tried
from impl.extenders import FilterCrash
from impl.outcomes import ERROR_NAMES, INSUFFICIENT, Outcome
from impl.predicates.check import Check
from impl.predicates.general import PodFitsResources
from impl.predicates.registry import PREDICATES
from impl.priorities.scorer import PriorityError
from impl.situation import surroundings
from impl.trial import Trial
from model.api.components import Decision, PreemptionDecision, Situation, Verdict, Victims
from model.api.configuration import PolicyEntry
from model.api.protocol import Answer, Api, ApiError, AskExtender, Call, Crash

TRIED_ALONE = tuple(name for name in PREDICATES if name != "PodFitsPorts")


class _Extenders(Api):
    """Answers of extenders from a situation, by URL prefix and verb."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers

    def call(self, request: Call[Answer]) -> Any:
        if not isinstance(request, AskExtender):
            raise TypeError(f"an attempt calls nothing but extenders: {request}")
        return self._answers.get(request.url_prefix, {}).get(request.verb, ApiError("404", ""))


def _algorithm(situation: Situation) -> Algorithm:
    algorithm = Algorithm(surroundings(situation), situation.configuration)
    algorithm.last_node_index = situation.last_node_index
    return algorithm


# --- Schedule -------------------------------------------------------------------------------------


def decide(situation: Situation) -> Decision:
    """All that one run of Schedule shows."""
    algorithm, pod = _algorithm(situation), situation.pod
    with np.errstate(all="ignore"):
        shown = _verdicts(situation)
        try:
            algorithm.refresh(pod)
            prepared = algorithm.prepared(pod)
            tried = algorithm.find(prepared)
        except SchedulingError as error:
            type_ = "NoNodesAvailable" if str(error) == NO_NODES else "Other"
            decision = Decision(error=str(error), error_type=type_)
        else:
            decision = _outcome(algorithm, situation, prepared, tried)
    return evolve(
        decision,
        predicates=shown[0],
        fits=shown[1],
        last_node_index=algorithm.last_node_index,
        next_node=algorithm.surroundings.cache.tree.upcoming(1)[0],
    )


def _outcome(algorithm: Algorithm, situation: Situation, prepared: Prepared, tried: Tried) -> Decision:
    table = algorithm.table
    names = tuple(str(table.name_of[row]) for row in tried.feasible)
    decision = Decision(feasible=names, evaluated_nodes=len(names) + len(tried.failed()[0]))
    if not names:
        failed = algorithm.unfit(tried, {})
        return evolve(decision, error=failed.error, error_type="FitError")
    decision = evolve(decision, priorities=_priorities(prepared, tried, names))
    try:
        totals = prepared.scoring.totals(tried.feasible)
    except PriorityError as error:
        if len(names) > 1:
            return evolve(decision, error=str(error), error_type="Other")
        return evolve(decision, host=names[0])
    except Crash as crash:
        return evolve(decision, host=names[0]) if len(names) == 1 else evolve(decision, crash=str(crash))
    host = names[0] if len(names) == 1 else names[algorithm.select(totals)]
    return evolve(decision, host=host, totals=dict(zip(names, totals.tolist(), strict=True)))


def _priorities(prepared: Prepared, tried: Tried, names: Iterable[str]) -> dict[str, Mapping[str, int] | str]:
    shown: dict[str, Mapping[str, int] | str] = {}
    for name, (scorer, _) in prepared.scoring.scorers.items():
        try:
            scores = np.broadcast_to(scorer.scores(tried.feasible), len(tried.feasible))
            shown[name] = dict(zip(names, scores.tolist(), strict=True))
        except (Crash, PriorityError) as error:
            shown[name] = str(error)
    return shown


def _verdicts(situation: Situation) -> tuple[dict[str, dict[str, Verdict]], dict[str, Verdict]]:
    """Of every predicate alone, and of all configured ones together, on every node; on a scheduler of their own."""
    algorithm, pod = _algorithm(situation), situation.pod
    algorithm.surroundings.cache.refresh(algorithm.table)
    prepared = algorithm.prepared(pod)
    checks = _checks(algorithm, prepared)
    table, nominated = algorithm.table, algorithm.surroundings.queue.nominated
    alone, together = {}, {}
    for name, row in table.row_of.items():
        code = prepared.feasibility.code(row, nominated.get(name, ()))
        together[name] = _verdict(algorithm.outcomes[code])
        trial = Trial(table, row)
        alone[name] = {predicate: _verdict(algorithm.outcomes[check.at(trial)]) for predicate, check in checks.items()}
    return alone, together


def _checks(algorithm: Algorithm, prepared: Prepared) -> dict[str, Check]:
    question = prepared.feasibility.question
    factories = {name: PREDICATES[name] for name in TRIED_ALONE} | dict(algorithm.plan.predicates)
    factories |= {name: factory for name, factory in algorithm.plan.unheard.items() if name != "PodFitsPorts"}
    checks = {name: check for name, factory in factories.items() if (check := factory(question)) is not None}
    for check in checks.values():
        check.prepare()
    return checks


def _verdict(outcome: Outcome) -> Verdict:
    return Verdict(outcome.reasons, outcome.error)


# --- Preempt --------------------------------------------------------------------------------------


def preempt(situation: Situation) -> PreemptionDecision:
    """All that Schedule followed by Preempt shows; that a node is feasible counts as scheduled, whatever its score."""
    algorithm, pod = _algorithm(situation), situation.pod
    api = _Extenders(situation.extenders)
    try:
        scheduled = algorithm.schedule(pod, api)
    except FilterCrash as crash:
        return PreemptionDecision(crash=str(crash))
    except Crash:
        return PreemptionDecision(scheduled=True)  # scoring alone can end the process here
    if scheduled.host is not None or scheduled.unscored:
        return PreemptionDecision(scheduled=True)
    failed = PreemptionDecision(schedule_error=scheduled.error)
    if scheduled.fit_error is None:
        return evolve(failed, error_type="NoNodesAvailable" if scheduled.error == NO_NODES else "Other")
    failed = evolve(failed, error_type="FitError")
    with np.errstate(all="ignore"):
        preemption = algorithm.prepared(pod).preemption
        if not preemption.is_eligible(pod):
            return evolve(failed, eligible=False)
        rows, _ = preemption.potential(scheduled.fit_error)
        candidates = preemption.candidates(pod, rows)
        ties = sorted(preemption.name(row) for row in preemption.best(candidates).tolist())
        per_node = {preemption.name(row): preemption.victims(row) for row in candidates.tolist()}
    result = algorithm.preempt(pod, scheduled.fit_error, api)
    return evolve(
        failed,
        eligible=True,
        candidates=tuple(sorted(preemption.name(row) for row in rows.tolist())),
        per_node={
            name: Victims(tuple(victim.name for victim in victims.pods), victims.pdb_violations)
            for name, victims in per_node.items()
        },
        node_ties=tuple(ties),
        node=result.node,
        victims=tuple(victim.name for victim in result.victims),
        to_clear=tuple(other.name for other in result.to_clear),
        to_clear_by_tie={
            tie: tuple(other.name for other in preemption.to_clear(pod, tie)) for tie in ties if len(ties) > 1
        },
    )


# --- one predicate, one priority ------------------------------------------------------------------


def predicate(name: str, situation: Situation, node: str, arguments: Mapping[str, Any]) -> Verdict:
    """`arguments`: that of a policy, none for a predicate without."""
    configuration = situation.configuration
    if arguments:
        entry = PolicyEntry(name, argument=arguments)
        configuration = evolve(configuration, predicates=(entry,))
    algorithm = _algorithm(evolve(situation, configuration=configuration))
    algorithm.surroundings.cache.refresh(algorithm.table)
    with np.errstate(all="ignore"):
        prepared = algorithm.prepared(situation.pod)
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
    algorithm = _algorithm(evolve(situation, configuration=configuration))
    algorithm.plan = evolve(algorithm.plan, hard_pod_affinity_weight=hard_weight)
    table = algorithm.table
    algorithm.surroundings.cache.refresh(table)
    for node, volumes in (arguments.get("transientVolumes") or {}).items():
        table.volumes[table.row_of[node]] = (volumes["allocatableVolumesCount"], volumes["requestedVolumes"])
    names = list(table.row_of)
    with np.errstate(all="ignore"):
        totals = algorithm.prepared(situation.pod).scoring.totals(np.array(list(table.row_of.values()), np.int64))
    return dict(zip(names, totals.tolist(), strict=True))
