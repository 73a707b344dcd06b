"""The algorithm's parts one by one, for comparison with recorded runs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import define, evolve

from impl.algorithm import Algorithm
from impl.extenders import ExtenderError
from impl.filtering import Tried
from impl.fit_error import FitError
from impl.lanes import Ints
from impl.outcomes import Outcome
from impl.predicates.check import Check
from impl.predicates.registry import PREDICATES
from impl.prepared import Prepared
from impl.priorities.scorer import PriorityError
from impl.scheduling_error import NO_NODES, SchedulingError
from impl.scoring import Scoring
from impl.situation import surroundings
from impl.trial import Trial
from model.api.components import Decision, PreemptionDecision, Situation, Verdict, Victims
from model.api.objects import Node, Pod
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


def algorithm_of(situation: Situation) -> Algorithm:
    algorithm = Algorithm(surroundings(situation), situation.configuration)
    algorithm.last_node_index = situation.last_node_index
    return algorithm


# --- Schedule -------------------------------------------------------------------------------------


@define
class _Found:
    """An attempt up to its feasible nodes; `evaluated`: how many nodes were feasible or refused.  [A-040]"""

    prepared: Prepared
    tried: Tried
    nodes: Sequence[Node]
    evaluated: int
    failure: FitError | None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(node.name for node in self.nodes)


def _search(algorithm: Algorithm, pod: Pod, api: Api) -> _Found:
    """Raises SchedulingError, ExtenderError and Crash."""
    algorithm.refresh(pod)
    prepared = algorithm.preparations.of(pod)
    tried = algorithm.filtering.find(prepared.feasibility)
    nodes, messages = algorithm.narrowed(pod, tried, api)
    table = algorithm.table
    failed = {table.name_of[row] for row in tried.failed()[0]}
    failure = None if nodes else algorithm.unfit(tried, messages).fit_error
    return _Found(prepared, tried, nodes, len(nodes) + len(failed.union(messages)), failure)


def decide(situation: Situation) -> Decision:
    """All that one run of Schedule shows."""
    algorithm, pod, api = algorithm_of(situation), situation.pod, _Extenders(situation.extenders)
    tree = algorithm.surroundings.cache.tree
    next_node = None
    with np.errstate(all="ignore"):
        shown = _verdicts(situation)
        before = tree.upcoming(1)[0]
        try:
            found = _search(algorithm, pod, api)
        except (SchedulingError, ExtenderError) as error:
            decision = Decision(error=str(error), error_type=_error_type(error))
        except Crash as crash:
            decision, next_node = Decision(crash=str(crash)), before
        else:
            decision = _outcome(algorithm, pod, found, api)
    return evolve(
        decision,
        predicates=shown[0],
        fits=shown[1],
        last_node_index=algorithm.last_node_index,
        next_node=next_node or tree.upcoming(1)[0],
    )


def _error_type(error: Exception) -> str:
    return "NoNodesAvailable" if str(error) == NO_NODES else "Other"


def _outcome(algorithm: Algorithm, pod: Pod, found: _Found, api: Api) -> Decision:
    names, scoring = found.names, found.prepared.scoring
    decision = Decision(feasible=names, evaluated_nodes=found.evaluated)
    if found.failure is not None:
        return evolve(decision, error=found.failure.text, error_type="FitError")
    rows = algorithm.rows(found.nodes)
    decision = evolve(decision, priorities=_priorities(scoring, rows, names))
    if len(names) == 1:
        decision = evolve(decision, host=names[0])
    try:
        if len(names) == 1:
            totals = scoring.totals_with_strangers(rows)
        else:
            totals = algorithm.ranked(pod, found.prepared, found.nodes, api)
            decision = evolve(decision, host=names[algorithm.select(totals)])
    except PriorityError as error:
        return decision if decision.host else evolve(decision, error=str(error), error_type="Other")
    except Crash as crash:
        return decision if decision.host else evolve(decision, crash=str(crash))
    return evolve(decision, totals=dict(zip(names, totals.tolist(), strict=True)))


def _priorities(scoring: Scoring, rows: Ints, names: Sequence[str]) -> dict[str, Mapping[str, int] | str]:
    shown: dict[str, Mapping[str, int] | str] = {}
    for name in scoring.scorers:
        try:
            shown[name] = dict(zip(names, scoring.scores(name, rows).tolist(), strict=True))
        except (Crash, PriorityError) as error:
            shown[name] = str(error)
    return shown


def _verdicts(situation: Situation) -> tuple[dict[str, dict[str, Verdict]], dict[str, Verdict]]:
    """Of every predicate alone, and of all configured ones together, on every node; on a scheduler of their own."""
    algorithm, pod = algorithm_of(situation), situation.pod
    algorithm.surroundings.cache.recency.refresh(algorithm.table)
    prepared = algorithm.preparations.of(pod)
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
    algorithm, pod, api = algorithm_of(situation), situation.pod, _Extenders(situation.extenders)
    with np.errstate(all="ignore"):
        try:
            failure = _search(algorithm, pod, api).failure
        except (SchedulingError, ExtenderError) as error:
            return PreemptionDecision(schedule_error=str(error), error_type=_error_type(error))
        except Crash as crash:
            return PreemptionDecision(crash=str(crash))
        if failure is None:
            return PreemptionDecision(scheduled=True)
        return _preemption(algorithm, pod, failure, api)


def _preemption(algorithm: Algorithm, pod: Pod, fit_error: FitError, api: Api) -> PreemptionDecision:
    failed = PreemptionDecision(schedule_error=fit_error.text, error_type="FitError")
    preemption = algorithm.preparations.of(pod).preemption
    if not preemption.is_eligible(pod):
        return evolve(failed, eligible=False)
    try:
        result = algorithm.preempt(pod, fit_error, api)
    except Crash as crash:
        return evolve(failed, crash=str(crash))
    rows, _ = preemption.potential(fit_error)
    if result.left is not None:
        per_node, ties = dict(result.left), list(result.ties)
    else:
        candidates = preemption.candidates(pod, rows)
        found = {preemption.name(row): preemption.victims(row) for row in candidates.tolist()}
        per_node = {name: (victims.pods, victims.pdb_violations) for name, victims in found.items()}
        best = preemption.best(candidates).tolist() if result.error is None else []
        ties = sorted(preemption.name(row) for row in best)
    return evolve(
        failed,
        eligible=True,
        candidates=tuple(sorted(preemption.name(row) for row in rows.tolist())),
        per_node={name: Victims(_names(victims), violations) for name, (victims, violations) in per_node.items()},
        node_ties=tuple(ties),
        node=result.node,
        victims=_names(result.victims),
        to_clear=_names(result.to_clear),
        to_clear_by_tie={tie: _names(preemption.to_clear(pod, tie)) for tie in ties if len(ties) > 1},
    )


def _names(pods: Iterable[Pod]) -> tuple[str, ...]:
    return tuple(pod.name for pod in pods)
