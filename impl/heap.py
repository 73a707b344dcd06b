"""The scheduling queue's binary heap, indexed by key and changed in place.  [Q-013, Q-014]

Among entries that compare equal, and where the order changes under the heap, the sequence of swaps
decides who comes out first; so it is kept to the letter.
"""

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar


class Keyed(Protocol):
    """An entry with the key it is found by.  [O-011]"""

    @property
    def key(self) -> str: ...


Entry = TypeVar("Entry", bound=Keyed)


class Heap(Generic[Entry]):
    """A heap of entries; `less` is asked at every comparison.  All changes take O(log n)."""

    __slots__ = ("_entries", "_less", "_positions")

    def __init__(self, less: Callable[[Entry, Entry], bool]) -> None:
        self._less = less
        self._entries: list[Entry] = []
        self._positions: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: str) -> bool:
        return key in self._positions

    def __iter__(self) -> Iterator[Entry]:
        """In the order of the array, which is not the order of popping."""
        return iter(self._entries)

    def get(self, key: str) -> Entry | None:
        at = self._positions.get(key)
        return None if at is None else self._entries[at]

    def peek(self) -> Entry | None:
        return self._entries[0] if self._entries else None

    def add(self, entry: Entry) -> None:
        """Insert, or replace the entry with the same key."""
        at = self._positions.get(entry.key)
        if at is None:
            self._entries.append(entry)
            self._positions[entry.key] = len(self._entries) - 1
            self._up(len(self._entries) - 1)
        else:
            self._entries[at] = entry
            self._settle(at, len(self._entries))

    def pop(self) -> Entry:
        """Take the head.  Raises IndexError on an empty heap."""
        last = len(self._entries) - 1
        self._swap(0, last)
        self._down(0, last)
        return self._take_last()

    def delete(self, key: str) -> Entry | None:
        """Take the entry with this key out, if there is one."""
        at = self._positions.get(key)
        if at is None:
            return None
        last = len(self._entries) - 1
        if at != last:
            self._swap(at, last)
            self._settle(at, last)
        return self._take_last()

    def copy(self) -> "Heap[Entry]":
        """An independent heap with the same layout."""
        twin = Heap(self._less)
        twin._entries = list(self._entries)
        twin._positions = dict(self._positions)
        return twin

    def _take_last(self) -> Entry:
        entry = self._entries.pop()
        del self._positions[entry.key]
        return entry

    def _settle(self, at: int, size: int) -> None:
        if not self._down(at, size):
            self._up(at)

    def _swap(self, i: int, j: int) -> None:
        entries, positions = self._entries, self._positions
        entries[i], entries[j] = entries[j], entries[i]
        positions[entries[i].key] = i
        positions[entries[j].key] = j

    def _up(self, at: int) -> None:
        entries, less = self._entries, self._less
        while at > 0:
            parent = (at - 1) // 2
            if not less(entries[at], entries[parent]):
                return
            self._swap(at, parent)
            at = parent

    def _down(self, start: int, size: int) -> bool:
        """Sink the entry within the first `size` places; tells whether it moved."""
        entries, less = self._entries, self._less
        at = start
        while (child := 2 * at + 1) < size:
            if child + 1 < size and less(entries[child + 1], entries[child]):
                child += 1
            if not less(entries[child], entries[at]):
                break
            self._swap(at, child)
            at = child
        return at != start
