"""MatchInterPodAffinity without topology pairs: every pod of the cache is looked at for every node.

This happens when a selector cannot be built, which the API server normally refuses.
"""

from collections.abc import Sequence

from model.api.objects import Node, Pod, PodAffinityTerm
from model.api.selectors import (
    SelectorError,
    has_affinity_constraints,
    required_affinity_terms,
    required_anti_affinity_terms,
    same_topology,
)
from model.attempt import Attempt
from model.fit import PredicateError, Reason
from model.node_info import NodeInfo, holds
from model.predicates import reasons
from model.predicates.topology_pairs import existing_anti_affinity, read_terms, selected_by_all
from model.quirks import quirk
from model.rules import rule

quirk("P-098", "Without topology pairs a pod violates anti-affinity only if it matches all terms at once")

EMPTY_KEY = "empty topologyKey is not allowed except for PreferredDuringScheduling pod anti-affinity"


@rule(
    "P-098", "Without metadata the pods of the live cache decide, all anti-affinity terms at once, and errors surface"
)
def match_without_pairs(attempt: Attempt, info: NodeInfo, node: Node) -> Reason | None:
    """Raises PredicateError where a selector cannot be built, or a matching pod's node is not known."""
    pods = [q for cached in attempt.world.cached.values() for q in cached.pods if holds(info, q)]
    if _existing_pods_object(attempt, pods, node):
        return reasons.EXISTING_PODS_ANTI_AFFINITY_RULES_NOT_MATCH
    if not has_affinity_constraints(attempt.pod):
        return None
    return _own_terms_object(attempt, pods, node)


def _existing_pods_object(attempt: Attempt, pods: Sequence[Pod], node: Node) -> bool:
    """[P-098.1]"""
    nodes = attempt.world.nodes
    placed = ((q, nodes[q.spec.node_name]) for q in pods if q.spec.node_name in nodes)
    try:
        closed = existing_anti_affinity(attempt.pod, placed)
    except SelectorError as error:
        raise PredicateError(f"Failed to get all terms that match pod {_name(attempt.pod)}: {error}") from None
    return any(pair in closed for pair in node.labels.items())


def _own_terms_object(attempt: Attempt, pods: Sequence[Pod], node: Node) -> Reason | None:
    """Pod by pod, so that whichever of the two is violated or fails first decides.  [P-098.2, P-098.3]"""
    affinity = required_affinity_terms(attempt.pod)
    anti_affinity = required_anti_affinity_terms(attempt.pod)
    found = selected = False
    for q in pods:
        if affinity and not found:
            try:
                selects, found = _selects_here(attempt, affinity, q, node)
            except (SelectorError, _TopologyError) as error:
                raise PredicateError(
                    f"Cannot schedule pod {_name(attempt.pod)} onto node {node.name}, because of PodAffinity: {error}"
                ) from None
            selected = selected or selects
        if anti_affinity and _is_violated(attempt, anti_affinity, q, node):
            return reasons.POD_ANTI_AFFINITY_RULES_NOT_MATCH
    if affinity and not found and (selected or not _selects_itself(attempt.pod)):
        return reasons.POD_AFFINITY_RULES_NOT_MATCH
    return None


class _TopologyError(Exception):
    """The nodes of two pods cannot be compared."""


def _selects_here(attempt: Attempt, terms: Sequence[PodAffinityTerm], q: Pod, node: Node) -> tuple[bool, bool]:
    """Whether all terms select `q`, and whether its node also shares all their topologies.

    Raises SelectorError, and _TopologyError once the terms select the pod.
    """
    if not selected_by_all(read_terms(terms, attempt.pod), q):
        return False, False
    other = attempt.world.nodes.get(q.spec.node_name)
    if other is None:
        raise _TopologyError(f'node "{q.spec.node_name}" not found')
    for term in terms:
        if not term.topology_key:
            raise _TopologyError(EMPTY_KEY)
        if not same_topology(node.labels, other.labels, term.topology_key):
            return True, False
    return True, True


def _is_violated(attempt: Attempt, terms: Sequence[PodAffinityTerm], q: Pod, node: Node) -> bool:
    """A selector that cannot be built, or a node that is not known, is a violation."""
    together = [terms] if attempt.semantics.has("P-098") else [(term,) for term in terms]
    try:
        return any(_selects_here(attempt, part, q, node)[1] for part in together)
    except (SelectorError, _TopologyError):
        return True


def _selects_itself(pod: Pod) -> bool:
    try:
        return selected_by_all(read_terms(required_affinity_terms(pod), pod), pod)
    except SelectorError:
        return False


def _name(pod: Pod) -> str:
    return f"{pod.namespace}/{pod.name}"
