"""Ctrl-C and SIGTERM: one line, exit code 130, and what a command has done so far is kept."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer, current_thread, main_thread
from types import FrameType
from typing import Any

from oracle.cli.exit_codes import INTERRUPTED

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SOON = 0.01


def leave_at_once() -> None:
    """From now on the signals end the process; right where nothing was done yet, or all is done."""
    for number in _SIGNALS:
        signal.signal(number, _leave)


def _leave(_: int, __: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, the signals raise KeyboardInterrupt: whoever has something to keep catches it, and raises it again."""
    if current_thread() is not main_thread():
        yield
        return
    before = [signal.signal(number, signal.default_int_handler) for number in _SIGNALS]
    hook, sys.unraisablehook = sys.unraisablehook, _again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, handler)


def _again(lost: Any) -> None:
    """An interrupt that came in a place from which nothing can be raised, as a destructor, comes once more."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        Timer(_SOON, os.kill, (os.getpid(), signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(lost)
