"""Which volumes the pod's claims would use on a node: FindPodVolumes."""

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.selectors import topology_matches
from model.fit import PredicateError
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule
from model.volumes.classes import class_of_claim, waits_for_consumer
from model.volumes.matching import match_claims, reaches
from model.world import World

declare("O-111", "Annotations tell a completed binding, the selected node, and binding by a controller", __name__)
BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
NO_PROVISIONER = "kubernetes.io/no-provisioner"


@frozen
class VolumeFit:
    """Whether the claims fit, and what the binder is to remember for this node, even of a failure.  [V-027]

    `bindings`: pairs of volume and claim; `provisionings`: claims a volume is to be made for.  `error` is
    the text of an error that ends the attempt; the verdicts then mean nothing.
    """

    unbound_ok: bool = True
    bound_ok: bool = True
    bindings: tuple[tuple[PersistentVolume, PersistentVolumeClaim], ...] = ()
    provisionings: tuple[PersistentVolumeClaim, ...] = ()
    error: str | None = None


@frozen
class Claims:
    """A pod's claims by how far they are bound; a claim mounted twice is there twice."""

    bound: tuple[PersistentVolumeClaim, ...]
    waiting: tuple[PersistentVolumeClaim, ...]
    immediate: tuple[PersistentVolumeClaim, ...]


@rule("V-020", "No claim may be unbound that should be bound by now; bound ones must fit, then those that wait")
def find_pod_volumes(pod: Pod, node: Node, world: World, quirks: Quirks = EVERY) -> VolumeFit:
    """Looks at the volume binder's view of claims and volumes."""
    try:
        claims = pod_claims(pod, world, quirks)
        if claims.immediate:
            return VolumeFit(error="pod has unbound immediate PersistentVolumeClaims")
        bound_ok = bound_claims_fit(claims.bound, node, world)
    except PredicateError as error:
        return VolumeFit(error=str(error))
    return evolve(_find_for_waiting(claims.waiting, node, world, quirks), bound_ok=bound_ok)


@rule("V-015", "A claim is bound when it names a volume and carries the mark of completion, whatever its phase")
def is_fully_bound(claim: PersistentVolumeClaim) -> bool:
    return bool(claim.spec.volume_name) and BIND_COMPLETED in claim.annotations


quirk("V-017", "A claim that a pod mounts twice asks for two volumes")


@rule("V-017", "Each mounted claim is bound, waiting for its pod, or immediate: not bound though it should be")
def pod_claims(pod: Pod, world: World, quirks: Quirks = EVERY) -> Claims:
    """Raises PredicateError for a claim that is missing, or whose class has no binding mode."""
    bound, waiting, immediate = [], [], []
    names = [v.persistent_volume_claim.claim_name for v in pod.spec.volumes if v.persistent_volume_claim]
    for name in names if "V-017" in quirks else dict.fromkeys(names):
        key = f"{pod.namespace}/{name}"
        claim = world.binder_claims.get(key)
        if claim is None:
            raise PredicateError(f'error getting PVC "{key}": could not find v1.PersistentVolumeClaim "{key}"')
        if is_fully_bound(claim):
            bound.append(claim)
        elif waits_for_consumer(claim, world) and not claim.spec.volume_name:
            waiting.append(claim)
        else:
            immediate.append(claim)
    return Claims(tuple(bound), tuple(waiting), tuple(immediate))


@rule("V-021", "The volumes of bound claims must reach the node; the first that does not ends the check")
def bound_claims_fit(claims: Iterable[PersistentVolumeClaim], node: Node, world: World) -> bool:
    """Raises PredicateError for a volume that is not known."""
    for claim in claims:
        volume = world.binder_volumes.get(claim.spec.volume_name)
        if volume is None:
            raise PredicateError(f'could not find v1.PersistentVolume "{claim.spec.volume_name}"')
        if not reaches(volume, node):
            return False
    return True


@clause("V-027", "What was found is remembered for the node on every way out, even of a part of the claims")
def _find_for_waiting(claims: Sequence[PersistentVolumeClaim], node: Node, world: World, quirks: Quirks) -> VolumeFit:
    reached("V-027")
    if any(claim.annotations.get(SELECTED_NODE, node.name) != node.name for claim in claims):
        return VolumeFit(unbound_ok=False)
    selected = [claim for claim in claims if SELECTED_NODE in claim.annotations]
    try:
        bindings, unmatched = match_claims(
            [claim for claim in claims if SELECTED_NODE not in claim.annotations], node, world, quirks
        )
    except PredicateError as error:
        return VolumeFit(error=str(error))
    to_provision = (*selected, *unmatched)
    try:
        provisioned = can_provision(to_provision, node, world)
    except PredicateError as error:
        return VolumeFit(bindings=bindings, error=str(error))
    return VolumeFit(provisioned, bindings=bindings, provisionings=to_provision if provisioned else ())


@rule("V-026", "A volume can be made for every claim: its class has a provisioner and allows the node's topology")
def can_provision(claims: Iterable[PersistentVolumeClaim], node: Node, world: World) -> bool:
    """Raises PredicateError for a claim without class, or of a class that is not known."""
    for claim in claims:
        name = class_of_claim(claim)
        if not name:
            raise PredicateError(f'no class for claim "{claim.key}"')
        if name not in world.classes:
            raise PredicateError(f'failed to find storage class "{name}"')
        storage_class = world.classes[name]
        if storage_class.provisioner in ("", NO_PROVISIONER):
            return False
        if not topology_matches(storage_class.allowed_topologies, node.labels):
            return False
    return True
