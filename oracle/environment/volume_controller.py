"""The PV controller: completes bindings of claims and volumes, and provisions.  [V-050]"""

from collections.abc import Iterator
from typing import Any

from model.api.decode import merge_patch
from model.api.objects import PersistentVolume, PersistentVolumeClaim, StorageClass
from model.api.quantity import Quantity, parse_quantity
from oracle.environment.server import Server

BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
CLASS = "volume.beta.kubernetes.io/storage-class"
NO_PROVISIONER = "kubernetes.io/no-provisioner"


def bind_claims(server: Server) -> None:
    """Every claim that is not bound yet gets its volume, if there is one or one can be made."""
    for claim in server.store.all("PersistentVolumeClaim"):
        assert isinstance(claim, PersistentVolumeClaim)
        if BIND_COMPLETED in claim.annotations or claim.metadata.deletion_timestamp is not None:
            continue
        volume = _volume_for(server, claim)
        if volume is not None:
            _complete(server, claim, volume)


def _volume_for(server: Server, claim: PersistentVolumeClaim) -> dict[str, Any] | None:
    """The document of the volume, existing or to be created."""
    storage_class = server.store.get("StorageClass", _class_of(claim))
    if (reserved := next(_reserved(server, claim), None)) is not None:
        return dict(reserved.document)
    waits = isinstance(storage_class, StorageClass) and storage_class.volume_binding_mode == "WaitForFirstConsumer"
    if not waits and not claim.spec.volume_name:
        matches = sorted(_matching(server, claim), key=lambda volume: (_capacity(volume).number, volume.name))
        if matches:
            return dict(matches[0].document)
    if not isinstance(storage_class, StorageClass) or storage_class.provisioner in ("", NO_PROVISIONER):
        return None
    return _provisioned(claim) if not waits or SELECTED_NODE in claim.annotations else None


def _volumes(server: Server) -> Iterator[PersistentVolume]:
    return (volume for volume in server.store.all("PersistentVolume") if isinstance(volume, PersistentVolume))


def _reserved(server: Server, claim: PersistentVolumeClaim) -> Iterator[PersistentVolume]:
    for volume in _volumes(server):
        ref = volume.spec.claim_ref
        if ref and (ref.namespace, ref.name) == (claim.namespace, claim.name) and ref.uid in ("", claim.uid):
            yield volume


def _matching(server: Server, claim: PersistentVolumeClaim) -> Iterator[PersistentVolume]:
    for volume in _volumes(server):
        free = volume.spec.claim_ref is None
        if free and _class_of(volume) == _class_of(claim) and _capacity(volume).number >= _request(claim).number:
            yield volume


def _class_of(thing: PersistentVolume | PersistentVolumeClaim) -> str:
    return thing.annotations.get(CLASS) or thing.spec.storage_class_name or ""


def _capacity(volume: PersistentVolume) -> Quantity:
    return volume.spec.capacity.get("storage", parse_quantity("0"))


def _request(claim: PersistentVolumeClaim) -> Quantity:
    return claim.spec.resources.requests.get("storage", parse_quantity("0"))


def _provisioned(claim: PersistentVolumeClaim) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": f"pvc-{claim.uid}", "uid": f"uid-pvc-{claim.uid}"},
        "spec": {
            "capacity": {"storage": _request(claim).text},
            "accessModes": list(claim.spec.access_modes),
            "storageClassName": _class_of(claim),
        },
    }


def _complete(server: Server, claim: PersistentVolumeClaim, volume: dict[str, Any]) -> None:
    reference = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "namespace": claim.namespace,
        "name": claim.name,
        "uid": claim.uid,
    }
    bound = {"status": {"phase": "Bound"}}
    server.store.write("PersistentVolume", merge_patch(volume, {"spec": {"claimRef": reference}, **bound}))
    completed = {
        "metadata": {"annotations": {BIND_COMPLETED: "yes"}},
        "spec": {"volumeName": volume["metadata"]["name"]},
        **bound,
    }
    server.store.write("PersistentVolumeClaim", merge_patch(claim.document, completed))
