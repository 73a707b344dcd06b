"""A limit of real time around code that may never return."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 0.5
"""Seconds after which code that swallowed the exception gets it once more."""
SOON = 0.001


class Overdue(BaseException):
    """The time is over.  No Exception, for code under a deadline may catch all of those and go on."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise Overdue inside the block when it takes longer; only in a main thread, and where the system has timers.

    The time of one around it goes on, but it is over no sooner than the block.
    """
    timers = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not timers:
        yield
        return

    def ring(_: int, __: FrameType | None) -> None:
        raise Overdue(f"no end after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    start = time.monotonic()
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - start), SOON), again)
