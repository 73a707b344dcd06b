"""One cluster for one scheduler that comes when it likes; decisions are judged as they come."""

from collections.abc import Iterator
from time import sleep

from model.api.configuration import Configuration
from oracle.levels import Level
from oracle.live.judging import Decision, judged
from oracle.live.playing import Play
from oracle.live.world import World
from oracle.trace import Trace

_GLANCE = 0.05


class Visit:
    """The cluster is in the world from the start; what happens in the trace happens when the scheduler is there."""

    def __init__(self, trace: Trace, configuration: Configuration, level: Level) -> None:
        """Raises ManifestError."""
        self.world = World()
        self._level = level
        self._play = Play(self.world, trace, configuration, lambda: True)
        self._play.begin()
        self._shown = 0

    def decisions(self, once: bool) -> Iterator[Decision]:
        """What the scheduler decides, judged when it stands still; for ever, or `once` until nothing is left to do."""
        while not self._play.is_watched:
            sleep(_GLANCE)
        for _ in self._play.steps():
            yield from self._news()
        while not once:
            self._play.await_news()
            self._play.settle()
            yield from self._news()

    def _news(self) -> Iterator[Decision]:
        record = self._play.record(self._shown)
        self._shown = len(record.deeds)
        return judged(record, self._level)
