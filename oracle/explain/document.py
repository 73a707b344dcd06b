"""An explanation as a JSON document."""

from typing import Any

from attrs import asdict

from oracle.explain.evictions import Evictions
from oracle.explain.explanation import Explanation
from oracle.explain.suggestions import Suggestion


def document(explanation: Explanation) -> dict[str, Any]:
    return {
        "pod": explanation.pod.key,
        "runsOn": explanation.runs_on or None,
        "circumstances": list(explanation.circumstances),
        "othersWaiting": explanation.others_waiting,
        "host": explanation.host,
        "error": explanation.error,
        "crash": explanation.crash,
        "nodes": explanation.nodes,
        "feasible": explanation.feasible,
        "groups": [
            {
                "nodes": list(group.nodes),
                "predicates": [asdict(refusal) for refusal in group.refusals],
                "reasons": list(group.reasons),
                "closest": group.closest,
                "withNominatedPods": list(group.besides),
            }
            for group in explanation.groups
        ],
        "scores": [
            {"nodes": list(group.nodes), "total": group.total, "priorities": [asdict(score) for score in group.scores]}
            for group in explanation.scores
        ],
        "preemption": explanation.evictions and _evictions(explanation.evictions),
        "suggestions": [_suggestion(suggestion) for suggestion in explanation.suggestions],
    }


def _evictions(found: Evictions) -> dict[str, Any]:
    return {
        "eligible": found.eligible,
        "potentialNodes": found.potential,
        "candidates": found.candidates,
        "node": found.node,
        "victims": [
            {
                "pod": victim.pod.key,
                "priority": victim.pod.priority,
                "violatesBudget": victim.violates_budget,
                "needed": list(victim.needed),
            }
            for victim in found.victims
        ],
        "criteria": [asdict(criterion) for criterion in found.criteria],
        "tied": list(found.tied),
        "nominationsToClear": list(found.to_clear),
        "cheapest": found.best and asdict(found.best),
        "gaps": list(found.gaps),
    }


def _suggestion(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "changes": [
            {"kind": type(change).__name__, "says": str(change), **asdict(change)} for change in suggestion.changes
        ],
        "nodes": list(suggestion.nodes),
    }
