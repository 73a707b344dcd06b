"""What a scheduler remembers: before the step, after it with the reference, after it with the other side."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from oracle.compare.divergence import Record
from oracle.compare.places import NAMELESS, QUEUE, place
from oracle.compare.wording import seconds
from oracle.report.lines import Line, side_by_side
from oracle.report.words import plain, tree_zone

OTHERS = (
    "assumed",
    "cacheNodes",
    "ghostNodes",
    "pendingBinds",
    "lastNodeIndex",
    "nodes",
    "podStates",
    "list",
    "nodeTree",
    "imageStates",
    "snapshot",
)
"""Members of a record that are other state, in the order in which they are shown."""

QUEUE_LABELS = {member.label for member in QUEUE.values()}
KNOWN = "known"
MOST_ROWS = 40


@frozen
class StateRow:
    label: str
    before: tuple[str, ...]
    expected: tuple[Line, ...]
    actual: tuple[Line, ...]

    @property
    def differs(self) -> bool:
        return any(line.differs for line in (*self.expected, *self.actual))

    @property
    def about(self) -> str:
        """The letters of the rules about it: those of the queue, or of cache, node aggregates and binding."""
        return "Q" if self.label in QUEUE_LABELS else "COL"

    @property
    def tells(self) -> bool:
        """Of what is not of the queue there are no other rows."""
        return self.changed or self.label not in QUEUE_LABELS

    @property
    def changed(self) -> bool:
        return self.differs or self.before != tuple(line.text for line in self.expected)


def state_rows(before: Record, expected: Record, actual: Record) -> tuple[StateRow, ...]:
    """The queues whole; of the rest only what changed or differs."""
    if not (expected.keys() & actual.keys() & {*QUEUE, *OTHERS}):
        return ()
    rows = [
        _state_row(name, *_of(name, before, expected, actual)) for name in QUEUE if name in expected and name in actual
    ]
    others = [row for name in OTHERS for row in _telling(name, list(_rows(name, *_of(name, before, expected, actual))))]
    return (*rows, *sorted(others, key=lambda row: not row.differs)[:MOST_ROWS])


def _telling(name: str, rows: list[StateRow]) -> list[StateRow]:
    """Those that changed or differ; of the node tree, which is understood as a whole only, all of them.

    A record has a snapshot only where one is taken, so that nothing is known of the one before.
    """
    changed = [row for row in rows if (row.differs if name == "snapshot" else row.changed)]
    return rows if changed and name == "nodeTree" else changed


def _rows(path: str, before: Any, expected: Any, actual: Any) -> Iterator[StateRow]:
    """Of maps one row for each key; of maps in them one for each of theirs, unless they are gone, or new and empty."""
    sides = (before, expected, actual)
    if not any(isinstance(side, Mapping) for side in sides):
        if path.count(".") < 2 or before is not None or expected != actual or expected:
            yield _state_row(path, *sides)
        return
    if "." in path and path != "snapshot.nodes" and (expected is None or actual is None):
        yield StateRow(place(path).label, _entry(before), *side_by_side(_entry(expected), _entry(actual)))
        return
    maps = [side if isinstance(side, Mapping) else {} for side in sides]
    for key in dict.fromkeys(key for side in maps for key in side):
        yield from _rows(f"{path}.{key}", *(side.get(key) for side in maps))


def _entry(entry: Any) -> tuple[str, ...]:
    """Of a whole entry only that it is there, and with which pods."""
    if entry is None:
        return ()
    pods = entry.get("pods") if isinstance(entry, Mapping) else None
    return (f"{KNOWN}, with {plain(pods)}" if pods else KNOWN,)


def _of(name: str, *records: Record) -> tuple[Any, ...]:
    return tuple(record.get(name) for record in records)


def _state_row(path: str, before: Any, expected: Any, actual: Any) -> StateRow:
    label = place(path).label
    return StateRow(label, tuple(_items(before)), *side_by_side(list(_items(expected)), list(_items(actual))))


def _items(value: Any) -> Iterator[str]:
    match value:
        case None:
            return
        case Mapping():
            yield from (f"{key or NAMELESS}: {_refusals(item)}" for key, item in value.items())
        case list() | tuple():
            yield from map(_item, value)
        case _:
            yield plain(value)


def _item(item: Any) -> str:
    match item:
        case "":
            return NAMELESS
        case {"pod": pod}:
            until = item.get("backoffUntilMs")
            return f"{pod}{'' if until is None else f' until {seconds(until)}'}"
        case {"zone": zone, "nodes": nodes, "lastIndex": position}:
            past = ", past the end" if position > len(nodes) else ""
            return f"{tree_zone(zone)}: {plain(nodes)}, position {position}{past}"
    return plain(item)


def _refusals(item: Any) -> str:
    if isinstance(item, Mapping) and item.keys() == {"attempts", "lastUpdateMs"}:
        return f"{item['attempts']}, the last at {seconds(item['lastUpdateMs'])}"
    return plain(item)
