"""Preferred node affinity: nodes the pod would rather run on."""

from collections.abc import Sequence

from model.api.integers import int32
from model.api.objects import PreferredSchedulingTerm
from model.api.selectors import SelectorError, node_requirements, node_term_matches
from model.attempt import Attempt
from model.fit import PriorityError
from model.node_info import NodeInfo
from model.priorities.normalized import normalized
from model.quirks import quirk
from model.rules import rule

quirk("S-040", "Match fields of a preferred term are ignored, and an expression that cannot be built is an error")


@rule("S-040", "The summed weights of the preferred terms whose expressions match the node, normalised")
def node_affinity(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    terms = _weighted_terms(attempt)
    weigh = _weights_by_expressions if attempt.semantics.has("S-040") else _weights_by_terms
    return normalized(weigh(terms, feasible), attempt.semantics.max_score, reverse=False)


def _weighted_terms(attempt: Attempt) -> list[PreferredSchedulingTerm]:
    affinity = attempt.pod.spec.affinity
    if affinity is None or affinity.node_affinity is None:
        return []
    return [term for term in affinity.node_affinity.preferred if term.weight != 0]


def _weights_by_expressions(terms: Sequence[PreferredSchedulingTerm], feasible: Sequence[NodeInfo]) -> list[int]:
    """A term without expressions matches nothing.  Raises PriorityError."""
    try:
        selectors = [(node_requirements(term.preference.match_expressions), term.weight) for term in terms]
    except SelectorError as error:
        raise PriorityError(str(error)) from None
    return [int32(sum(weight for selector, weight in selectors if selector.matches(info.labels))) for info in feasible]


def _weights_by_terms(terms: Sequence[PreferredSchedulingTerm], feasible: Sequence[NodeInfo]) -> list[int]:
    """A preferred term matches just as a required one does."""
    return [
        int32(
            sum(
                term.weight
                for term in terms
                if node_term_matches(term.preference, info.labels, {"metadata.name": info.name})
            )
        )
        for info in feasible
    ]
