"""Searching the nodes for feasible ones.  [A-020..A-024, L-063, L-065]"""

from collections.abc import Mapping

from attrs import frozen

from model.attempt import NOT_IN_SNAPSHOT, Attempt
from model.cache.node_tree import NodeTree, take, walk
from model.fit import Fit, PredicateError
from model.fits import pod_fits
from model.quirks import quirk
from model.rules import clause, reached, rule
from model.sampling import num_feasible_nodes_to_find


@frozen
class Search:
    """`feasible` in the order found; `failed`: refused nodes; `errors`: texts in the order met; `tree` afterwards.

    `evaluated`: all nodes that were looked at, a surplus feasible one included.
    """

    feasible: tuple[str, ...]
    failed: Mapping[str, Fit]
    errors: tuple[str, ...]
    tree: NodeTree
    evaluated: tuple[str, ...] = ()


@clause("A-012", "Every node looked at is one call of the node tree's Next")
@rule("A-021", "Every piece of the search takes the next node of the tree and asks whether the pod fits it")
@clause("A-023", "The feasible node after the wanted number stops the search and is itself dropped")
@rule("A-024", "One node after the other, up to and including the first surplus feasible one")
@rule("L-065", "Nodes are evaluated in the order of the tree until one feasible node too many is found")
def find_nodes_that_fit(attempt: Attempt, tree: NodeTree) -> Search:
    """The sequential order, which is always among the allowed ones (`model.sampling`)."""
    semantics = attempt.semantics
    wanted = num_feasible_nodes_to_find(tree.num_nodes, semantics.percentage_of_nodes_to_score)
    feasible: list[str] = []
    failed: dict[str, Fit] = {}
    errors: list[str] = []
    looked_at = names = names_to_try(attempt, tree)
    for at, name in enumerate(names):
        try:
            fit = pod_fits(attempt, attempt.snapshot.get(name, NOT_IN_SNAPSHOT), semantics.always_check_all_predicates)
        except PredicateError as error:
            errors.append(str(error))
            continue
        if fit:
            failed[name] = fit
        elif len(feasible) == wanted:
            reached("A-023")
            looked_at = names[: at + 1]
            break
        else:
            feasible.append(name)
    reached("A-012")
    moved_on, _ = take(tree, len(looked_at))
    return Search(tuple(feasible), failed, tuple(errors), moved_on, looked_at)


quirk("A-014", "After a change of the tree a search may try a node twice and leave out another")


@clause("A-014", "A search asks for as many names as there are nodes, which need not all be different")
def names_to_try(attempt: Attempt, tree: NodeTree) -> tuple[str, ...]:
    """In this order, unless enough feasible nodes are found before."""
    names = walk(tree)
    if len(set(names)) == len(names):
        return names
    reached("A-014")
    return names if attempt.semantics.has("A-014") else tuple(dict.fromkeys((*names, *attempt.world.nodes)))


@rule("A-020", "Without any predicate every listed node is feasible")
@rule("L-063", "Without any predicate the feasible nodes are the informer's list")
def all_nodes(attempt: Attempt, tree: NodeTree) -> Search:
    """In the order of arrival, where kube-scheduler's own order is arbitrary; the tree stays where it is.  [nondet]"""
    return Search(tuple(attempt.world.nodes), {}, (), tree)
