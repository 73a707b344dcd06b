"""Breadth first through a universe: every state once, the shortest way there."""

from collections.abc import Callable, Hashable, Iterator
from time import monotonic
from typing import Any

from attrs import define, field, frozen

from model.api.components import Engine
from oracle.compare.divergence import Record, different_ends, ended, guarded
from oracle.conform.e2e import STATE
from oracle.conform.verdict import Difference, first_difference
from oracle.explore.universe import Happening, Universe

Path = tuple[Happening, ...]


@frozen
class Fault:
    """`path`: how to get there; `sentence` where a property is broken, else `difference`."""

    path: Path
    difference: Difference | None = None
    sentence: str = ""


@define
class Exploration:
    """`states` that differ, `steps` made to find them; `depth` up to which everything was explored.

    `ends`: steps on which both sides crash.  `complete`: nothing is left beyond the depth.
    """

    universe: str
    states: int = 1
    steps: int = 0
    ends: int = 0
    depth: int = 0
    seconds: float = 0.0
    complete: bool = False
    fault: Fault | None = None
    sizes: list[int] = field(factory=lambda: [1])
    """How many states are first met at each depth."""


def explore(
    universe: Universe,
    engine: Engine,
    reference: Engine,
    depth: int,
    seconds: float | None = None,
    watch: Callable[[Exploration], None] = lambda _: None,
    found: Exploration | None = None,
) -> Exploration:
    """Ends at the depth, when the time is over, where nothing new is left, or at the first fault.

    `found`: filled as it goes, for whoever wants to keep what there is when it is cut short.
    """
    walk = Walk(universe, engine, reference)
    found, start = found or Exploration(universe.name), monotonic()
    frontier: list[tuple[Path, Record]] = [((), {})]
    while frontier and found.depth < depth:
        discovered: list[tuple[Path, Record]] = []
        for path, record in frontier:
            discovered.extend(walk.beyond(path, record, found))
            found.seconds = monotonic() - start
            watch(found)
            if found.fault or (seconds is not None and found.seconds > seconds):
                return found
        frontier = discovered
        found.depth += 1
        found.sizes.append(len(discovered))
    found.complete = not frontier
    return found


class Walk:
    """Remembers where it has been."""

    def __init__(self, universe: Universe, engine: Engine, reference: Engine) -> None:
        self._universe, self._engine, self._reference = universe, engine, reference
        self._known: set[Hashable] = set()

    def beyond(self, path: Path, record: Record, found: Exploration) -> Iterator[tuple[Path, Record]]:
        """The states one step further that are new."""
        for happening in self._universe.happenings:
            if found.fault or not self._universe.can(happening, record):
                continue
            found.steps += 1
            further = (*path, happening)
            side, expected = self._live(further, self._reference)
            _, actual = self._live(further, self._engine)
            if ended(expected) or ended(actual):
                found.ends += 1
                difference = different_ends("steps", expected, actual)
            else:
                difference = first_difference("steps", _comparable(expected, actual), actual)
            if difference is not None:
                found.fault = Fault(further, difference)
            elif not ended(expected) and self._is_new(side, expected):
                found.states += 1
                if sentence := self._universe.broken(self._side(further), expected):
                    found.fault = Fault(further, sentence=sentence)
                yield further, expected

    def _live(self, path: Path, engine: Engine) -> tuple[Any, Record]:
        side = self._universe.side(engine)
        for happening in path[:-1]:
            side.perform(happening)
        return side, guarded(lambda: side.record(path[-1]), f"while it did {path[-1]['op']}")

    def _side(self, path: Path) -> Any:
        side = self._universe.side(self._reference)
        for happening in path:
            side.perform(happening)
        return side

    def _is_new(self, side: Any, record: Record) -> bool:
        key = hash(self._universe.key(side, record))
        if key in self._known:
            return False
        self._known.add(key)
        return True


def _comparable(expected: Record, actual: Record) -> Record:
    """Of a scheduler that shows nothing of itself only what it does."""
    if STATE.isdisjoint(actual):
        return {name: value for name, value in expected.items() if name not in STATE}
    return expected
