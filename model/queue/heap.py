"""The binary heap of the two ordered queues, exact to the last tie.  [Q-013, Q-014]

Which of several equal entries comes out first depends on how the array was rearranged before, so the
array and every swap are part of the semantics.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from attrs import Factory, frozen

from model.rules import clause, reached, rule

Entry = TypeVar("Entry")
Less = Callable[[Entry, Entry], bool]


class HeapError(Exception):
    """The message is kube-scheduler's.  [Q-014]"""


@frozen
class Heap(Generic[Entry]):
    """`order` is the array, of keys; `entries` says what they stand for."""

    order: tuple[str, ...] = ()
    entries: Mapping[str, Entry] = Factory(dict)

    def __len__(self) -> int:
        return len(self.order)

    def __contains__(self, key: str) -> bool:
        return key in self.entries


@rule(
    "Q-013", "A new key rises from the end of the array; a known key is replaced where it stands, then sinks or rises"
)
def add(heap: Heap[Entry], additions: Iterable[tuple[str, Entry]], less: Less[Entry]) -> Heap[Entry]:
    """Add several entries, one after the other."""
    order, entries = list(heap.order), dict(heap.entries)
    for key, entry in additions:
        known = key in entries
        entries[key] = entry
        if known:
            _settle(order, order.index(key), len(order), _by_key(entries, less))
        else:
            order.append(key)
            _up(order, len(order) - 1, _by_key(entries, less))
    return Heap(tuple(order), entries)


def pop_while(
    heap: Heap[Entry], wanted: Callable[[Entry], bool], less: Less[Entry]
) -> tuple[Heap[Entry], list[tuple[str, Entry]]]:
    """Take out the heads, with their keys, until one is not wanted."""
    order, entries = list(heap.order), dict(heap.entries)
    taken: list[tuple[str, Entry]] = []
    while order and wanted(entries[order[0]]):
        head = order[0]
        _take_out(order, 0, _by_key(entries, less))
        taken.append((head, entries.pop(head)))
    return Heap(tuple(order), entries), taken


def pop(heap: Heap[Entry], less: Less[Entry]) -> tuple[Heap[Entry], Entry]:
    """Take out the head of a heap that is not empty."""
    head = heap.order[0]
    return delete(heap, head, less), heap.entries[head]


@clause("Q-014", "Deleting a key that is not there is an error; the head of an empty heap is nothing")
def delete(heap: Heap[Entry], key: str, less: Less[Entry]) -> Heap[Entry]:
    """Raises HeapError."""
    if key not in heap:
        reached("Q-014")
        raise HeapError("object not found")
    order, entries = list(heap.order), dict(heap.entries)
    _take_out(order, order.index(key), _by_key(entries, less))
    del entries[key]
    return Heap(tuple(order), entries)


def peek(heap: Heap[Entry]) -> Entry | None:
    return heap.entries[heap.order[0]] if heap.order else None


def in_pop_order(heap: Heap[Entry], less: Less[Entry]) -> list[Entry]:
    """All entries as they would be popped, without popping them."""
    return [entry for _, entry in pop_while(heap, lambda _: True, less)[1]]


def _by_key(entries: Mapping[str, Entry], less: Less[Entry]) -> Less[str]:
    return lambda a, b: less(entries[a], entries[b])


def _take_out(order: list[str], at: int, less: Less[str]) -> None:
    """The last entry takes the place, and sinks or rises from there."""
    last = len(order) - 1
    order[at], order[last] = order[last], order[at]
    if at != last:
        _settle(order, at, last, less)
    order.pop()


def _settle(order: list[str], at: int, size: int, less: Less[str]) -> None:
    if not _down(order, at, size, less):
        _up(order, at, less)


def _up(order: list[str], at: int, less: Less[str]) -> None:
    while at > 0 and less(order[at], order[(at - 1) // 2]):
        parent = (at - 1) // 2
        order[at], order[parent] = order[parent], order[at]
        at = parent


def _down(order: list[str], start: int, size: int, less: Less[str]) -> bool:
    """Within the first `size` places; tells whether it moved."""
    at = start
    while (child := 2 * at + 1) < size:
        if child + 1 < size and less(order[child + 1], order[child]):
            child += 1
        if not less(order[child], order[at]):
            break
        order[at], order[child] = order[child], order[at]
        at = child
    return at > start
