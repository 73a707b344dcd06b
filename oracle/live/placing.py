"""Requests that carry out a decision: a pod is bound, or deleted or evicted; both go on record.

All answers raise Refused.
"""

from typing import Any

from model.api.objects import Document, KubernetesObject, Pod
from model.api.protocol import ApiError
from oracle.live.deeds import Bound, Evicted
from oracle.live.reading import modelled, not_found
from oracle.live.refusals import SUCCESS, Refused, refused
from oracle.live.requests import Answer, Request, sent
from oracle.live.world import World


def bound(world: World, request: Request) -> Answer:
    """POST of pods/NAME/binding, or of a Binding to the collection of bindings."""
    body, address = sent(request), request.address
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


def deleted(world: World, request: Request) -> Answer:
    """DELETE of an object, or POST of pods/NAME/eviction."""
    address = request.address
    kind = modelled(address)
    if kind is None:
        document = world.documents.remove(address.plural, address.key)
        if document is None:
            raise not_found(address)
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
