"""GET of objects and of whole collections; which single pods a scheduler reads goes on record."""

from typing import Any

from model.api.decode import encode
from model.api.objects import KINDS, Document, KubernetesObject
from oracle.live.addresses import Address
from oracle.live.deeds import LookedAt
from oracle.live.refusals import Refused
from oracle.live.requests import Answer, Request
from oracle.live.selecting import selector
from oracle.live.world import World


def listed(world: World, request: Request) -> Answer:
    """A collection, all on one page.  Raises Refused."""
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


def got(world: World, request: Request) -> Answer:
    """One object.  Raises Refused."""
    address = request.address
    if address.plural == "pods" and request.by_scheduler:
        world.did(LookedAt(at=world.revision, pod=address.key))
    return Answer(200, stored_document(world, address))


def stored_document(world: World, address: Address) -> Document:
    kind = modelled(address)
    if kind is None:
        document = world.documents.get(address.plural, address.key)
        if document is None:
            raise not_found(address)
        return document
    return shown(stored_object(world, address), address)


def stored_object(world: World, address: Address) -> KubernetesObject:
    thing = world.server.store.get(modelled(address) or "", address.key)
    if thing is None:
        raise not_found(address)
    return thing


def not_found(address: Address) -> Refused:
    return Refused(404, "NotFound", f'{address.plural} "{address.name}" not found')
