"""What the server answers to each request; what the scheduler asked for is put on record.

A `kubectl` is an operator: what it does is not held against the scheduler.
"""

from collections.abc import Callable, Mapping

from model.api.decode import ManifestError
from oracle.live.placing import bound, deleted
from oracle.live.reading import got, listed
from oracle.live.refusals import Refused
from oracle.live.requests import Answer, Request
from oracle.live.world import World
from oracle.live.writing import created, patched_object, replaced, status_patched, status_set


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


_RESPONSES: Mapping[tuple[str, str], Callable[[World, Request], Answer]] = {
    ("GET", "collection"): listed,
    ("GET", "object"): got,
    ("GET", "status"): got,
    ("POST", "collection"): created,
    ("POST", "binding"): bound,
    ("POST", "eviction"): deleted,
    ("PUT", "object"): replaced,
    ("PUT", "status"): status_set,
    ("PATCH", "object"): patched_object,
    ("PATCH", "status"): status_patched,
    ("DELETE", "object"): deleted,
}
