"""Claims, classes and volumes: what fits what.  [V-015..V-026, V-034, O-110]"""

from collections.abc import Iterable, Mapping

from impl.assume_cache import VolumeError
from model.api.decode import decode
from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim, StorageClass
from model.api.quantity import Quantity, parse_quantity
from model.api.selectors import (
    Selector,
    SelectorError,
    any_node_term_matches,
    from_label_selector,
    topology_matches,
)

BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
NO_PROVISIONER = "kubernetes.io/no-provisioner"
_NOTHING = parse_quantity("0")


def claim_class(claim: PersistentVolumeClaim) -> str:
    """[O-110]"""
    return claim.annotations.get(CLASS_ANNOTATION, claim.spec.storage_class_name or "")


def volume_class(volume: PersistentVolume) -> str:
    """[O-110]"""
    return volume.annotations.get(CLASS_ANNOTATION, volume.spec.storage_class_name)


def is_fully_bound(claim: PersistentVolumeClaim) -> bool:
    """[V-015]"""
    return bool(claim.spec.volume_name) and BIND_COMPLETED in claim.annotations


def waits_for_consumer(claim: PersistentVolumeClaim, classes: Mapping[str, StorageClass]) -> bool:
    """Raises VolumeError for a class without binding mode.  [V-016]"""
    name = claim_class(claim)
    found = classes.get(name) if name else None
    if found is None:
        return False
    if found.volume_binding_mode is None:
        raise VolumeError(f'VolumeBindingMode not set for StorageClass "{name}"')
    return found.volume_binding_mode == "WaitForFirstConsumer"


def requested_storage(claim: PersistentVolumeClaim) -> Quantity:
    """[V-022]"""
    return claim.spec.resources.requests.get("storage", _NOTHING)


def reaches(volume: PersistentVolume, node: Node) -> bool:
    """The volume's node affinity allows the node.  [V-025]"""
    affinity = volume.spec.node_affinity
    if affinity is None or affinity.required is None:
        return True
    return any_node_term_matches(affinity.required.node_selector_terms, node.labels, {})


def is_bound_to(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """[V-024]"""
    bound = volume.spec.claim_ref
    return (
        bound is not None
        and (bound.name, bound.namespace) == (claim.name, claim.namespace)
        and bound.uid in ("", claim.uid)
    )


def choose_volume(
    claim: PersistentVolumeClaim, candidates: Iterable[PersistentVolume], node: Node, chosen: set[str]
) -> PersistentVolume | None:
    """The smallest volume that will do, or the one bound to the claim beforehand.  [V-023]

    Raises VolumeError for a selector that cannot be built.
    """
    wanted = requested_storage(claim).number
    selector = _selector(claim)
    best: PersistentVolume | None = None
    for volume in candidates:
        if (
            volume.name in chosen
            or (volume.spec.volume_mode or "Filesystem") != (claim.spec.volume_mode or "Filesystem")
            or volume.metadata.deletion_timestamp is not None
        ):
            continue
        big_enough = _capacity(volume).number >= wanted
        if is_bound_to(volume, claim):
            if big_enough:
                return volume if reaches(volume, node) else None
        elif (
            big_enough
            and volume.status.phase == "Available"
            and volume.spec.claim_ref is None
            and (selector is None or selector.matches(volume.labels))
            and volume_class(volume) == claim_class(claim)
            and set(claim.spec.access_modes) <= set(volume.spec.access_modes)
            and (best is None or _capacity(volume).number < _capacity(best).number)
            and reaches(volume, node)
        ):
            best = volume
    return best


def _selector(claim: PersistentVolumeClaim) -> Selector | None:
    if claim.spec.selector is None:
        return None
    try:
        return from_label_selector(claim.spec.selector)
    except SelectorError as error:
        raise VolumeError(f"error creating internal label selector for claim: {claim_key(claim)}: {error}") from None


def _capacity(volume: PersistentVolume) -> Quantity:
    return volume.spec.capacity.get("storage", _NOTHING)


def can_be_provisioned(claim: PersistentVolumeClaim, classes: Mapping[str, StorageClass], node: Node) -> bool:
    """[V-026]"""
    name = claim_class(claim)
    if not name:
        raise VolumeError(f'no class for claim "{claim_key(claim)}"')
    if name not in classes:
        raise VolumeError(f'failed to find storage class "{name}"')
    found = classes[name]
    return found.provisioner not in ("", NO_PROVISIONER) and topology_matches(found.allowed_topologies, node.labels)


def bound(volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolume:
    """The volume with the claim written into it; the same object where nothing is to be written.  [V-034]"""
    reference = volume.spec.claim_ref
    document = dict(volume.document)
    if reference is None or (reference.name, reference.namespace, reference.uid) != (
        claim.name,
        claim.namespace,
        claim.uid,
    ):
        document["spec"] = {
            **(document.get("spec") or {}),
            "claimRef": {
                "kind": "PersistentVolumeClaim",
                "apiVersion": "v1",
                "namespace": claim.namespace,
                "name": claim.name,
                "uid": claim.uid,
                "resourceVersion": claim.metadata.resource_version,
            },
        }
    if not is_bound_to(volume, claim) and BOUND_BY_CONTROLLER not in volume.annotations:
        _annotate(document, BOUND_BY_CONTROLLER, "yes")
    return volume if document == volume.document else decode(document, PersistentVolume)


def provisioned_on(claim: PersistentVolumeClaim, node: str) -> PersistentVolumeClaim:
    """The claim with the node written into it.  [V-032]"""
    document = dict(claim.document)
    _annotate(document, SELECTED_NODE, node)
    return decode(document, PersistentVolumeClaim)


def claim_key(claim: PersistentVolumeClaim) -> str:
    """[O-015]"""
    return f"{claim.namespace}/{claim.name}"


def _annotate(document: dict[str, object], name: str, text: str) -> None:
    metadata = document.get("metadata")
    assert isinstance(metadata, dict)
    document["metadata"] = {**metadata, "annotations": {**(metadata.get("annotations") or {}), name: text}}
