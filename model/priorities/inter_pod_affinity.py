"""Preferred affinity between pods, declared by the pod or by those that run already.

Every term that matches votes, with its weight, for (or against) all nodes that share a topology label
with the node of the existing pod.  Votes are gathered by label and then read off node by node.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from model.api.objects import Node, Pod, PodAffinity, PodAffinityTerm
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.api.selectors import Selector, SelectorError, from_label_selector, has_affinity_constraints, term_namespaces
from model.attempt import Attempt
from model.fit import PriorityError
from model.node_info import NodeInfo
from model.quirks import quirk
from model.rules import clause, reached, rule

Votes = Mapping[str, Mapping[str, int]]
"""Topology key -> value -> sum of weights."""


@frozen
class Ballot:
    """A term ready to vote: pods in `namespaces` that `selector` matches move `weight` along `topology_key`."""

    namespaces: frozenset[str]
    selector: Selector
    topology_key: str
    weight: int

    def counts(self, candidate: Pod) -> bool:
        return candidate.namespace in self.namespaces and self.selector.matches(candidate.labels)


def inter_pod_affinity(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    """Raises PriorityError for a term that cannot be built, and Crash, which comes first.  [S-050..S-053]"""
    votes, broken = gathered_votes(attempt)
    counts = counters(attempt, votes, feasible)
    if broken:
        raise broken[0]
    return scaled(attempt, counts)


# --- gathering ------------------------------------------------------------------------------------


@rule(
    "S-051", "Own preferred terms vote by matching existing pods, and the terms of existing pods by matching this pod"
)
def gathered_votes(attempt: Attempt) -> tuple[Votes, list[PriorityError]]:
    """Required terms of existing pods vote with the hard affinity weight, unless it is 0; required anti-affinity never.

    A term that cannot be built is an error: what else its existing pod takes part in is left out, all other
    pods still vote, and then the attempt ends.
    """
    pod = attempt.pod
    votes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    broken: list[PriorityError] = []
    own = _own_ballots(pod)
    for existing, node in _visited(attempt):
        cast = [(ballot, existing) for ballot in own] + [(ballot, pod) for ballot in _ballots_of(existing, attempt)]
        for ballot, candidate in cast:
            if isinstance(ballot, PriorityError):
                broken.append(ballot)
                break
            if ballot.counts(candidate) and ballot.topology_key and ballot.topology_key in node.labels:
                votes[ballot.topology_key][node.labels[ballot.topology_key]] += ballot.weight
    return votes, broken


def _visited(attempt: Attempt) -> Iterator[tuple[Pod, Node]]:
    """Existing pods whose node is known; only those with affinity, unless this pod has some.  [S-051]"""
    everybody = has_affinity_constraints(attempt.pod)
    nodes = attempt.world.nodes
    for info in attempt.snapshot.values():
        for existing in info.pods if everybody else info.pods_with_affinity:
            if existing.spec.node_name in nodes:
                yield existing, nodes[existing.spec.node_name]


def _own_ballots(pod: Pod) -> list[Ballot | PriorityError]:
    affinity = pod.spec.affinity
    return (
        _preferring(affinity.pod_affinity, pod, 1) + _preferring(affinity.pod_anti_affinity, pod, -1)
        if affinity
        else []
    )


def _ballots_of(existing: Pod, attempt: Attempt) -> list[Ballot | PriorityError]:
    affinity = existing.spec.affinity
    if affinity is None:
        return []
    hard_weight = attempt.semantics.hard_pod_affinity_weight
    required = affinity.pod_affinity.required if affinity.pod_affinity and hard_weight > 0 else ()
    hard = [_ballot(term, existing, hard_weight) for term in required]
    return [
        *hard,
        *_preferring(affinity.pod_affinity, existing, 1),
        *_preferring(affinity.pod_anti_affinity, existing, -1),
    ]


def _preferring(affinity: PodAffinity | None, owner: Pod, sign: int) -> list[Ballot | PriorityError]:
    preferred = affinity.preferred if affinity else ()
    return [_ballot(term.pod_affinity_term, owner, sign * term.weight) for term in preferred]


def _ballot(term: PodAffinityTerm, owner: Pod, weight: int) -> Ballot | PriorityError:
    try:
        selector = from_label_selector(term.label_selector)
    except SelectorError as error:
        return PriorityError(str(error))
    return Ballot(term_namespaces(term, owner), selector, term.topology_key, weight)


# --- counting -------------------------------------------------------------------------------------

quirk("S-052", "Only some nodes have a counter; a vote for a node without one ends the scheduler", mended="1.15.5")


@clause("S-050", "Nodes with affinity pods have a counter; all nodes have one if this pod declares affinity")
@clause("S-052", "A vote that reaches a feasible node without counter ends the scheduler")
def counters(attempt: Attempt, votes: Votes, feasible: Sequence[NodeInfo]) -> list[int | None]:
    """The sum of the votes for each node, None for a node without counter.  Raises Crash."""
    reached("S-050")
    everywhere = has_affinity_constraints(attempt.pod) or not attempt.semantics.has("S-052")
    counts: list[int | None] = []
    for info in feasible:
        received = _received(votes, info.labels)
        if info.node and (everywhere or info.pods_with_affinity):
            counts.append(sum(received))
        elif received:
            reached("S-052")
            raise Crash(NIL_DEREFERENCE)
        else:
            counts.append(None)
    return counts


def _received(votes: Votes, labels: Mapping[str, str]) -> list[int]:
    return [by_value[labels[key]] for key, by_value in votes.items() if labels.get(key) in by_value]


# --- scoring --------------------------------------------------------------------------------------

quirk("S-053", "Zero takes part in the range, so that a uniform count is not neutral: positive 10, negative 0")


@rule(
    "S-053", "A count's place between the least and the most, 0 among them, in tenths; 0 without a counter or a range"
)
def scaled(attempt: Attempt, counts: Iterable[int | None]) -> list[int]:
    counts = list(counts)
    given = [count for count in counts if count is not None]
    if attempt.semantics.has("S-053"):
        given.append(0)
    most, least = max(given, default=0), min(given, default=0)
    if most == least:
        return [0] * len(counts)
    return [
        0 if count is None else int(float(attempt.semantics.max_score) * (float(count - least) / float(most - least)))
        for count in counts
    ]
