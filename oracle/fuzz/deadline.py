"""A limit of real time around code that may never return."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Overdue(Exception):
    """The time is over."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise Overdue inside the block when it takes longer; only in a main thread, and where the system has timers."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_: int, __: FrameType | None) -> None:
        raise Overdue(f"no end after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
