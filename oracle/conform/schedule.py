"""Recorded runs of Schedule: every predicate, score and outcome must be the recorded one."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import Decision, Engine, Verdict
from oracle.conform.reasons import comparable
from oracle.conform.situation import read_situation
from oracle.conform.verdict import Comparison, Difference, first_unequal


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    """The first difference, None where all agree."""
    situation = read_situation(case)
    expect = case["expect"]
    found = first_unequal(compared(expect, engine.decide(situation)))
    without = getattr(engine, "without", None)
    if found or without is None or "interPodAffinityFixed" not in expect:
        return found
    mended: Engine = without("S-052")
    return first_unequal(compared_fixed(expect["interPodAffinityFixed"], mended.decide(situation)))


def compared(expect: Mapping[str, Any], decision: Decision) -> Iterator[Comparison]:
    """What led to the outcome comes first."""
    yield from compared_predicates(expect, decision)
    yield from compared_fits(expect, decision)
    yield "feasible", expect["feasible"], listed(decision.feasible)
    yield "evaluatedNodes", expect["evaluatedNodes"], decision.evaluated_nodes
    yield from compared_priorities(expect, decision)
    yield "totals", expect["totals"], decision.totals
    yield "panic", "panic" in expect, decision.crash is not None
    yield "host", expect["host"], decision.host
    yield "errorType", expect.get("errorType"), decision.error_type
    yield "error", expect["error"], decision.error
    if "lastNodeIndexAfter" in expect:
        yield "lastNodeIndexAfter", expect["lastNodeIndexAfter"], decision.last_node_index
    if "nextNode" in expect:
        yield "nextNode", expect["nextNode"], decision.next_node


def compared_predicates(expect: Mapping[str, Any], decision: Decision) -> Iterator[Comparison]:
    """A predicate that passed is not recorded."""
    yield "predicates", sorted(expect["predicates"]), sorted(decision.predicates)
    for node, recorded in expect["predicates"].items():
        shown = {name: verdict for name, verdict in decision.predicates[node].items() if not verdict.fits}
        yield f"predicates[{node}]", sorted(recorded), sorted(shown)
        for name, verdict in recorded.items():
            yield f"predicates[{node}][{name}]", of_record(verdict), of_engine(shown[name])


def compared_fits(expect: Mapping[str, Any], decision: Decision) -> Iterator[Comparison]:
    yield "podFitsOnNode", sorted(expect["podFitsOnNode"]), sorted(decision.fits)
    for node, recorded in expect["podFitsOnNode"].items():
        yield f"podFitsOnNode[{node}]", of_record(recorded), of_engine(decision.fits[node])


def of_record(verdict: Mapping[str, Any]) -> Any:
    return verdict["error"] if "error" in verdict else comparable(verdict["reasons"])


def of_engine(verdict: Verdict) -> Any:
    return comparable(verdict.reasons) if verdict.error is None else verdict.error


def compared_priorities(expect: Mapping[str, Any], decision: Decision) -> Iterator[Comparison]:
    yield "priorities", sorted(expect["priorities"]), sorted(decision.priorities)
    for name, recorded in expect["priorities"].items():
        yield f"priorities[{name}]", recorded.get("panic", recorded), decision.priorities[name]


def compared_fixed(expect: Mapping[str, Any], decision: Decision) -> Iterator[Comparison]:
    """With the counters of inter-pod affinity all starting at zero."""
    scores = decision.priorities["InterPodAffinityPriority"]
    yield "interPodAffinityFixed.scores", expect["scores"], scores
    yield "interPodAffinityFixed.totals", expect["totals"], decision.totals
    yield "interPodAffinityFixed.host", expect["host"], decision.host


def listed(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)
