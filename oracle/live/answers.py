"""What the server answers to each request; what the scheduler asked for is put on record.

A `kubectl` is an operator: what it does is not held against the scheduler.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from attrs import Factory, frozen

from model.api.decode import ManifestError, decode, encode
from model.api.defaults import defaulted
from model.api.objects import KINDS, Document, KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.protocol import ApiError
from oracle.environment.store import key_of
from oracle.environment.wire import canonical
from oracle.live.addresses import Address
from oracle.live.deeds import Bound, Evicted, LookedAt, StatusSet, VolumeWritten
from oracle.live.patches import patched
from oracle.live.refusals import SUCCESS, Refused, bad_request, refused
from oracle.live.selecting import selector
from oracle.live.world import World

OPERATORS = ("kubectl",)
"""How the user agents of clients begin that are not the scheduler."""


@frozen
class Request:
    """`body`: decoded JSON, None without one; `media`: its type."""

    method: str
    address: Address
    query: Mapping[str, str] = Factory(dict)
    body: Any = None
    media: str = "application/json"
    agent: str = ""

    @property
    def by_scheduler(self) -> bool:
        return not self.agent.startswith(OPERATORS)


@frozen
class Answer:
    code: int
    document: Mapping[str, Any]


def answer(world: World, request: Request) -> Answer:
    """Raises Refused."""
    address = request.address
    sort = "collection" if not address.name else address.subresource or "object"
    respond = _RESPONSES.get((request.method, sort))
    try:
        if respond is None:
            raise Refused(405, "MethodNotAllowed", f"{request.method} is not served for {sort} {address.plural}")
        if world.flooded:
            raise Refused(429, "TooManyRequests", "the scheduler has made more requests than anybody could need")
        with world.lock:
            return respond(world, request)
    except ManifestError as error:
        raise Refused(422, "Invalid", str(error)).about(address) from None
    except Refused as error:
        raise error.about(address) from None


# --- reading --------------------------------------------------------------------------------------


def _list(world: World, request: Request) -> Answer:
    """Pages are not made: everything is in the first."""
    address, query = request.address, request.query
    selects = selector(query.get("fieldSelector", ""), query.get("labelSelector", ""))
    found = [document for document in documents(world, address) if selects(document)]
    version = str(world.revision)
    listing: dict[str, Any] = {"metadata": {"resourceVersion": version}, "items": found}
    if address.resource is not None:
        listing |= {"apiVersion": address.group_version, "kind": f"{address.resource.kind}List"}
    return Answer(200, listing)


def documents(world: World, address: Address) -> list[dict[str, Any]]:
    """All of a plural, in the namespace if one is given."""
    kind = modelled(address)
    if kind is not None:
        found = [shown(thing, address) for thing in world.server.store.all(kind)]
    else:
        found = [dict(document) for document in world.documents.all(address.plural)]
    if not address.namespace:
        return found
    return [document for document in found if document["metadata"].get("namespace") == address.namespace]


def modelled(address: Address) -> str | None:
    """The kind, if decisions depend on it."""
    resource = address.resource
    return resource.kind if resource is not None and resource.kind in KINDS else None


def shown(thing: KubernetesObject, address: Address) -> dict[str, Any]:
    """In the version that was asked for."""
    return {**encode(thing), "apiVersion": address.group_version, "kind": thing.kind}


def _get(world: World, request: Request) -> Answer:
    address = request.address
    if address.plural == "pods" and request.by_scheduler:
        world.did(LookedAt(at=world.revision, pod=address.key))
    return Answer(200, _stored(world, address))


def _stored(world: World, address: Address) -> Document:
    kind = modelled(address)
    if kind is None:
        document = world.documents.get(address.plural, address.key)
        if document is None:
            raise _not_found(address)
        return document
    return shown(_object(world, address), address)


def _object(world: World, address: Address) -> KubernetesObject:
    thing = world.server.store.get(modelled(address) or "", address.key)
    if thing is None:
        raise _not_found(address)
    return thing


def _not_found(address: Address) -> Refused:
    return Refused(404, "NotFound", f'{address.plural} "{address.name}" not found')


# --- writing --------------------------------------------------------------------------------------


def _create(world: World, request: Request) -> Answer:
    if request.address.plural == "bindings":
        return _bind(world, request)
    address, document = _named(request)
    kind = modelled(address)
    if kind is None:
        if world.documents.get(address.plural, address.key) is not None:
            raise Refused(409, "AlreadyExists", f'{address.plural} "{address.name}" already exists')
        return Answer(201, world.documents.put(address.plural, address.key, document))
    with world.writing() as server:
        created = server.create(decode(defaulted(document, KINDS[kind]), KINDS[kind]))
    return Answer(201, shown(_fine(created), address))


def _named(request: Request) -> tuple[Address, dict[str, Any]]:
    """The object sent, with the identity that the server gives it."""
    document, address = _sent(request), request.address
    metadata = dict(document["metadata"])
    name = metadata.get("name") or f"{metadata.get('generateName') or ''}{uuid4().hex[:8]}"
    if not isinstance(name, str) or "/" in name:
        raise Refused(422, "Invalid", f"metadata.name: Invalid value: {name!r}")
    metadata |= {"name": name, "uid": metadata.get("uid") or str(uuid4())}
    if address.namespace:
        metadata["namespace"] = address.namespace
    named = Address(address.group_version, address.plural, address.namespace, name)
    return named, {**document, "metadata": metadata}


def _sent(request: Request) -> dict[str, Any]:
    body = request.body
    if not isinstance(body, dict) or not isinstance(body.get("metadata", {}), dict):
        raise bad_request("the body of the request is no object with metadata")
    return {**body, "metadata": body.get("metadata", {})}


def _replace(world: World, request: Request) -> Answer:
    """The whole object; of volumes and claims the status stays."""
    address, document = request.address, _sent(request)
    if document["metadata"].get("name", address.name) != address.name:
        raise bad_request(f"metadata.name: the body names another object than the path, {address.name!r}")
    kind = modelled(address)
    if kind is None:
        _check_version(_stored(world, address), document)
        return Answer(200, world.documents.put(address.plural, address.key, document))
    stored = _object(world, address)
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


def _set_status(world: World, request: Request) -> Answer:
    """PUT of a status sub-resource."""
    document = _sent(request)
    return _status(world, request, lambda stored: document)


def _status(world: World, request: Request, change: Callable[[Document], Any]) -> Answer:
    """Store the status of what `change` makes of the stored document, if that is of the stored version."""
    address = request.address
    if modelled(address) is None:
        return _replace(world, request)
    at, stored = world.revision, world.server.store.get(modelled(address) or "", address.key)
    try:
        if stored is None:
            raise _not_found(address)
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


def _patch(world: World, request: Request) -> Answer:
    address = request.address
    stored = _stored(world, address)
    document = patched(stored, request.body, request.media)
    if not isinstance(document, dict) or key_of(document) != address.key:
        raise Refused(422, "Invalid", "metadata.name: a patch cannot rename an object")
    kind = modelled(address)
    if kind is None:
        return Answer(200, world.documents.put(address.plural, address.key, document))
    _check_version(stored, document)
    return Answer(200, shown(_written(world, request, _object(world, address), document), address))


def _patch_status(world: World, request: Request) -> Answer:
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


def _bind(world: World, request: Request) -> Answer:
    """POST of pods/NAME/binding, or of a Binding to the collection of bindings."""
    body, address = _sent(request), request.address
    key = f"{address.namespace}/{address.name or body['metadata'].get('name', '')}"
    target = body.get("target")
    node = target.get("name") if isinstance(target, dict) else None
    if not isinstance(node, str) or not node:
        raise Refused(422, "Invalid", "target.name: Required value")
    at, pod = world.revision, world.server.pod(key)
    with world.writing() as server:
        error = _other_pod(pod, body) or server.bind(key, node)
    if request.by_scheduler:
        before = pod if isinstance(pod, Pod) else None
        world.did(Bound(at=at, pod=key, node=node, before=before, error=None if error is None else error.message))
    if error is not None:
        raise refused(error)
    return Answer(201, SUCCESS)


def _other_pod(pod: Pod | ApiError, binding: Document) -> ApiError | None:
    uid = binding["metadata"].get("uid")
    if isinstance(pod, ApiError) or not uid or uid == pod.uid:
        return None
    return ApiError("Conflict", f'the binding is for uid {uid}, but pod "{pod.name}" has {pod.uid}')


def _delete(world: World, request: Request) -> Answer:
    address = request.address
    kind = modelled(address)
    if kind is None:
        document = world.documents.remove(address.plural, address.key)
        if document is None:
            raise _not_found(address)
        return Answer(200, SUCCESS)
    at, stored = world.revision, world.server.store.get(kind, address.key)
    error = _precondition(stored, request.body)
    if error is None:
        error = world.evict(address.key) if kind == "Pod" else _removed(world, kind, address.key)
    if kind == "Pod" and request.by_scheduler:
        victim = stored if isinstance(stored, Pod) else None
        world.did(Evicted(at=at, pod=address.key, victim=victim, error=None if error is None else error.message))
    if error is not None:
        raise refused(error)
    return Answer(200, SUCCESS)


def _precondition(stored: KubernetesObject | None, options: Any) -> ApiError | None:
    wanted = options.get("preconditions") if isinstance(options, dict) else None
    uid = wanted.get("uid") if isinstance(wanted, dict) else None
    if stored is None or not uid or uid == stored.uid:
        return None
    return ApiError("Conflict", f"the UID in the precondition ({uid}) does not match that of the object ({stored.uid})")


def _removed(world: World, kind: str, key: str) -> ApiError | None:
    with world.writing() as server:
        return server.delete(kind, key)


def _fine(outcome: KubernetesObject | ApiError) -> KubernetesObject:
    if isinstance(outcome, ApiError):
        raise refused(outcome)
    return outcome


_RESPONSES: Mapping[tuple[str, str], Callable[[World, Request], Answer]] = {
    ("GET", "collection"): _list,
    ("GET", "object"): _get,
    ("GET", "status"): _get,
    ("POST", "collection"): _create,
    ("POST", "binding"): _bind,
    ("POST", "eviction"): _delete,
    ("PUT", "object"): _replace,
    ("PUT", "status"): _set_status,
    ("PATCH", "object"): _patch,
    ("PATCH", "status"): _patch_status,
    ("DELETE", "object"): _delete,
}
