"""Two schedulers about one pod: everything on the way to the decision, and the decision."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from model.api.components import Decision, Engine, PreemptionDecision, Verdict
from oracle.compare.divergence import Divergence, Record, different_ends, ended, guarded
from oracle.conform.reasons import comparable
from oracle.conform.situation import read_situation
from oracle.conform.verdict import first_difference

Members = Iterator[tuple[str, Any]]
"""Of a record, what led to the outcome first."""


def compare_schedule(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Raises ManifestError."""
    situation = read_situation(case)
    return compare_answers("schedule", lambda one: dict(schedule_members(one.decide(situation))), engine, reference)


def compare_preempt(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Raises ManifestError."""
    situation = read_situation(case)
    return compare_answers("preempt", lambda one: dict(preempt_members(one.preempt(situation))), engine, reference)


def compare_answers(kind: str, ask: Callable[[Engine], Record], engine: Engine, reference: Engine) -> Divergence | None:
    """Both are asked the same; `kind`: of the case, where the place of a difference begins."""
    expected = guarded(lambda: ask(reference), "while it decided")
    actual = guarded(lambda: ask(engine), "while it decided")
    if ended(expected) or ended(actual):
        difference = different_ends(kind, expected, actual)
    else:
        wanted = expected if getattr(engine, "canonical", False) else {**expected, **allowed(expected, actual)}
        difference = first_difference(kind, wanted, actual)
    return None if difference is None else Divergence(None, None, expected, actual, difference)


def allowed(expected: Record, actual: Record) -> Record:
    """What a scheduler may decide otherwise, where it does: order, counters, and the choice among equals."""
    free = {name: actual[name] for name in ("lastNodeIndexAfter", "nextNode") if name in expected}
    if expected.get("feasible") and sorted(expected["feasible"]) == sorted(actual["feasible"] or ()):
        free["feasible"] = actual["feasible"]
    totals = expected.get("totals") or {}
    if actual.get("host") in totals and totals[actual["host"]] == max(totals.values()):
        free["host"] = actual["host"]
    node = actual.get("node")
    if node in expected.get("nodeTies", ()):
        by_tie = expected["nominatedPodsToClearByTie"]
        free |= {"node": node, "victims": expected["perNode"][node]["victims"]}
        free["nominatedPodsToClear"] = by_tie.get(node, expected["nominatedPodsToClear"])
    return free


def schedule_members(decision: Decision) -> Members:
    """A predicate that passed is left out, and so are the last words of a crash."""
    yield "predicates", {node: _failing(verdicts) for node, verdicts in decision.predicates.items()}
    yield "podFitsOnNode", {node: verdict_record(verdict) for node, verdict in decision.fits.items()}
    yield "feasible", decision.feasible and list(decision.feasible)
    yield "evaluatedNodes", decision.evaluated_nodes
    yield "priorities", {name: s if isinstance(s, str) else dict(s) for name, s in decision.priorities.items()}
    yield "totals", dict(decision.totals)
    yield "panic", decision.crash is not None
    yield "host", decision.host
    yield "errorType", decision.error_type
    yield "error", decision.error
    yield "lastNodeIndexAfter", decision.last_node_index
    yield "nextNode", decision.next_node


def _failing(verdicts: Mapping[str, Verdict]) -> Record:
    return {name: verdict_record(verdict) for name, verdict in verdicts.items() if not verdict.fits}


def verdict_record(verdict: Verdict) -> Record:
    """Lacks of scalar resources come in any order."""
    if verdict.error is not None:
        return {"error": verdict.error}
    return {"fit": verdict.fits, "reasons": comparable(verdict.reasons)}


def preempt_members(decision: PreemptionDecision) -> Members:
    yield "scheduled", decision.scheduled
    yield "scheduleError", decision.schedule_error
    yield "errorType", decision.error_type
    yield "panic", decision.crash is not None
    yield "eligible", decision.eligible
    yield "candidates", sorted(decision.candidates)
    yield (
        "perNode",
        {
            node: {"victims": list(victims.pods), "numPDBViolations": victims.pdb_violations}
            for node, victims in decision.per_node.items()
        },
    )
    yield "nodeTies", sorted(decision.node_ties)
    yield "node", decision.node
    yield "victims", list(decision.victims)
    yield "nominatedPodsToClear", list(decision.to_clear)
    yield "nominatedPodsToClearByTie", {node: list(pods) for node, pods in decision.to_clear_by_tie.items()}
