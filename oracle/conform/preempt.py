"""Recorded runs of Preempt: the candidates, each one's victims, and the choice; any tied node may be chosen."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import Engine, PreemptionDecision
from oracle.conform.situation import read_situation
from oracle.conform.verdict import Comparison, Difference, first_unequal


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    """The first difference, None where all agree."""
    return first_unequal(compared(case["expect"], engine.preempt(read_situation(case))))


def compared(expect: Mapping[str, Any], decision: PreemptionDecision) -> Iterator[Comparison]:
    yield "panic", None, decision.crash
    yield "scheduled", expect.get("scheduled", False), decision.scheduled
    yield "scheduleError", expect["scheduleError"], decision.schedule_error
    yield "errorType", expect["errorType"], decision.error_type
    yield "eligible", expect["eligible"], decision.eligible
    yield "candidates", expect["candidates"], sorted(decision.candidates)
    yield "perNode", sorted(expect["perNode"]), sorted(decision.per_node)
    for node, recorded in expect["perNode"].items():
        victims = decision.per_node[node]
        yield f"perNode[{node}].victims", recorded["victims"], list(victims.pods)
        yield f"perNode[{node}].numPDBViolations", recorded["numPDBViolations"], victims.pdb_violations
    yield "nodeTies", expect["nodeTies"], sorted(decision.node_ties)
    yield from compared_choice(expect, decision)


def compared_choice(expect: Mapping[str, Any], decision: PreemptionDecision) -> Iterator[Comparison]:
    """Relative to the node chosen, which is any of those that tie."""
    node = decision.node if decision.node in expect["nodeTies"] else expect["node"]
    victims = expect["victims"] if node == expect["node"] else expect["perNode"][node]["victims"]
    by_tie = expect.get("nominatedPodsToClearByTie", {})
    yield "node", node, decision.node
    yield "victims", victims, list(decision.victims)
    yield "nominatedPodsToClear", by_tie.get(node, expect["nominatedPodsToClear"]), list(decision.to_clear)
    for tied in by_tie:
        yield f"nominatedPodsToClearByTie[{tied}]", by_tie[tied], list(decision.to_clear_by_tie.get(tied, ()))
