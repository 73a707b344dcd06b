"""Schedule and Preempt run on a standing cluster, with everything on the way shown."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar

from attrs import frozen

from model.algorithm import Attempted, basic_checks, chosen, filtered, with_metadata
from model.api.components import Decision, PreemptionDecision, Situation, Verdict, Victims
from model.api.objects import Pod
from model.api.protocol import ApiError, AskExtender, Call, Crash
from model.attempt import Attempt, known
from model.cache.node_tree import next_node
from model.fit import Fit, PredicateError, PriorityError, Reason
from model.fits import pod_fits
from model.node_info import NodeInfo
from model.predicates.registry import PREDICATES
from model.preemption import Preemption, nominations_to_clear, preempt
from model.priorities.prioritize import prioritize, scores_by
from model.scheduling_error import FitError, NoNodesAvailable, SchedulingError
from model.semantics import PredicateFunction, Priority, Semantics
from model.standing import Standing, standing

T = TypeVar("T")

ALWAYS_TRIED = tuple(name for name in PREDICATES if name != "PodFitsPorts")
"""Shown for every node, configured or not; the name left out is an alias."""


@frozen
class Run:
    """A situation taken in, and the attempt about its pod."""

    situation: Situation
    standing: Standing
    attempt: Attempt


def taken_in(situation: Situation, semantics: Semantics) -> Run:
    stand = standing(situation, semantics.quirks)
    return Run(situation, stand, with_metadata(Attempt(situation.pod, stand.snapshot, stand.world, semantics)))


def decide(situation: Situation, semantics: Semantics, tried: Mapping[str, PredicateFunction]) -> Decision:
    """`tried`: the predicates to show one by one, besides those always shown."""
    run = taken_in(situation, semantics)
    found = attempted = Attempted(run.standing.tree, situation.last_node_index)
    crash = None
    try:
        found = attempted = searched(run)
        if not found.error:
            attempted = answered(chosen(run.attempt, found), situation.extenders)
    except Crash as end:
        crash = str(end)
    infos = [info for info in run.standing.snapshot.values() if info.node]
    return Decision(
        host=attempted.host,
        error=attempted.error.text if attempted.error else None,
        error_type=error_type(attempted.error),
        crash=crash,
        feasible=found.feasible,
        evaluated_nodes=found.evaluated,
        predicates={info.name: tried_one_by_one(run.attempt, info, tried) for info in infos},
        fits={info.name: tried_together(run.attempt, info) for info in infos},
        priorities=scores(run.attempt, found.feasible or ()),
        totals=totals(run, attempted),
        last_node_index=attempted.last_node_index,
        next_node=next_node(attempted.tree)[1],
    )


def searched(run: Run) -> Attempted:
    """Schedule up to the feasible nodes."""
    start = Attempted(run.standing.tree, run.situation.last_node_index)
    if refusal := basic_checks(run.situation.pod, run.standing.world):
        return Attempted(start.tree, start.last_node_index, error=refusal)
    return answered(filtered(run.attempt, start), run.situation.extenders)


def answered(steps: Generator[Call[Any], Any, T], extenders: Mapping[str, Any]) -> T:
    """Run to the end; `extenders`: URL prefix -> verb -> the answer, decoded, or an ApiError."""
    try:
        call = next(steps)
        while True:
            call = steps.send(answer_of(call, extenders))
    except StopIteration as end:
        result: T = end.value
        return result


def answer_of(call: Call[Any], extenders: Mapping[str, Any]) -> Any:
    if not isinstance(call, AskExtender):
        raise TypeError(f"an attempt calls nothing but extenders: {call}")
    verbs = extenders.get(call.url_prefix, {})
    return verbs[call.verb] if call.verb in verbs else ApiError("404", "")


def error_type(error: SchedulingError | None) -> str | None:
    match error:
        case None:
            return None
        case FitError():
            return "FitError"
        case NoNodesAvailable():
            return "NoNodesAvailable"
        case _:
            return "Other"


# --- one by one -----------------------------------------------------------------------------------


def verdict(fit: Fit) -> Verdict:
    return Verdict(tuple(reason.text for reason in fit), None, tuple(described(reason) for reason in fit))


def described(reason: Reason) -> Mapping[str, Any]:
    """A lack of resources with its amounts, any other reason with its own name.  [P-100]"""
    if reason.capacity is None:
        return {"reason": reason.text, "error": reason.error}
    return {
        "reason": reason.text,
        "resource": reason.text.removeprefix("Insufficient "),
        "requested": reason.requested,
        "used": reason.used,
        "capacity": reason.capacity,
    }


def tried_alone(attempt: Attempt, info: NodeInfo, predicate: PredicateFunction) -> Verdict:
    """Without nominated pods."""
    try:
        return verdict(predicate(attempt, info))
    except PredicateError as error:
        return Verdict(error=str(error))


def tried_one_by_one(attempt: Attempt, info: NodeInfo, more: Mapping[str, PredicateFunction]) -> Mapping[str, Verdict]:
    functions = {name: PREDICATES[name] for name in ALWAYS_TRIED} | dict(more)
    return {name: tried_alone(attempt, info, function) for name, function in functions.items()}


def tried_together(attempt: Attempt, info: NodeInfo) -> Verdict:
    """As Schedule does: in order, with nominated pods and without."""
    try:
        return verdict(pod_fits(attempt, info, attempt.semantics.always_check_all_predicates))
    except PredicateError as error:
        return Verdict(error=str(error))


def scores(attempt: Attempt, feasible: Sequence[str]) -> Mapping[str, Mapping[str, int] | str]:
    """Each priority by itself, for a single feasible node too; a text where it fails or ends the process."""
    if not feasible:
        return {}
    return {p.name: scores_alone(p, attempt, feasible) for p in attempt.semantics.priorities}


def scores_alone(priority: Priority, attempt: Attempt, feasible: Sequence[str]) -> Mapping[str, int] | str:
    try:
        return dict(zip(feasible, scores_by(priority, attempt, known(attempt, feasible)), strict=True))
    except (PriorityError, Crash) as problem:
        return str(problem)


def totals(run: Run, attempted: Attempted) -> Mapping[str, int]:
    """Of a single feasible node the total it would have had."""
    feasible = attempted.feasible or ()
    if attempted.totals or not feasible:
        return dict(zip(feasible, attempted.totals, strict=True))
    try:
        return dict(zip(feasible, prioritize(run.attempt, known(run.attempt, feasible)), strict=True))
    except (PriorityError, Crash):
        return {}


# --- preemption -----------------------------------------------------------------------------------


def decide_preemption(situation: Situation, semantics: Semantics) -> PreemptionDecision:
    """Schedule, and Preempt if no node was feasible."""
    run = taken_in(situation, semantics)
    try:
        failure = searched(run).error
    except Crash as crash:
        return PreemptionDecision(crash=str(crash))
    if failure is None:
        return PreemptionDecision(scheduled=True)
    try:
        preemption = answered(
            preempt(situation.pod, failure, run.standing.world, run.standing.snapshot, semantics), situation.extenders
        )
    except Crash as crash:
        return PreemptionDecision(schedule_error=failure.text, error_type=error_type(failure), crash=str(crash))
    return shown(run, failure, preemption)


def shown(run: Run, failure: SchedulingError, preemption: Preemption) -> PreemptionDecision:
    ties = tuple(sorted(preemption.allowed))
    to_clear = {node: names(nominations_to_clear(run.situation.pod, node, run.standing.world)) for node in ties}
    return PreemptionDecision(
        schedule_error=failure.text,
        error_type=error_type(failure),
        eligible=preemption.eligible,
        candidates=tuple(sorted(preemption.potential)),
        per_node={
            node: Victims(names(victims.pods), victims.pdb_violations)
            for node, victims in preemption.candidates.items()
        },
        node_ties=ties,
        node=preemption.node,
        victims=names(preemption.victims),
        to_clear=names(preemption.to_clear),
        to_clear_by_tie=to_clear if len(ties) > 1 else {},
    )


def names(pods: Sequence[Pod]) -> tuple[str, ...]:
    return tuple(pod.name for pod in pods)
