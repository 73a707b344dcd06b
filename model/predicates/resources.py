"""PodFitsResources: the node has room for what the pod asks for."""

from model.api.integers import int64
from model.api.resources import Resources, is_extended
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo
from model.predicates.absent_node import node_of
from model.predicates.metadata import Metadata, facts
from model.predicates.reasons import insufficient
from model.quirks import quirk
from model.rules import clause, declare, reached

quirk("P-048", "A pod that asks for anything at all is held against resources it asks nothing of")
declare("P-049", "Pods on the node count without their init containers, the incoming pod with them", __name__)


def pod_fits_resources(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError without a node object.  [P-045..P-049]"""
    node_of(info)
    known = facts(attempt)
    if not asks_for_something(known.request):
        return no_slot(info)
    return no_slot(info) + _shortages(attempt, known, info)


@clause("P-045", "The node must have a free pod slot")
def no_slot(info: NodeInfo) -> Fit:
    used, capacity = len(info.pods), info.allocatable.allowed_pods
    if used + 1 <= capacity:
        return FITS
    reached("P-045")
    return (insufficient("pods", 1, used, capacity),)


@clause("P-046", "A pod that asks for nothing needs no more than the slot; a scalar of amount 0 is something")
def asks_for_something(request: Resources) -> bool:
    if request.milli_cpu or request.memory or request.ephemeral_storage or request.scalars:
        return True
    reached("P-046")
    return False


@clause("P-047", "Allocatable covers request plus use: cpu, memory, ephemeral storage, then the scalars by name")
def _shortages(attempt: Attempt, known: Metadata, info: NodeInfo) -> Fit:
    request, used, capacity = known.request, info.requested, info.allocatable
    short = (
        _shortage("cpu", request.milli_cpu, used.milli_cpu, capacity.milli_cpu)
        + _shortage("memory", request.memory, used.memory, capacity.memory)
        + _shortage("ephemeral-storage", request.ephemeral_storage, used.ephemeral_storage, capacity.ephemeral_storage)
    )
    if short:
        short = _that_count(attempt, short)
    for name, asked in sorted(request.scalars.items()):
        if name not in known.ignored_resources or not is_extended(name):
            short += _shortage(name, asked, used.scalars.get(name, 0), capacity.scalars.get(name, 0))
    return short


@clause("P-048", "The three base resources are compared even where the pod asks for none of them")
def _that_count(attempt: Attempt, short: Fit) -> Fit:
    asked_for = tuple(reason for reason in short if reason.requested)
    if asked_for != short:
        reached("P-048")
    return short if attempt.semantics.has("P-048") else asked_for


def _shortage(name: str, asked: int, used: int, capacity: int) -> Fit:
    if capacity >= int64(asked + used):
        return FITS
    reached("P-047")
    return (insufficient(name, asked, used, capacity),)
