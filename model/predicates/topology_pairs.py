"""Which pods stand behind which topology label, as far as required inter-pod (anti-)affinity asks.

Computed once per attempt, and kept up to date while pods are added and removed in a simulation.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from model.api.objects import Node, Pod, PodAffinityTerm
from model.api.selectors import (
    Labels,
    Selector,
    SelectorError,
    from_label_selector,
    required_affinity_terms,
    required_anti_affinity_terms,
    term_namespaces,
)
from model.node_info import NodeInfo
from model.quirks import Quirks, quirk
from model.rules import clause, declare, reached, rule

Pair = tuple[str, str]
"""A label's key and value: one topology domain."""

PairMap = Mapping[Pair, tuple[str, ...]]
"""UIDs of the pods behind each pair, in order of arrival; a pair without pods is not there."""


@frozen
class Term:
    """A required term as its owner means it."""

    namespaces: frozenset[str]
    selector: Selector
    topology_key: str

    def selects(self, pod: Pod) -> bool:
        return pod.namespace in self.namespaces and self.selector.matches(pod.labels)


@rule("P-031", "A term looks into its namespaces, or into that of the pod that declares it, by its selector")
def read_terms(terms: Iterable[PodAffinityTerm], owner: Pod) -> tuple[Term, ...]:
    """Raises SelectorError.  A missing selector selects no pod.  [P-095]"""
    return tuple(
        Term(term_namespaces(term, owner), from_label_selector(term.label_selector), term.topology_key)
        for term in terms
    )


declare("P-095", "A missing selector selects no pod, an empty one every pod of the namespaces", __name__)
declare("P-097", "Empty lists of terms are as good as none; no node carries an empty topology key", __name__)


def selected_by_all(terms: tuple[Term, ...], pod: Pod) -> bool:
    """The pod is selected by every one of the terms; no terms select none."""
    return bool(terms) and all(term.selects(pod) for term in terms)


def pairs_at(terms: Iterable[Term], labels: Labels) -> Iterator[Pair]:
    """The domains of the terms that a node with these labels is in."""
    return ((term.topology_key, labels[term.topology_key]) for term in terms if term.topology_key in labels)


@frozen
class TopologyPairs:
    """The incoming pod's own terms, and the three maps that its affinity is judged by."""

    affinity: tuple[Term, ...]
    anti_affinity: tuple[Term, ...]
    existing_anti_affinity: PairMap
    """Pods whose anti-affinity the incoming pod would violate.  [P-032]"""
    incoming_affinity: PairMap
    """Pods that the incoming pod wants to be with.  [P-033]"""
    incoming_anti_affinity: PairMap
    """Pods that the incoming pod does not want to be with.  [P-034]"""
    selected: tuple[str, ...]
    """UIDs of all pods that the incoming pod's affinity selects, behind a pair or not.  [P-092]"""


def topology_pairs(pod: Pod, infos: Iterable[NodeInfo]) -> TopologyPairs:
    """Raises SelectorError where a selector that matters cannot be built.  [P-032..P-034, P-038]"""
    placed = [(info.node, info) for info in infos if info.node]
    affinity = read_terms(required_affinity_terms(pod), pod)
    anti_affinity = _own_anti_affinity(pod, any(info.pods for _, info in placed))
    return TopologyPairs(
        affinity,
        anti_affinity,
        existing_anti_affinity(pod, ((q, node) for node, info in placed for q in info.pods_with_affinity)),
        _incoming_affinity(affinity, ((q, node) for node, info in placed for q in info.pods)),
        _incoming_anti_affinity(anti_affinity, ((q, node) for node, info in placed for q in info.pods)),
        tuple(q.uid for _, info in placed for q in info.pods if selected_by_all(affinity, q)) if affinity else (),
    )


Placed = Iterable[tuple[Pod, Node]]
"""Pods with the nodes they are on."""


@rule("P-032", "Each required anti-affinity term of an existing pod that selects the pod makes a pair")
def existing_anti_affinity(pod: Pod, placed: Placed) -> PairMap:
    """Raises SelectorError."""
    return _multimap((pair, q) for q, node in placed for pair in pairs_against(pod, q, node))


def pairs_against(pod: Pod, existing: Pod, node: Node) -> Iterator[Pair]:
    """The domains of `existing`, on `node`, that its anti-affinity closes to `pod`.  Raises SelectorError."""
    terms = read_terms(required_anti_affinity_terms(existing), existing)
    return pairs_at((term for term in terms if term.selects(pod)), node.labels)


@rule("P-033", "An existing pod that all affinity terms select makes a pair for each of them")
def _incoming_affinity(terms: tuple[Term, ...], placed: Placed) -> PairMap:
    if not terms:
        return {}
    return _multimap(
        (pair, q) for q, node in placed if selected_by_all(terms, q) for pair in pairs_at(terms, node.labels)
    )


@rule("P-034", "An existing pod makes a pair for each anti-affinity term that selects it")
def _incoming_anti_affinity(terms: tuple[Term, ...], placed: Placed) -> PairMap:
    if not terms:
        return {}
    return _multimap(
        (pair, q) for q, node in placed for pair in pairs_at((t for t in terms if t.selects(q)), node.labels)
    )


def _own_anti_affinity(pod: Pod, pods_exist: bool) -> tuple[Term, ...]:
    """Terms that cannot be built do no harm as long as there is no pod to hold them against.  [P-034, P-038]"""
    try:
        return read_terms(required_anti_affinity_terms(pod), pod)
    except SelectorError:
        if pods_exist:
            raise
        return ()


quirk("P-022", "The labels of a nominated pod are not seen by the incoming pod's own (anti-)affinity")
quirk("P-037", "A pod that returns to a simulation counts for all anti-affinity terms once it matches any")


@clause("P-022", "A nominated pod's terms count against the incoming pod, its labels do not count for the pod's terms")
@clause("P-037", "An added pod makes the pairs of P-032 and P-033, and for anti-affinity more than those of P-034")
def with_pod(pairs: TopologyPairs, pod: Pod, added: Pod, node: Node, quirks: Quirks) -> TopologyPairs:
    """Raises SelectorError."""
    reached("P-037")
    pairs = evolve(
        pairs,
        existing_anti_affinity=_joined(pairs.existing_anti_affinity, pairs_against(pod, added, node), added),
    )
    if not added.spec.node_name and "P-022" in quirks:
        reached("P-022")
        return pairs
    matching = tuple(term for term in pairs.anti_affinity if term.selects(added))
    violated = pairs.anti_affinity if matching and "P-037" in quirks else matching
    wanted = pairs.affinity if selected_by_all(pairs.affinity, added) else ()
    return evolve(
        pairs,
        incoming_affinity=_joined(pairs.incoming_affinity, pairs_at(wanted, node.labels), added),
        incoming_anti_affinity=_joined(pairs.incoming_anti_affinity, pairs_at(violated, node.labels), added),
        selected=(*pairs.selected, added.uid) if wanted else pairs.selected,
    )


def without_pod(pairs: TopologyPairs, removed: Pod) -> TopologyPairs:
    """[P-036]"""
    return evolve(
        pairs,
        existing_anti_affinity=_parted(pairs.existing_anti_affinity, removed),
        incoming_affinity=_parted(pairs.incoming_affinity, removed),
        incoming_anti_affinity=_parted(pairs.incoming_anti_affinity, removed),
        selected=tuple(uid for uid in pairs.selected if uid != removed.uid),
    )


def _multimap(entries: Iterable[tuple[Pair, Pod]]) -> PairMap:
    pods: dict[Pair, dict[str, None]] = {}
    for pair, pod in entries:
        pods.setdefault(pair, {})[pod.uid] = None
    return {pair: tuple(uids) for pair, uids in pods.items()}


def _joined(pairs: PairMap, joining: Iterable[Pair], pod: Pod) -> PairMap:
    joined = {pair: (*pairs.get(pair, ()), pod.uid) for pair in joining if pod.uid not in pairs.get(pair, ())}
    return {**pairs, **joined} if joined else pairs


def _parted(pairs: PairMap, pod: Pod) -> PairMap:
    if not any(pod.uid in uids for uids in pairs.values()):
        return pairs
    parted = {pair: tuple(uid for uid in uids if uid != pod.uid) for pair, uids in pairs.items()}
    return {pair: uids for pair, uids in parted.items() if uids}
