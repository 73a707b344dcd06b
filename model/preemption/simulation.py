"""A node as it would be without some of its pods.  [E-020]"""

from attrs import evolve, frozen

from model.api.objects import Pod
from model.attempt import Attempt
from model.fit import PredicateError
from model.fits import pod_fits
from model.node_info import NodeInfo, NodeInfoError, add_pod, remove_pod
from model.predicates import metadata
from model.rules import rule


@frozen
class Simulation:
    """Node aggregate and metadata change together."""

    attempt: Attempt
    info: NodeInfo


@rule("E-020", "A simulated node is judged as in scheduling: by all predicates, with and without nominated pods")
def fits(simulation: Simulation) -> bool:
    """Stops at the first failing predicate whatever the configuration says; an error is a refusal."""
    try:
        return not pod_fits(simulation.attempt, simulation.info, False)
    except PredicateError:
        return False


def without(simulation: Simulation, pod: Pod) -> Simulation:
    """A pod without UID stays on the node, though the metadata forgets it."""
    attempt = simulation.attempt
    try:
        info = remove_pod(simulation.info, pod, attempt.semantics.quirks)
    except NodeInfoError:
        info = simulation.info
    return Simulation(evolve(attempt, metadata=metadata.without_pod(attempt, pod)), info)


def having(simulation: Simulation, pod: Pod) -> Simulation:
    attempt = simulation.attempt
    info = add_pod(simulation.info, pod, attempt.semantics.quirks)
    return Simulation(evolve(attempt, metadata=metadata.with_pod(attempt, pod, info)), info)
