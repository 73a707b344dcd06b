"""Whether a pod fits a node: the configured predicates in order, nominated pods considered."""

from attrs import evolve

from model.api.objects import Pod
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo, add_pod
from model.predicates import metadata
from model.rules import declare, reached, rule

declare("P-025", "The second pass matters only where an added pod can make a predicate pass", __name__)


@rule("L-067", "A node is evaluated with its nominated pods of no lower priority, then again without them")
@rule("P-020", "A pod fits with the nominated pods there and, if any were to be considered, without them as well")
def pod_fits(attempt: Attempt, info: NodeInfo, check_all: bool) -> Fit:
    """Stops at the first predicate that fails, unless `check_all`.  Raises PredicateError.

    A failing predicate always has a reason here, so kube-scheduler's failure without one cannot occur.
    """
    found = first_pass(attempt, info, check_all)
    if not found and attempt.world.nominated.get(info.name):
        found = _one_pass(attempt, info, check_all)
    return _told(found)


def first_pass(attempt: Attempt, info: NodeInfo, check_all: bool) -> Fit:
    """With the nominated pods, if there are any.  Raises PredicateError.  [P-020.1]"""
    if nominated := attempt.world.nominated.get(info.name):
        attempt, info = _joined_by(nominated, attempt, info)
    return _one_pass(attempt, info, check_all)


def _one_pass(attempt: Attempt, info: NodeInfo, check_all: bool) -> Fit:
    found = FITS
    for predicate in attempt.semantics.predicates:
        found += predicate.evaluate(attempt, info)
        if found and not check_all:
            break
    return found


@rule("P-021", "Nominated pods of no lower priority are taken as if they were on their node already")
def _joined_by(nominated: tuple[Pod, ...], attempt: Attempt, info: NodeInfo) -> tuple[Attempt, NodeInfo]:
    for pod in nominated:
        if pod.priority >= attempt.pod.priority and pod.uid != attempt.pod.uid:
            reached("nominated pod taken into account")
            info = add_pod(info, pod, attempt.semantics.quirks)
            attempt = evolve(attempt, metadata=metadata.with_pod(attempt, pod, info))
    return attempt, info


def _told(fit: Fit) -> Fit:
    for reason in fit:
        reached(f"reason: {reason.text}")
    return fit
