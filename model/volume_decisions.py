"""What CheckVolumeBinding leaves behind for the volume binder, node by node.  [V-027]"""

from collections.abc import Iterable, Mapping
from itertools import takewhile

from attrs import evolve

from model.attempt import Attempt
from model.fit import PredicateError
from model.fits import first_pass
from model.node_info import NodeInfo
from model.volumes.find import VolumeFit, find_pod_volumes

VOLUME_BINDING = "CheckVolumeBinding"


def volume_decisions(
    attempt: Attempt, evaluated: Iterable[tuple[Attempt, NodeInfo]], feasible: Iterable[str], check_all: bool
) -> Mapping[str, VolumeFit]:
    """By node name, what was found where the predicate was asked, fitting or not; it was on `feasible` nodes.

    Refused nodes matter as well: an extender may make one the host, and while its volumes are bound a pod that has no
    decision for any node counts as deleted.  [V-043]
    """
    if not checks_volumes(attempt):
        return {}
    asked = frozenset(feasible)
    return {
        info.node.name: find_pod_volumes(attempt.pod, info.node, attempt.world, attempt.semantics.quirks)
        for seen, info in evaluated
        if info.node and (info.node.name in asked or is_asked(seen, info, check_all))
    }


def checks_volumes(attempt: Attempt) -> bool:
    configured = any(predicate.name == VOLUME_BINDING for predicate in attempt.semantics.predicates)
    return configured and any(volume.persistent_volume_claim for volume in attempt.pod.spec.volumes)


def is_asked(attempt: Attempt, info: NodeInfo, check_all: bool) -> bool:
    """Whether evaluating the node came as far as CheckVolumeBinding."""
    before = tuple(takewhile(lambda predicate: predicate.name != VOLUME_BINDING, attempt.semantics.predicates))
    try:
        refused = first_pass(evolve(attempt, semantics=evolve(attempt.semantics, predicates=before)), info, check_all)
    except PredicateError:
        return False
    return check_all or not refused
