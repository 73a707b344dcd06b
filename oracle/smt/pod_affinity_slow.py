"""Inter-pod affinity where a selector cannot be built, so that nothing was computed in advance.  [P-038, P-098]"""

from collections.abc import Iterator

from model.api.objects import Pod, PodAffinityTerm
from model.api.selectors import (
    required_anti_affinity_terms,
    same_topology,
    term_matches,
)
from oracle.smt.constraint import Constraint
from oracle.smt.formula import Term, every, no, some
from oracle.smt.question import Question, can_be_built


def without_metadata(question: Question) -> Iterator[Constraint]:
    others = [(pod, question.present(pod)) for pods in question.facts.pods_on.values() for pod in pods]
    yield from _others_want_apart(question, others)
    if question.incoming.affinity:
        yield from _wants_together(question, others)
    if question.incoming.anti_affinity:
        yield _wants_apart(question, others)


def _others_want_apart(question: Question, others: list[tuple[Pod, Term]]) -> Iterator[Constraint]:
    """[P-098.1]"""
    for pod, present in others:
        node = question.facts.nodes.get(pod.spec.node_name)
        terms = required_anti_affinity_terms(pod)
        if node is None or not terms:
            continue
        if not can_be_built(terms):
            says = f"{pod.key} has an anti-affinity that cannot be understood"
            yield Constraint("P-098", says, no(present), error=True)
        elif any(
            term_matches(term, pod, question.pod) and question.node.is_beside(node, term.topology_key) for term in terms
        ):
            yield Constraint("P-098", f"{pod.key} must not be near such a pod", no(present))


def _wants_together(question: Question, others: list[tuple[Pod, Term]]) -> Iterator[Constraint]:
    """Any matching pod, wherever it is, ends the exception for the first one.  [P-098.2, P-098.3]"""
    terms = question.incoming.affinity
    if not can_be_built(terms):
        error = every(no(present) for _, present in others) is not True
        yield Constraint("P-098", "its affinity cannot be understood", False, error=error, resolvable=False)
        return
    friends = [(pod, present) for pod, present in others if all(term_matches(t, question.pod, pod) for t in terms)]
    near = some(present for pod, present in friends if _shares(question, pod, terms))
    for pod, present in friends:
        if pod.spec.node_name not in question.facts.nodes or not all(term.topology_key for term in terms):
            says = f"its affinity selects {pod.key}, whose place cannot be compared"
            yield Constraint("P-098", says, some((near, no(present))), error=True)
    own = all(term_matches(term, question.pod, question.pod) for term in terms)
    first = every((own, *(no(present) for _, present in friends)))
    yield Constraint("P-098", "no pod that its affinity selects is near", some((near, first)), resolvable=False)


def _wants_apart(question: Question, others: list[tuple[Pod, Term]]) -> Constraint:
    """Here only a pod that all terms select, near in every sense, is one too many.  [P-098.2]"""
    terms = question.incoming.anti_affinity
    if not can_be_built(terms):
        says = "its anti-affinity cannot be understood"
        return Constraint("P-098", says, every(no(present) for _, present in others))
    against = [
        (pod, present)
        for pod, present in others
        if all(term_matches(term, question.pod, pod) for term in terms)
        and (
            pod.spec.node_name not in question.facts.nodes
            or not all(term.topology_key for term in terms)
            or _shares(question, pod, terms)
        )
    ]
    return Constraint(
        "P-098",
        f"{', '.join(pod.key for pod, _ in against)} must not be near",
        every(no(present) for _, present in against),
    )


def _shares(question: Question, pod: Pod, terms: tuple[PodAffinityTerm, ...]) -> bool:
    node = question.facts.nodes.get(pod.spec.node_name)
    return node is not None and all(
        same_topology(question.node.labels, node.labels, term.topology_key) for term in terms
    )
