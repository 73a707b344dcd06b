"""Logical time.  [O-004]"""

from typing import NamedTuple


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
