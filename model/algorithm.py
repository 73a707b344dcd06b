"""Schedule: one attempt to find a host for one pod.  [A-001..A-005, A-040, A-041, L-060..L-062, L-070]

The basic checks, then the search for feasible nodes, then scoring and the choice.  Errors are values;
only Crash is raised.  A generator, because extenders are asked on the way.
"""

from collections.abc import Generator, Mapping
from typing import Any

from attrs import Factory, evolve, frozen

from model.api.objects import Node, Pod
from model.api.protocol import Call
from model.attempt import Attempt, known
from model.cache.node_tree import NodeTree
from model.extenders import ExtenderError, filter_nodes
from model.feasibility import all_nodes, find_nodes_that_fit
from model.fit import Fit, PriorityError
from model.predicates import metadata
from model.rules import clause, declare, reached, rule
from model.scheduling_error import FitError, NoNodesAvailable, OtherError, SchedulingError, counted_errors
from model.scoring import total_scores
from model.semantics import Semantics
from model.volume_decisions import volume_decisions
from model.volumes.find import VolumeFit
from model.world import Snapshot, World

declare(
    "A-001", "Between attempts live the round-robin counter, the snapshot and the cursor of the node tree", __name__
)
declare("A-005", "Predicates and priorities see the snapshot; stores, nominations and the node tree are live", __name__)


declare("A-050", "Besides its result an attempt leaves the counter, the tree's cursor and volume decisions", __name__)


@frozen
class Attempted:
    """How an attempt ended and what it leaves behind: the tree, the counter, the volume decisions.  [A-050]

    `nodes` are the feasible ones as the snapshot, or the last extender, has them, and `feasible` their names; None
    until the search has ended without an error, extenders included.  `totals` are in their order, empty where
    nothing was scored.
    """

    tree: NodeTree
    last_node_index: int
    host: str | None = None
    error: SchedulingError | None = None
    nodes: tuple[Node, ...] | None = None
    failed: Mapping[str, Fit] = Factory(dict)
    totals: tuple[int, ...] = ()
    volume_fits: Mapping[str, VolumeFit] = Factory(dict)

    @property
    def feasible(self) -> tuple[str, ...] | None:
        return None if self.nodes is None else tuple(node.name for node in self.nodes)

    @property
    def evaluated(self) -> int | None:
        """Feasible and refused nodes together; the one dropped at the end of a sample is neither.  [A-040]"""
        return None if self.feasible is None else num_evaluated(self.feasible, self.failed)


@rule("A-040", "EvaluatedNodes is the number of feasible nodes plus that of the keys of the failed map")
def num_evaluated(feasible: tuple[str, ...], failed: Mapping[str, Fit]) -> int:
    return len(feasible) + len(failed)


@rule("A-002", "Checks, nodes, snapshot, filter, extenders, scores, host: the first error ends the attempt")
@rule("L-060", "Schedule gives a host, or the error that ended the attempt")
def schedule(
    pod: Pod, world: World, snapshot: Snapshot, tree: NodeTree, last_node_index: int, semantics: Semantics
) -> Generator[Call[Any], Any, Attempted]:
    """`snapshot` is current, unless `basic_checks` refuses the pod.  Raises Crash."""
    start = Attempted(tree, last_node_index)
    if refusal := basic_checks(pod, world):
        return evolve(start, error=refusal)
    attempt = with_metadata(Attempt(pod, snapshot, world, semantics))
    attempted = yield from filtered(attempt, start)
    if attempted.error:
        return attempted
    return (yield from chosen(attempt, attempted))


@rule("A-003", "Every claim of the pod must exist and not be going away, before anything else is looked at")
@clause("A-004", "A cluster without nodes is an error of its own, which never leads to preemption")
@rule("L-061", "The first claim that is missing or being deleted ends the attempt, then an empty list of nodes does")
def basic_checks(pod: Pod, world: World) -> SchedulingError | None:
    """The error of an attempt that ends before the snapshot is refreshed.  [L-062]"""
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim is None:
            continue
        name = volume.persistent_volume_claim.claim_name
        claim = world.claims.get(f"{pod.namespace}/{name}")
        if claim is None:
            return OtherError(f'persistentvolumeclaim "{name}" not found')
        if claim.metadata.deletion_timestamp is not None:
            return OtherError(f'persistentvolumeclaim "{name}" is being deleted')
    if not world.nodes:
        reached("A-004")
        return NoNodesAvailable()
    return None


@rule("L-062", "The snapshot is taken after the basic checks, and the metadata computed once from it")
def with_metadata(attempt: Attempt) -> Attempt:
    return evolve(attempt, metadata=metadata.compute(attempt))


def filtered(attempt: Attempt, start: Attempted) -> Generator[Call[Any], Any, Attempted]:
    """The attempt up to its feasible nodes, or to the error instead of them.  Raises Crash."""
    semantics = attempt.semantics
    search = find_nodes_that_fit(attempt, start.tree) if semantics.predicates else all_nodes(attempt, start.tree)
    evaluated = ((attempt, info) for info in known(attempt, search.evaluated))
    decisions = volume_decisions(attempt, evaluated, search.feasible, semantics.always_check_all_predicates)
    after = evolve(start, tree=search.tree, volume_fits=decisions)
    if search.errors:
        return evolve(after, error=OtherError(counted_errors(search.errors)))
    try:
        found = tuple(_node(attempt, name) for name in search.feasible)
        nodes, failed = yield from filter_nodes(
            semantics.extenders, attempt.pod, attempt.snapshot, found, search.failed, semantics.quirks
        )
    except ExtenderError as error:
        return evolve(after, error=OtherError(str(error)))
    return evolve(
        after,
        nodes=nodes,
        failed=failed,
        error=None if nodes else FitError(len(attempt.world.nodes), failed),
    )


def _node(attempt: Attempt, name: str) -> Node:
    """The snapshot's object; the informer's where nothing had to be in the snapshot.  [L-063, L-065]"""
    info = attempt.snapshot.get(name)
    return info.node if info and info.node else attempt.world.nodes[name]


@clause("A-041", "A single feasible node is the host without scoring, and the counter stays")
@rule("L-070", "One feasible node is taken as it is; several are scored, and the best in turn is taken")
def chosen(attempt: Attempt, found: Attempted) -> Generator[Call[Any], Any, Attempted]:
    """The attempt carried on from its feasible nodes to a host.  Raises Crash."""
    nodes = found.nodes or ()
    if len(nodes) == 1:
        reached("A-041")
        return evolve(found, host=nodes[0].name)
    try:
        totals = tuple((yield from total_scores(attempt, nodes)))
    except PriorityError as error:
        return evolve(found, nodes=None, error=OtherError(str(error)))
    host = attempt.semantics.select_host(found.feasible or (), totals, found.last_node_index)
    return evolve(found, host=host, totals=totals, last_node_index=(found.last_node_index + 1) % 2**64)
