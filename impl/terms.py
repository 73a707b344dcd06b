"""Pod affinity terms, with their selectors built once.  [O-073..O-076]"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from attrs import frozen

from model.api.objects import PodAffinityTerm, WeightedPodAffinityTerm
from model.api.selectors import Selector, SelectorError, from_label_selector


class Labelled(Protocol):
    """What a term looks at."""

    @property
    def namespace(self) -> str: ...

    @property
    def labels(self) -> Mapping[str, str]: ...


@frozen
class Matcher:
    """Namespaces and a selector; `error` is set instead of a selector that cannot be built.  [O-074]"""

    namespaces: frozenset[str]
    selector: Selector
    error: str = ""

    def selects(self, pod: Labelled) -> bool:
        return pod.namespace in self.namespaces and self.selector.matches(pod.labels)


@frozen
class Term:
    """One affinity term; `weight` is 0 for a required one."""

    matcher: Matcher
    topology_key: str
    weight: int = 0


def _term(term: PodAffinityTerm, namespace: str, weight: int = 0) -> Term:
    namespaces = frozenset(term.namespaces) or frozenset({namespace})
    try:
        matcher = Matcher(namespaces, from_label_selector(term.label_selector))
    except SelectorError as error:
        matcher = Matcher(namespaces, Selector(nothing=True), str(error))
    return Term(matcher, term.topology_key, weight)


def required_terms(terms: Iterable[PodAffinityTerm], namespace: str) -> tuple[Term, ...]:
    """`namespace`: that of the pod which declares them."""
    return tuple(_term(term, namespace) for term in terms)


def preferred_terms(terms: Iterable[WeightedPodAffinityTerm], namespace: str, sign: int = 1) -> tuple[Term, ...]:
    """With weights times `sign`."""
    return tuple(_term(term.pod_affinity_term, namespace, sign * term.weight) for term in terms)
