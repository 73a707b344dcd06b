"""The order in which nodes are tried: one of each zone in turn.  [C-060..C-070, A-010..A-014]

A pass that began with a reset and saw no change walks a fixed order; then the position in that order
is all there is to remember.  After a change the cursors count until the next reset.
"""

from model.api.components import ZoneState
from model.api.objects import Node
from model.api.protocol import NIL_DEREFERENCE, Crash

REGION = "failure-domain.beta.kubernetes.io/region"
ZONE = "failure-domain.beta.kubernetes.io/zone"


def zone_key(node: Node) -> str:
    """[C-060]"""
    region, zone = node.labels.get(REGION, ""), node.labels.get(ZONE, "")
    return f"{region}:\x00:{zone}" if region or zone else ""


class NodeTree:
    """`count`: the number of names.  [C-061, C-070]"""

    def __init__(self) -> None:
        self.count = 0
        self._zones: dict[str, dict[str, None]] = {}
        """The names of each zone, in order."""
        self._lists: dict[str, list[str]] = {}
        """The same as lists, as far as somebody asked since the last change."""
        self._cursors: dict[str, int] = {}
        self._zone_index = 0
        self._order: tuple[str, ...] | None = None
        self._position: int | None = None
        """Steps made in the present pass, while the cursors do not count."""

    def add(self, node: Node) -> None:
        """Duplicates are noticed only within a zone.  [C-062]"""
        zone = zone_key(node)
        if node.name in self._zones.get(zone, ()):
            return
        self._change(zone)
        self._zones.setdefault(zone, {})[node.name] = None
        self._cursors.setdefault(zone, 0)
        self.count += 1

    def remove(self, node: Node) -> None:
        """The cursors stay where they are; a name that is not in the node's zone is ignored.  [C-063]"""
        zone = zone_key(node)
        if node.name not in self._zones.get(zone, ()):
            return
        self._change(zone)
        del self._zones[zone][node.name]
        if not self._zones[zone]:
            del self._zones[zone], self._cursors[zone]
        self.count -= 1

    def update(self, old: Node | None, new: Node) -> None:
        """Only a change of zone matters.  Raises Crash without `old`.  [C-064]"""
        if (zone_key(old) if old else "") == zone_key(new):
            return
        if old is None:
            raise Crash(NIL_DEREFERENCE)
        self.remove(old)
        self.add(new)

    def regular(self) -> tuple[tuple[str, ...], int] | None:
        """The order of a whole pass and how many of it were taken; None in an irregular pass.

        The tuple is the same object until the tree changes.
        """
        if self._position is not None:
            return self._whole_pass(), self._position
        if self._zone_index == 0 and not any(self._cursors.values()):
            self._position = 0
            return self._whole_pass(), 0
        exhausted = all(self._cursors[zone] >= len(names) for zone, names in self._zones.items())
        return (self._whole_pass(), 0) if exhausted else None

    def upcoming(self, count: int) -> list[str]:
        """What so many calls of Next would give; `""` from an empty tree.  Nothing moves.  [C-066, C-067]"""
        before = self._zone_index, dict(self._cursors), self._position
        names = self.take(count)
        self._zone_index, self._cursors, self._position = before
        return names

    def advance(self, count: int) -> None:
        """Call Next so many times.  [C-068]"""
        while count and self._position is None:
            self._next()
            count -= 1
        if count and self._position is not None and self.count:
            # A position of `count` is a pass taken whole but not yet begun anew.
            self._position = (self._position + count - 1) % self.count + 1

    def take(self, count: int) -> list[str]:
        """Call Next so many times; the names it gave.  [C-066]"""
        names: list[str] = []
        while len(names) < count and self._position is None:
            names.append(self._next())
        if (missing := count - len(names)) and self._position is not None:
            order, start = self._whole_pass(), self._position
            rounds = order[start:] + order * (missing // len(order) + 1) if order else ("",) * missing
            names += rounds[:missing]
            self.advance(missing)
        return names

    def zones(self) -> tuple[ZoneState, ...]:
        """The zones in order, each with its names and its cursor.  [C-061]"""
        self._count_cursors()
        return tuple(ZoneState(zone, tuple(names), self._cursors[zone]) for zone, names in self._zones.items())

    @property
    def zone_index(self) -> int:
        """[C-061]"""
        self._count_cursors()
        return self._zone_index

    def _next(self) -> str:
        """[C-065, C-066]"""
        zones = list(self._zones)
        if not zones:
            return ""
        exhausted = 0
        while True:
            if self._zone_index >= len(zones):
                self._zone_index = 0
            zone = zones[self._zone_index]
            self._zone_index += 1
            names, cursor = self._names(zone), self._cursors[zone]
            if cursor < len(names):
                self._cursors[zone] = cursor + 1
                return names[cursor]
            exhausted += 1
            if exhausted >= len(zones):
                # The new pass: its first name is that of the first zone.
                self._position = 1
                return self._whole_pass()[0]

    def _whole_pass(self) -> tuple[str, ...]:
        if self._order is None:
            lists = [self._names(zone) for zone in self._zones]
            longest = max(map(len, lists), default=0)
            self._order = tuple(names[i] for i in range(longest) for names in lists if i < len(names))
        return self._order

    def _names(self, zone: str) -> list[str]:
        names = self._lists.get(zone)
        if names is None:
            names = self._lists[zone] = list(self._zones[zone])
        return names

    def _change(self, zone: str) -> None:
        """Before the names of a zone change, the cursors must count again; the order will be another."""
        self._count_cursors()
        self._position = None
        self._order = None
        self._lists.pop(zone, None)

    def _count_cursors(self) -> None:
        """Work the cursors out from the position.  [C-065]"""
        if self._position is None:
            return
        position, self._position = self._position, None
        self._zone_index = 0
        self._cursors = dict.fromkeys(self._zones, 0)
        for _ in range(position):
            self._next()
        self._position = position
