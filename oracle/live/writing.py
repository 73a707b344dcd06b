"""POST, PUT and PATCH of objects and of their status; what a scheduler writes of pods and volumes goes on record.

All answers raise Refused and ManifestError.
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from model.api.decode import ManifestError, decode
from model.api.defaults import defaulted
from model.api.objects import KINDS, Document, KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.protocol import ApiError
from oracle.environment.store import key_of
from oracle.environment.wire import canonical
from oracle.live.addresses import Address
from oracle.live.deeds import StatusSet, VolumeWritten
from oracle.live.patches import patched
from oracle.live.placing import bound
from oracle.live.reading import modelled, not_found, shown, stored_document, stored_object
from oracle.live.refusals import Refused, bad_request, refused
from oracle.live.requests import Answer, Request, sent
from oracle.live.world import World


def created(world: World, request: Request) -> Answer:
    """POST to a collection; a new object, or a Binding."""
    if request.address.plural == "bindings":
        return bound(world, request)
    address, document = _named(request)
    kind = modelled(address)
    if kind is None:
        if world.documents.get(address.plural, address.key) is not None:
            raise Refused(409, "AlreadyExists", f'{address.plural} "{address.name}" already exists')
        return Answer(201, world.documents.put(address.plural, address.key, document))
    with world.writing() as server:
        outcome = server.create(decode(defaulted(document, KINDS[kind]), KINDS[kind]))
    if isinstance(outcome, ApiError):
        raise refused(outcome)
    return Answer(201, shown(outcome, address))


def _named(request: Request) -> tuple[Address, dict[str, Any]]:
    """The object sent, with the identity that the server gives it."""
    document, address = sent(request), request.address
    metadata = dict(document["metadata"])
    name = metadata.get("name") or f"{metadata.get('generateName') or ''}{uuid4().hex[:8]}"
    if not isinstance(name, str) or "/" in name:
        raise Refused(422, "Invalid", f"metadata.name: Invalid value: {name!r}")
    metadata |= {"name": name, "uid": metadata.get("uid") or str(uuid4())}
    if address.namespace:
        metadata["namespace"] = address.namespace
    named = Address(address.group_version, address.plural, address.namespace, name)
    return named, {**document, "metadata": metadata}


def replaced(world: World, request: Request) -> Answer:
    """PUT of the whole object; of volumes and claims the status stays."""
    address, document = request.address, sent(request)
    if document["metadata"].get("name", address.name) != address.name:
        raise bad_request(f"metadata.name: the body names another object than the path, {address.name!r}")
    kind = modelled(address)
    if kind is None:
        _check_version(stored_document(world, address), document)
        return Answer(200, world.documents.put(address.plural, address.key, document))
    stored = stored_object(world, address)
    _check_version(stored.document, document)
    return Answer(200, shown(_written(world, request, stored, document), address))


def _written(world: World, request: Request, stored: KubernetesObject, document: Document) -> KubernetesObject:
    """The object that is stored then; volumes and claims are put on record."""
    at, written = world.revision, _write(world, stored, document)
    if request.by_scheduler:
        match written:
            case PersistentVolumeClaim():
                world.did(VolumeWritten(at=at, claim=written.key))
            case PersistentVolume(spec=spec) if spec.claim_ref is not None:
                world.did(VolumeWritten(at=at, claim=f"{spec.claim_ref.namespace}/{spec.claim_ref.name}"))
    return written


def _write(world: World, stored: KubernetesObject, document: Document) -> KubernetesObject:
    """Main resource: the status stays, the identity too."""
    kept = {"status": stored.document["status"]} if "status" in stored.document else {}
    held = stored.document["metadata"]
    fixed = {name: held[name] for name in ("name", "namespace", "uid") if name in held}
    whole = {**document, **kept, "metadata": {**document.get("metadata", {}), **fixed}}
    with world.writing() as server:
        return server.store.write(stored.kind, canonical(whole))


def status_set(world: World, request: Request) -> Answer:
    """PUT of a status sub-resource."""
    document = sent(request)
    return _status(world, request, lambda stored: document)


def _status(world: World, request: Request, change: Callable[[Document], Any]) -> Answer:
    """Store the status of what `change` makes of the stored document, if that is of the stored version."""
    address = request.address
    if modelled(address) is None:
        return replaced(world, request)
    at, stored = world.revision, world.server.store.get(modelled(address) or "", address.key)
    try:
        if stored is None:
            raise not_found(address)
        wanted = change(stored.document)
        if not isinstance(wanted, dict):
            raise bad_request("the result is no object")
        _check_version(stored.document, wanted)
        with world.writing() as server:
            written = server.store.write(stored.kind, canonical({**stored.document, "status": wanted.get("status")}))
    except (Refused, ManifestError) as error:
        if address.plural == "pods" and request.by_scheduler:
            world.did(StatusSet(at=at, pod=address.key, error=str(error)))
        raise
    if isinstance(stored, Pod) and isinstance(written, Pod) and request.by_scheduler:
        world.did(StatusSet(at=at, pod=stored.key, before=stored, after=written))
    return Answer(200, shown(written, address))


def patched_object(world: World, request: Request) -> Answer:
    """PATCH of an object."""
    address = request.address
    stored = stored_document(world, address)
    document = patched(stored, request.body, request.media)
    if not isinstance(document, dict) or key_of(document) != address.key:
        raise Refused(422, "Invalid", "metadata.name: a patch cannot rename an object")
    kind = modelled(address)
    if kind is None:
        return Answer(200, world.documents.put(address.plural, address.key, document))
    _check_version(stored, document)
    return Answer(200, shown(_written(world, request, stored_object(world, address), document), address))


def status_patched(world: World, request: Request) -> Answer:
    """PATCH of a status sub-resource."""
    return _status(world, request, lambda stored: patched(stored, request.body, request.media))


def _check_version(stored: Document, sent: Document) -> None:
    """Optimistic locking, on uid and resourceVersion; a sender that leaves one out does not care."""
    for member in ("uid", "resourceVersion"):
        wanted = sent.get("metadata", {}).get(member) or stored["metadata"].get(member)
        if wanted != stored["metadata"].get(member):
            raise Refused(
                409,
                "Conflict",
                f'Operation cannot be fulfilled on "{stored["metadata"]["name"]}": the object has been modified; '
                "please apply your changes to the latest version and try again",
            )
