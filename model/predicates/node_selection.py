"""HostName, MatchNodeSelector and CheckNodeLabelPresence: the node is one the pod asks for."""

from collections.abc import Sequence

from model.api.objects import Node, Pod
from model.api.selectors import any_node_term_matches, from_map
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.absent_node import node_of
from model.rules import clause, declare, reached, rule
from model.semantics import PredicateFunction


@rule("P-050", "A pod that names its node fits only that node")
def pod_fits_host(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError without a node object."""
    wanted = attempt.pod.spec.node_name
    if not wanted or wanted == node_of(info).name:
        return FITS
    return (reasons.POD_NOT_MATCH_HOST_NAME,)


@rule("P-052", "The node selector and the required node affinity both match the node")
def pod_match_node_selector(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError without a node object."""
    node, wanted = node_of(info), attempt.pod.spec.node_selector
    if (not wanted or from_map(wanted).matches(node.labels)) and _required_affinity_matches(attempt.pod, node):
        return FITS
    return (reasons.NODE_SELECTOR_NOT_MATCH,)


@clause("P-053", "Of the required terms one must match, by its expressions on labels and its fields on the name")
def _required_affinity_matches(pod: Pod, node: Node) -> bool:
    affinity = pod.spec.affinity
    if not (affinity and affinity.node_affinity and affinity.node_affinity.required):
        return True
    reached("P-053")
    terms = affinity.node_affinity.required.node_selector_terms
    return any_node_term_matches(terms, node.labels, {"metadata.name": node.name})


declare("P-054", "An expression that cannot be built makes its term false", "model.api.selectors")


@clause("P-059", "Each configured label is on the node, or none is: as the presence flag says")
def check_node_label_presence(labels: Sequence[str], presence: bool) -> PredicateFunction:
    """The predicate a policy's `labelsPresence` argument stands for."""

    def predicate(attempt: Attempt, info: NodeInfo) -> Fit:
        """Raises PredicateError without a node object."""
        reached("P-059")
        on_node = node_of(info).labels
        if all((label in on_node) == presence for label in labels):
            return FITS
        return (reasons.NODE_LABEL_PRESENCE_VIOLATED,)

    return predicate
