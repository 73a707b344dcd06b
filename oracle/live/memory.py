"""What a scheduler's cache and queues are like after all that has happened, revision by revision.

Not everything in them is a matter of the present: used ports, the order of nodes and of the pods on a node also
depend on who was there before.
"""

from model.api.configuration import Configuration
from model.api.protocol import Added, Deleted, Event, Updated
from model.releases import v1_15_3
from oracle.environment.watches import Change, selected
from oracle.judgement.shadow import Shadow
from oracle.live.history import History

STRIDE = 32
"""Revisions between two states that are kept."""


class Memory:
    """Of a scheduler that has heard of every change in turn, and has looked at the nodes after each."""

    def __init__(self, history: History, configuration: Configuration) -> None:
        """Raises ConfigurationError and Crash."""
        self._history = history
        self._kept = [Shadow(v1_15_3(configuration))]

    def at(self, revision: int) -> Shadow:
        """A copy of its own, that may hear more."""
        while len(self._kept) <= revision // STRIDE:
            self._kept.append(self._later(len(self._kept) - 1, STRIDE))
        return self._later(revision // STRIDE, revision % STRIDE)

    def _later(self, kept: int, changes: int) -> Shadow:
        shadow = self._kept[kept].copy()
        for change in self._history.since(kept * STRIDE)[:changes]:
            if (event := _event(change)) is not None:
                shadow.hear(event)
                shadow.snapshotted()
        return shadow


def _event(change: Change) -> Event | None:
    before, after = selected(change.before), selected(change.after)
    if before is None:
        return None if after is None else Added(after)
    return Deleted(before) if after is None else Updated(before, after)
