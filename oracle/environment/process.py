"""A scheduler as a process that can be ended and started anew."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Process(Protocol):
    """A `protocol.Scheduler` that can begin again."""

    def restart(self) -> None:
        """Know nothing any more; the configuration stays.  Raises Crash where the new process does not start."""
        ...
