"""The scheduler's clock: told by the environment, never the same twice.  [O-004]"""

from attrs import define

from model.api.clock import Instant


@define
class Clock:
    """`ms` since the start, as last told."""

    ms: int = 0
    _readings: int = 0

    def read(self) -> Instant:
        """Later than every reading before."""
        self._readings += 1
        return Instant(self.ms, self._readings)
