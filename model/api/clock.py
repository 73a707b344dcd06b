"""Logical time.  [O-004]"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

EPOCH = datetime(2019, 12, 1, tzinfo=UTC)
"""What a calendar shows at 0 ms."""


def timestamp(ms: int) -> str:
    """The API's form of an instant, cut to whole seconds: `2019-12-01T00:00:30Z`."""
    return (EPOCH + timedelta(seconds=ms // 1000)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Instant(NamedTuple):
    """Milliseconds since the start, and how many readings of the clock came before this one.

    The real clock never shows the same instant twice; `reading` gives that strict order to readings
    within one millisecond.  Instants compare lexicographically.
    """

    ms: int
    reading: int = 0

    def plus(self, milliseconds: int) -> "Instant":
        """The instant so much later, with the same reading."""
        return Instant(self.ms + milliseconds, self.reading)
