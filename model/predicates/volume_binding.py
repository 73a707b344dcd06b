"""CheckVolumeBinding: the pod's claims are bound to volumes the node reaches, or can be."""

from model.attempt import Attempt
from model.fit import FITS, Fit, PredicateError
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.absent_node import node_of
from model.rules import clause, declare, reached, rule
from model.volumes.find import VolumeFit, find_pod_volumes

declare(
    "P-040", "A predicate changes nothing; what volume binding decided is found again from the same values", __name__
)


@clause("P-079", "A pod without claims fits; else its bound and its unbound claims must fit")
def check_volume_binding(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError."""
    if not any(volume.persistent_volume_claim for volume in attempt.pod.spec.volumes):
        return FITS
    reached("P-079")
    found = find_pod_volumes(attempt.pod, node_of(info), attempt.world, attempt.semantics.quirks)
    if found.error is not None:
        raise PredicateError(found.error)
    return _verdict(found)


@rule("V-028", "Bound volumes that do not reach the node are told first, then claims that find none")
def _verdict(found: VolumeFit) -> Fit:
    return (
        *(() if found.bound_ok else (reasons.VOLUME_NODE_CONFLICT,)),
        *(() if found.unbound_ok else (reasons.VOLUME_BIND_CONFLICT,)),
    )
