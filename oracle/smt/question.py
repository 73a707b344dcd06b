"""What is asked: may this pod run on that node, where some pods may be gone?"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from attrs import Factory, frozen

from model.api.objects import Pod, PodAffinityTerm, Volume
from model.api.ports import HostPort, host_ports
from model.api.resources import Resources, pod_request
from model.api.selectors import (
    SelectorError,
    from_label_selector,
    required_affinity_terms,
    required_anti_affinity_terms,
    term_matches,
)
from oracle.smt.facts import Facts, NodeFacts
from oracle.smt.formula import Term
from oracle.smt.settings import Settings

Thing = TypeVar("Thing")


@frozen(eq=False)
class Incoming:
    """The pod to place, with what follows from it whatever the node."""

    facts: Facts
    pod: Pod
    settings: Settings = Factory(Settings)

    @cached_property
    def request(self) -> Resources:
        """[P-044]"""
        return pod_request(self.pod)

    @cached_property
    def ports(self) -> tuple[HostPort, ...]:
        return tuple(dict.fromkeys(host_ports(self.pod)))

    @cached_property
    def affinity(self) -> tuple[PodAffinityTerm, ...]:
        return required_affinity_terms(self.pod)

    @cached_property
    def anti_affinity(self) -> tuple[PodAffinityTerm, ...]:
        return required_anti_affinity_terms(self.pod)

    @cached_property
    def has_metadata(self) -> bool:
        """False where a selector that everybody would need cannot be built.  [P-038]"""
        others = (term for pod, _ in self.facts.repelling for term in required_anti_affinity_terms(pod))
        own = self.anti_affinity if self.facts.placed else ()
        return can_be_built((*others, *self.affinity, *own))

    @cached_property
    def repelled_by(self) -> tuple[tuple[Pod, NodeFacts], ...]:
        """The pods with a required anti-affinity that selects this one.  [P-032]"""
        return tuple(
            (other, node)
            for other, node in self.facts.repelling
            if any(term_matches(term, other, self.pod) for term in required_anti_affinity_terms(other))
        )

    @cached_property
    def friends(self) -> tuple[tuple[Pod, NodeFacts], ...]:
        """The pods that all its affinity terms select.  [P-033]"""
        return tuple(
            (other, node)
            for other, node in self.facts.placed
            if all(term_matches(term, self.pod, other) for term in self.affinity)
        )

    @cached_property
    def is_its_own_friend(self) -> bool:
        """[P-091]"""
        return all(term_matches(term, self.pod, self.pod) for term in self.affinity)

    @cached_property
    def foes(self) -> tuple[tuple[tuple[Pod, NodeFacts], ...], ...]:
        """Per anti-affinity term, the pods that it selects.  [P-034]"""
        return tuple(
            tuple((other, node) for other, node in self.facts.placed if term_matches(term, self.pod, other))
            for term in self.anti_affinity
        )


def can_be_built(terms: Iterable[PodAffinityTerm]) -> bool:
    """Whether all their selectors can be.  [O-063, O-067]"""
    try:
        for term in terms:
            from_label_selector(term.label_selector)
    except SelectorError:
        return False
    return True


@frozen(eq=False)
class Question:
    """`stays`: by `namespace/name`, the variables of the pods that may be gone; all others are there.

    `joined`: nominated pods that count as if they ran on the node.  [P-021]
    `simulated`: as v1.15 simulates preemption rather than as the cluster would be afterwards.  [P-037, E-061, E-066]
    """

    incoming: Incoming
    node: NodeFacts
    stays: Mapping[str, Term] = Factory(dict)
    joined: tuple[Pod, ...] = ()
    simulated: bool = False

    @property
    def pod(self) -> Pod:
        return self.incoming.pod

    @property
    def facts(self) -> Facts:
        return self.incoming.facts

    @property
    def settings(self) -> Settings:
        return self.incoming.settings

    def present(self, pod: Pod) -> Term:
        return self.stays.get(pod.key, True)

    @property
    def residents(self) -> Iterator[tuple[Pod, Term]]:
        """The pods that count on the node, each with whether it is there."""
        for pod in self.node.pods:
            yield pod, self.present(pod)
        for pod in self.joined:
            yield pod, True

    @property
    def resident_volumes(self) -> Iterator[tuple[Volume, Pod, Term]]:
        for volume, pod in self.node.volumes:
            yield volume, pod, self.present(pod)
        for pod in self.joined:
            for volume in pod.spec.volumes:
                yield volume, pod, True
