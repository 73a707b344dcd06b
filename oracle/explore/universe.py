"""A small universe: a few objects, and everything that can happen to them."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from model.api.components import Engine
from oracle.compare.divergence import Record

Happening = Mapping[str, Any]
"""An operation or an event, in the JSON form of a case."""


class Side(Protocol):
    """One of the two that live through the same."""

    def perform(self, happening: Happening) -> None:
        """Let it happen.  Raises Crash."""
        ...

    def record(self, happening: Happening) -> Record:
        """Let it happen, and show all that came of it.  Raises Crash."""
        ...


class Universe(Protocol):
    """`usual_depth`: how far it can be explored in a minute or so."""

    name: str
    happenings: tuple[Happening, ...]
    usual_depth: int

    def side(self, engine: Engine) -> Side:
        """At the beginning."""
        ...

    def can(self, happening: Happening, record: Record) -> bool:
        """Whether it can happen after that."""
        ...

    def key(self, side: Any, record: Record) -> Hashable:
        """What the future depends on: equal for states that no future can tell apart.  The side is spent by it."""
        ...

    def broken(self, side: Any, record: Record) -> str | None:
        """How a property is broken that must hold always or come about eventually, in a sentence.  Spends the side."""
        ...

    def case(self, path: Sequence[Happening]) -> dict[str, Any]:
        """The path as a case that can be replayed."""
        ...


def from_now(value: Any, now: int, name: str = "") -> Hashable:
    """A record as something that can be looked up, with all times counted from now."""
    if isinstance(value, Mapping):
        return tuple((key, from_now(item, now, key)) for key, item in value.items() if key != "nowMs")
    if isinstance(value, list | tuple):
        return tuple(from_now(item, now, name) for item in value)
    if isinstance(value, int) and name in TIMES:
        return value - now
    hashable: Hashable = value
    return hashable


TIMES = frozenset({"timestampMs", "backoffUntilMs", "activeTs", "lastUpdateMs", "deadlineMs"})
