"""PodFitsResources: the node has room for what the pod asks for."""

from collections.abc import Iterator

from model.api.integers import int64
from model.api.resources import Resources, is_extended
from model.attempt import Attempt
from model.fit import FITS, Fit, Reason
from model.node_info import NodeInfo
from model.predicates.absent_node import node_of
from model.predicates.metadata import facts
from model.predicates.reasons import insufficient
from model.quirks import quirk
from model.rules import clause, declare, reached

quirk("P-048", "A pod that asks for anything at all is held against resources it asks nothing of")
declare("P-049", "Pods on the node count without their init containers, the incoming pod with them", __name__)


def pod_fits_resources(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError without a node object.  [P-045..P-049]"""
    node_of(info)
    request = facts(attempt).request
    if not asks_for_something(request):
        return no_slot(info)
    return (*no_slot(info), *_shortages(attempt, request, info))


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
@clause("P-048", "The three base resources are compared even where the pod asks for none of them")
def _shortages(attempt: Attempt, request: Resources, info: NodeInfo) -> Iterator[Reason]:
    used, capacity = info.requested, info.allocatable
    for name, asked, taken, available in (
        ("cpu", request.milli_cpu, used.milli_cpu, capacity.milli_cpu),
        ("memory", request.memory, used.memory, capacity.memory),
        ("ephemeral-storage", request.ephemeral_storage, used.ephemeral_storage, capacity.ephemeral_storage),
    ):
        if available >= int64(asked + taken):
            continue
        if not asked:
            if not attempt.semantics.has("P-048"):
                continue
            reached("P-048")
        reached("P-047")
        yield insufficient(name, asked, taken, available)
    for name, asked in sorted(request.scalars.items()):
        if name in attempt.semantics.ignored_extended_resources and is_extended(name):
            continue
        taken, available = used.scalars.get(name, 0), capacity.scalars.get(name, 0)
        if available < int64(asked + taken):
            reached("P-047")
            yield insufficient(name, asked, taken, available)
