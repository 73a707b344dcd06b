"""MatchInterPodAffinity: required affinity and anti-affinity between pods, in both directions."""

from model.api.objects import Node
from model.api.selectors import has_affinity_constraints
from model.attempt import Attempt
from model.fit import FITS, Fit, Reason
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.absent_node import node_of
from model.predicates.metadata import facts
from model.predicates.slow_affinity import match_without_pairs
from model.predicates.topology_pairs import TopologyPairs, pairs_at, selected_by_all
from model.quirks import quirk
from model.rules import clause, declare, reached, rule


@rule("P-090", "Not against existing pods' anti-affinity, with its own affinity, not against its own anti-affinity")
def match_inter_pod_affinity(attempt: Attempt, info: NodeInfo) -> Fit:
    """Two reasons, the general and the first that holds.  Raises PredicateError."""
    node = node_of(info)
    pairs = facts(attempt).pairs
    against = match_without_pairs(attempt, info, node) if pairs is None else _first_against(attempt, pairs, node)
    return (reasons.POD_AFFINITY_NOT_MATCH, against) if against else FITS


declare("P-096", "Of existing pods only required anti-affinity keeps others away, never their affinity", __name__)


def _first_against(attempt: Attempt, pairs: TopologyPairs, node: Node) -> Reason | None:
    closed = pairs.existing_anti_affinity
    if closed and any(pair in closed for pair in node.labels.items()):
        return reasons.EXISTING_PODS_ANTI_AFFINITY_RULES_NOT_MATCH
    if not has_affinity_constraints(attempt.pod):
        return None
    if pairs.affinity and not (_affinity_holds(pairs, node) or _is_first_of_its_kind(attempt, pairs, node)):
        return reasons.POD_AFFINITY_RULES_NOT_MATCH
    if any(pair in pairs.incoming_anti_affinity for pair in pairs_at(pairs.anti_affinity, node.labels)):
        return reasons.POD_ANTI_AFFINITY_RULES_NOT_MATCH
    return None


@rule("P-093", "Each term must have a pod behind the node's value of its key; they may be different pods")
@clause("P-094", "A node without a term's key fails affinity, and never violates anti-affinity")
def _affinity_holds(pairs: TopologyPairs, node: Node) -> bool:
    if any(term.topology_key not in node.labels for term in pairs.affinity):
        reached("P-094")
        return False
    return all(pair in pairs.incoming_affinity for pair in pairs_at(pairs.affinity, node.labels))


quirk("P-091", "The first pod of a group may even go to a node that lacks the topology key")
quirk("P-092", "A pod counts as the first of a group whose pods are all on nodes that lack the topology keys")


@clause("P-091", "While no pod makes a pair for its terms, a pod that all of them select may go anywhere")
@clause("P-092", "Matching pods on nodes that lack all keys make no pair, so a pod may go anywhere in spite of them")
def _is_first_of_its_kind(attempt: Attempt, pairs: TopologyPairs, node: Node) -> bool:
    if pairs.incoming_affinity or not selected_by_all(pairs.affinity, attempt.pod):
        return False
    reached("P-091")
    if pairs.selected:
        reached("P-092")
        if not attempt.semantics.has("P-092"):
            return False
    return attempt.semantics.has("P-091") or all(term.topology_key in node.labels for term in pairs.affinity)
