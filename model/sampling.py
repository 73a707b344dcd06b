"""How many nodes an attempt looks at, and which outcomes parallel search may have.  [A-022, A-025, L-064, L-066]"""

from collections import Counter
from collections.abc import Sequence, Set

from attrs import frozen

from model.api.integers import int32, quotient
from model.rules import rule

ALWAYS_SEARCHED = 100
"""Clusters smaller than this are searched whole, and no sample is smaller."""

LEAST_ADAPTIVE_PERCENTAGE = 5

WORKERS = 16
"""Nodes evaluated at the same time by kube-scheduler."""


@rule("A-022", "How many feasible nodes are enough: all below 100 nodes, else a share that shrinks with the cluster")
@rule("L-064", "The number of feasible nodes to look for follows from the number of nodes and the percentage to score")
def num_feasible_nodes_to_find(num_all_nodes: int, percentage: int) -> int:
    """`percentage`: percentageOfNodesToScore; 0 or less = adaptive."""
    if num_all_nodes < ALWAYS_SEARCHED or percentage >= 100:
        return num_all_nodes
    if percentage <= 0:
        percentage = max(LEAST_ADAPTIVE_PERCENTAGE, 50 - quotient(num_all_nodes, 125))
    return max(ALWAYS_SEARCHED, quotient(int32(num_all_nodes * percentage), 100))


@frozen
class Sample:
    """What a search shows: `accepted` nodes in any order, `failed` ones, and how far the node tree advanced."""

    accepted: Sequence[str]
    failed: Set[str]
    advanced: int


@rule("A-025", "Sixteen workers may find feasible nodes in any order, and a stopped search may skip up to 15 of them")
@rule("L-066", "Any order of a whole search is allowed; a stopped one has evaluated a bounded prefix of the sequence")
def permits_sample(sequence: Sequence[tuple[str, bool]], wanted: int, sample: Sample) -> bool:
    """Whether parallel workers can have found `sample`.  [nondet]

    `sequence`: the names the node tree gives from here, one per node, each with whether the pod fits it.
    """
    feasible_at = [at for at, (_, fits) in enumerate(sequence) if fits]
    stopped = len(feasible_at) > wanted
    if stopped:
        least = feasible_at[wanted] + 1
        most = feasible_at[wanted + WORKERS] if len(feasible_at) > wanted + WORKERS else len(sequence)
    else:
        least = most = len(sequence)
    evaluated = sequence[: sample.advanced]
    reachable = within_reach([name for name, fits in evaluated if fits], wanted)
    return (
        least <= sample.advanced <= most
        and len(sample.accepted) == min(wanted, len(feasible_at))
        and not _surplus(sample.accepted, reachable)
        and sample.failed == {name for name, fits in evaluated if not fits}
    )


def within_reach(feasible: Sequence[str], wanted: int) -> Sequence[str]:
    """The feasible nodes, in the order of the tree, that a sample of `wanted` may contain.

    When the last node of a sample was accepted, at most the 15 other workers held earlier feasible nodes.
    """
    return feasible[: wanted + WORKERS - 1]


def _surplus(names: Sequence[str], available: Sequence[str]) -> bool:
    """Whether `names` takes some name more often than it is available."""
    return bool(Counter(names) - Counter(available))
