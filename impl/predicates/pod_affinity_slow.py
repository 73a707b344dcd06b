"""MatchInterPodAffinity when some selector cannot be built: pod by pod, over the live cache.  [P-038, P-098]"""

from collections.abc import Sequence

from impl.outcomes import (
    EXISTING_ANTI_AFFINITY_NOT_MATCH,
    FITS,
    POD_AFFINITY_NOT_MATCH,
    POD_AFFINITY_RULES_NOT_MATCH,
    POD_ANTI_AFFINITY_RULES_NOT_MATCH,
)
from impl.predicates.check import Check, Question
from impl.predicates.pod_affinity import MatchInterPodAffinity
from impl.terms import Term, required_terms
from impl.trial import Trial
from model.api.objects import Pod
from model.api.selectors import required_anti_affinity_terms, same_topology

_NO_TOPOLOGY_KEY = "empty topologyKey is not allowed except for PreferredDuringScheduling pod anti-affinity"


class _Unanswerable(Exception):
    """A selector that cannot be built, or a node that is not there."""


def cannot_precompute(question: Question) -> bool:
    """Whether a selector stands in the way of the tallies.  [P-038]"""
    pairs, kind = question.table.pairs, question.kind
    return bool(pairs.broken_anti or kind.broken_affinity or (kind.broken_anti_affinity and pairs.anything_placed))


class SlowInterPodAffinity(Check):
    columnar = local = False

    def at(self, trial: Trial) -> int:
        reason = self._reason(trial)
        if reason is None:
            return FITS
        if reason.startswith("node(s)"):
            return self.outcomes.code(POD_AFFINITY_NOT_MATCH, reason)
        return self.outcomes.error(reason)

    def _reason(self, trial: Trial) -> str | None:
        """A reason, or the text of an error."""
        pod, kind = self.question.pod, self.question.kind
        others = self._others(trial)
        try:
            if self._is_repelled(trial, others):
                return EXISTING_ANTI_AFFINITY_NOT_MATCH
        except _Unanswerable as error:
            return f"Failed to get all terms that match pod {pod.namespace}/{pod.name}: {error}"
        matched = selected = False
        for other in others:
            if not matched and kind.affinity_terms:
                try:
                    selected_here, matched = self._meets(trial, other, kind.affinity_terms)
                except _Unanswerable as error:
                    return (
                        f"Cannot schedule pod {pod.namespace}/{pod.name} onto node {trial.node.name}, "
                        f"because of PodAffinity: {error}"
                    )
                selected = selected or selected_here
            if kind.anti_affinity_terms:
                try:
                    if self._meets(trial, other, kind.anti_affinity_terms)[1]:
                        return POD_ANTI_AFFINITY_RULES_NOT_MATCH
                except _Unanswerable:
                    return POD_ANTI_AFFINITY_RULES_NOT_MATCH
        if kind.affinity_terms and not matched and (selected or not self._selects_itself()):
            return POD_AFFINITY_RULES_NOT_MATCH
        return None

    def _others(self, trial: Trial) -> list[Pod]:
        """The cache's pods, except those of this node that the trial has removed.  [O-100]"""
        held = {(pod.namespace, pod.name) for pod in trial.pods}
        return [
            pod
            for pod in self.question.surroundings.cache.all_pods()
            if pod.spec.node_name != trial.node.name or (pod.namespace, pod.name) in held
        ]

    def _is_repelled(self, trial: Trial, others: Sequence[Pod]) -> bool:
        nodes, pod = self.question.surroundings.stores.nodes, self.question.pod
        pairs = set()
        for other in others:
            node = nodes.get(other.spec.node_name)
            if node is None:
                continue
            for term in required_terms(required_anti_affinity_terms(other), other.namespace):
                if term.matcher.error:
                    raise _Unanswerable(term.matcher.error)
                if term.matcher.selects(pod) and term.topology_key in node.labels:
                    pairs.add((term.topology_key, node.labels[term.topology_key]))
        return not pairs.isdisjoint(trial.node.labels.items())

    def _meets(self, trial: Trial, other: Pod, terms: Sequence[Term]) -> tuple[bool, bool]:
        """Whether all terms select the other pod, and whether also all topologies are shared."""
        for term in terms:
            if term.matcher.error:
                raise _Unanswerable(term.matcher.error)
        if not all(term.matcher.selects(other) for term in terms):
            return False, False
        node = self.question.surroundings.stores.nodes.get(other.spec.node_name)
        if node is None:
            raise _Unanswerable(f'node "{other.spec.node_name}" not found')
        for term in terms:
            if not term.topology_key:
                raise _Unanswerable(_NO_TOPOLOGY_KEY)
            if not same_topology(trial.node.labels, node.labels, term.topology_key):
                return True, False
        return True, True

    def _selects_itself(self) -> bool:
        return all(term.matcher.selects(self.question.kind) for term in self.question.kind.affinity_terms)


def match_inter_pod_affinity(question: Question) -> Check | None:
    if cannot_precompute(question):
        return SlowInterPodAffinity(question)
    return MatchInterPodAffinity(question)
