"""What a scheduler remembers: before the step, after it with the reference, after it with the other side."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from oracle.report.lines import Line, side_by_side
from oracle.report.words import plain

Record = Mapping[str, Any]

QUEUES = {
    "active": "Active queue, next first",
    "backoff": "Backing off",
    "unschedulable": "Unschedulable",
    "nominated": "Nominated, by node",
    "schedulingCycle": "Scheduling cycle",
    "moveRequestCycle": "Cycle of the last move request",
    "podBackoff": "Backoff entries",
}
OTHERS = {
    "assumed": "Assumed pods",
    "cacheNodes": "Pods counted on",
    "ghostNodes": "Nodes gone, pods still counted",
    "pendingBinds": "Bind requests under way",
    "lastNodeIndex": "Round-robin counter",
    "nodes": "Node",
    "podStates": "Pod state",
    "assumedPods": "Assumed pods",
    "list": "Nodes, last changed first",
    "nodeTree": "Node tree",
    "imageStates": "Images",
    "snapshot": "Snapshot",
}
"""Members of a record that are state, in the order in which they are shown."""

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
        return "Q" if self.label in QUEUES.values() else "COL"

    @property
    def changed(self) -> bool:
        return self.differs or self.before != tuple(line.text for line in self.expected)


def state_rows(before: Record, expected: Record, actual: Record) -> tuple[StateRow, ...]:
    """The queues whole; of the rest only what changed or differs."""
    if not (expected.keys() & actual.keys() & (QUEUES.keys() | OTHERS.keys())):
        return ()
    rows = [row for name, label in QUEUES.items() for row in _row(name, label, before, expected, actual)]
    others = [row for name, label in OTHERS.items() for row in _rows(label, *_of(name, before, expected, actual))]
    changed = [row for row in others if row.changed]
    return (*rows, *sorted(changed, key=lambda row: not row.differs)[:MOST_ROWS])


def _row(name: str, label: str, before: Record, expected: Record, actual: Record) -> Iterator[StateRow]:
    if name in expected or name in actual:
        yield _state_row(label, *_of(name, before, expected, actual))


def _rows(label: str, before: Any, expected: Any, actual: Any) -> Iterator[StateRow]:
    """Of maps one row for each key; of maps in them one for each of theirs."""
    sides = (before, expected, actual)
    if not any(isinstance(side, Mapping) for side in sides):
        yield _state_row(label, *sides)
        return
    maps = [side if isinstance(side, Mapping) else {} for side in sides]
    for key in dict.fromkeys(key for side in maps for key in side):
        yield from _rows(f"{label} {key}", *(side.get(key) for side in maps))


def _of(name: str, *records: Record) -> tuple[Any, ...]:
    return tuple(record.get(name) for record in records)


def _state_row(label: str, before: Any, expected: Any, actual: Any) -> StateRow:
    return StateRow(label, tuple(_items(before)), *side_by_side(list(_items(expected)), list(_items(actual))))


def _items(value: Any) -> Iterator[str]:
    match value:
        case None:
            return
        case Mapping():
            yield from (f"{key}: {plain(item)}" for key, item in value.items())
        case list() | tuple():
            yield from map(_item, value)
        case _:
            yield plain(value)


def _item(item: Any) -> str:
    if isinstance(item, Mapping) and "pod" in item:
        until = item.get("backoffUntilMs")
        return f"{item['pod']}{'' if until is None else f' until {until} ms'}"
    return plain(item)
