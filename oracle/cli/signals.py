"""Ctrl-C and SIGTERM while a command runs: one line, exit code 130, and what was done until then is kept."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SOON = 0.01


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
