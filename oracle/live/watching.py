"""Watches: a stream of what changed since a resourceVersion, one JSON object a line, until its time is over.

A watch keeps nothing but its place in the history: a client that never reads costs nobody anything.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from attrs import frozen

from oracle.environment.watches import Change
from oracle.live.addresses import Address
from oracle.live.reading import documents, modelled, shown
from oracle.live.refusals import Refused, bad_request
from oracle.live.selecting import Selects, selector
from oracle.live.world import World

LONGEST = 600.0
"""Seconds after which a watch ends that does not say how long it wants to be."""

BOOKMARK_EVERY = 5.0
"""Seconds between two bookmarks.  They also tell the server which clients are gone."""


@frozen
class Watch:
    """`after`: the revision that the client has; None for one who wants everything there is, first."""

    address: Address
    selects: Selects
    after: int | None
    seconds: float
    bookmarks: bool


def watch_of(address: Address, query: Mapping[str, str]) -> Watch:
    """Raises Refused."""
    if query.get("sendInitialEvents") == "true":
        raise bad_request("sendInitialEvents is not served; list first, then watch")
    version = query.get("resourceVersion", "")
    try:
        after = int(version) if version not in ("", "0") else None
        seconds = float(query.get("timeoutSeconds") or LONGEST)
    except ValueError:
        raise bad_request("resourceVersion and timeoutSeconds are numbers") from None
    return Watch(
        address,
        selector(query.get("fieldSelector", ""), query.get("labelSelector", "")),
        after,
        min(max(seconds, 0.0), LONGEST),
        query.get("allowWatchBookmarks") == "true",
    )


async def stream(world: World, watch: Watch) -> AsyncIterator[bytes]:
    """The lines of the response.  Ends early when the client goes away."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        loop.call_soon_threadsafe(news.set)

    stop_listening = world.history.listen(tell)
    try:
        end = loop.time() + watch.seconds
        with world.lock:
            place, lines = _beginning(world, watch)
        while True:
            for line in lines:
                yield line
            left = end - loop.time()
            if left <= 0:
                return
            news.clear()
            if world.revision == place:
                try:
                    await asyncio.wait_for(news.wait(), min(left, BOOKMARK_EVERY))
                except TimeoutError:
                    lines = _bookmarks(watch, place)
                    continue
            with world.lock:
                lines = list(_lines(world, watch, place))
                place = world.revision
    finally:
        stop_listening()


def _beginning(world: World, watch: Watch) -> tuple[int, list[bytes]]:
    """Where the watch stands after its first lines."""
    now = world.revision
    if watch.after is None:
        found = [document for document in documents(world, watch.address) if watch.selects(document)]
        return now, [_line("ADDED", document) for document in found]
    if watch.after > now:
        gone = Refused(410, "Expired", f"resourceVersion {watch.after} is not known here; list again")
        return now, [_line("ERROR", gone.status)]
    return now, list(_lines(world, watch, watch.after))


def _lines(world: World, watch: Watch, place: int) -> Iterator[bytes]:
    kind = modelled(watch.address)
    for revision, change in enumerate(world.history.since(place), start=place + 1):
        either = change.after or change.before
        assert either is not None
        if kind == change.kind and watch.address.namespace in ("", either.namespace):
            yield from _told(change, revision, watch)


def _told(change: Change, revision: int, watch: Watch) -> Iterator[bytes]:
    """An object that leaves the selection is deleted for this client, one that enters it is added."""
    before, after = (
        None if thing is None or not watch.selects(document := shown(thing, watch.address)) else document
        for thing in (change.before, change.after)
    )
    if after is not None:
        yield _line("ADDED" if before is None else "MODIFIED", after)
    elif before is not None:
        last = {**before, "metadata": {**before["metadata"], "resourceVersion": str(revision)}}
        yield _line("DELETED", last)


def _bookmarks(watch: Watch, place: int) -> list[bytes]:
    """One, for a client that wants it and a kind that has a name here."""
    resource = watch.address.resource
    if not watch.bookmarks or resource is None:
        return []
    kind = {"apiVersion": resource.group_version, "kind": resource.kind}
    return [_line("BOOKMARK", {**kind, "metadata": {"resourceVersion": str(place), "creationTimestamp": None}})]


def _line(type_: str, document: Mapping[str, Any]) -> bytes:
    return json.dumps({"type": type_, "object": document}, separators=(",", ":")).encode() + b"\n"
