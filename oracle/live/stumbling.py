"""After its nodes have changed, v1.15 may take a node twice in one attempt, and another one not at all.

It goes round the zones, and what a change leaves of the round depends on attempts that nobody sees.  [A-014]
"""

from collections.abc import Iterable

from model.api.objects import Node
from model.zones import zone_key
from oracle.live.deeds import Deed
from oracle.live.views import Record


def stumbles(record: Record, deed: Deed) -> bool:
    """Whether nodes came, went or changed their zone since the scheduler first stood still, and zones are several."""
    started = next((rest for rest in record.rests if rest > record.rests[0]), record.history.revision)
    zones: set[str] = set()
    changed = False
    for change in record.history.since(started)[: max(deed.at - started, 0)]:
        if change.kind == "Node":
            zones |= _zones((change.before, change.after))
            changed = changed or _zone_of(change.before) != _zone_of(change.after)
    zones |= _zones(thing for (kind, _), thing in record.history.at(deed.at).items() if kind == "Node")
    return changed and len(zones) > 1


def _zones(things: Iterable[object]) -> set[str]:
    return {zone_key(thing.labels) for thing in things if isinstance(thing, Node)}


def _zone_of(thing: object) -> str | None:
    return zone_key(thing.labels) if isinstance(thing, Node) else None
