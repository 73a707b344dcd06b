"""What kube-scheduler's sixteen workers might have decided instead.  [A-025, A-043]"""

from collections.abc import Sequence

from model.attempt import NOT_IN_SNAPSHOT, Attempt, known
from model.cache.node_tree import NodeTree, walk
from model.fit import PredicateError
from model.fits import pod_fits
from model.host_selection import best_nodes
from model.priorities.prioritize import prioritize
from model.sampling import num_feasible_nodes_to_find, within_reach


def permits_host(attempt: Attempt, tree: NodeTree, host: str) -> bool:
    """Whether some order of the workers, and some value of the counter, makes `host` the choice.  [nondet]

    `attempt` with its metadata, `tree` as before the attempt; no extenders.  Exact where the search is not
    stopped.  Of a stopped one the sample tried is that without the 15 nodes that would score best beside
    `host`; another could be kinder to it only if scores changed places with the sample.
    Raises PriorityError and Crash.
    """
    feasible = [name for name in walk(tree) if _fits(attempt, name)]
    wanted = num_feasible_nodes_to_find(tree.num_nodes, attempt.semantics.percentage_of_nodes_to_score)
    sample = feasible if len(feasible) <= wanted else kindest_sample(attempt, feasible, wanted, host)
    return host in sample and (len(sample) == 1 or host in best_nodes(sample, _totals(attempt, sample)))


def kindest_sample(attempt: Attempt, feasible: Sequence[str], wanted: int, host: str) -> Sequence[str]:
    """`wanted` of the nodes within reach, without the best other than `host`."""
    reachable = within_reach(feasible, wanted)
    totals = dict(zip(reachable, _totals(attempt, reachable), strict=True))
    rivals = sorted((name for name in reachable if name != host), key=lambda name: -totals[name])
    late = set(rivals[: len(reachable) - wanted])
    return [name for name in reachable if name not in late]


def _fits(attempt: Attempt, name: str) -> bool:
    try:
        info = attempt.snapshot.get(name, NOT_IN_SNAPSHOT)
        return not pod_fits(attempt, info, attempt.semantics.always_check_all_predicates)
    except PredicateError:
        return False


def _totals(attempt: Attempt, names: Sequence[str]) -> Sequence[int]:
    return prioritize(attempt, known(attempt, names))
