"""Pods that want to be together or apart.  [P-031..P-037, P-090..P-097]

The pairs of the specification are written as what they stand for: which pods, if present, would be near enough
to the node to help or to hinder.
"""

from collections.abc import Iterator

from model.api.objects import Pod, PodAffinityTerm
from model.api.selectors import SelectorError, required_anti_affinity_terms, term_matches
from oracle.smt.changes import DropPodAffinity, DropPodAntiAffinity, RemovePods
from oracle.smt.constraint import Constraint
from oracle.smt.facts import NodeFacts
from oracle.smt.formula import every, no, some
from oracle.smt.pod_affinity_slow import without_metadata
from oracle.smt.question import Question


def match_inter_pod_affinity(question: Question) -> Iterator[Constraint]:
    """In the order in which they are asked; v1.15 names only the first that is broken.  [P-090]"""
    if not question.incoming.has_metadata:
        yield from without_metadata(question)
        return
    yield from _others_want_apart(question)
    if question.incoming.affinity:
        yield _wants_together(question)
    for index, term in enumerate(question.incoming.anti_affinity):
        yield from _wants_apart(question, index, term)


def _others_want_apart(question: Question) -> Iterator[Constraint]:
    """The required anti-affinity of pods that are there; a nominated pod's counts as well.  [P-032, P-096, P-022]"""
    against = [
        (pod, question.present(pod))
        for pod, node in question.incoming.repelled_by
        if any(question.node.is_beside(node, term.topology_key) for term in _terms_against(pod, question.pod))
    ]
    against += [
        (pod, True)
        for pod in question.joined
        if any(term.topology_key in question.node.labels for term in _terms_against(pod, question.pod))
    ]
    if against:
        holders = tuple(dict.fromkeys(pod.key for pod, _ in against))
        yield Constraint(
            "P-032",
            f"{', '.join(holders)} must not be near such a pod",
            every(no(present) for _, present in against),
            changes=(RemovePods(holders),),
        )


def _terms_against(owner: Pod, other: Pod) -> list[PodAffinityTerm]:
    """None at all of a nominated pod with a selector that cannot be built.  [P-037.1]"""
    try:
        return [term for term in required_anti_affinity_terms(owner) if term_matches(term, owner, other)]
    except SelectorError:
        return []


def _wants_together(question: Question) -> Constraint:
    """Near some pod that all terms select, for each term; or the first of its kind.  [P-033, P-090.3, P-091..P-095]"""
    terms = question.incoming.affinity
    friends = question.incoming.friends
    near = every(
        some(question.present(pod) for pod, node in friends if question.node.is_beside(node, term.topology_key))
        for term in terms
    )
    seen = (pod for pod, node in friends if any(term.topology_key in node.labels for term in terms))
    first = every((question.incoming.is_its_own_friend, *(no(question.present(pod)) for pod in seen)))
    keys = ", ".join(dict.fromkeys(term.topology_key for term in terms))
    return Constraint(
        "P-090",
        f"no pod that its affinity selects is near ({keys})",
        some((near, first)),
        resolvable=False,
        changes=(DropPodAffinity(),),
    )


def _wants_apart(question: Question, index: int, term: PodAffinityTerm) -> Iterator[Constraint]:
    """No pod that the term selects is near.  [P-034, P-090.4]"""
    against = [
        (pod, question.present(pod))
        for pod, node in _foes(question, index)
        if question.node.is_beside(node, term.topology_key)
    ]
    if against:
        foes = tuple(dict.fromkeys(pod.key for pod, _ in against))
        yield Constraint(
            "P-034",
            f"{', '.join(foes)} must not be near ({term.topology_key})",
            every(no(present) for _, present in against),
            changes=(DropPodAntiAffinity(index, term.topology_key), RemovePods(foes)),
        )


def _foes(question: Question, index: int) -> Iterator[tuple[Pod, NodeFacts]]:
    """In the simulation a pod put back counts for all terms as soon as it matches one.  [P-037.3, E-061]"""
    selected = question.incoming.foes
    yield from selected[index]
    if question.simulated:
        own = {pod.key for pod, _ in selected[index]}
        yield from {
            pod.key: (pod, node)
            for term in selected
            for pod, node in term
            if pod.key in question.stays and pod.key not in own
        }.values()
