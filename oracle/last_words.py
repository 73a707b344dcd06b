"""What is left to say of a scheduler that failed as a program: its error, and where in its own code that came up."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from types import FrameType

from oracle.deadline import Overdue

LAST_WORDS = "; its last words: "
"""Stands between how a process ended and what it wrote before."""

_OURS = {"oracle", *sys.stdlib_module_names}
"""What stands between us and a scheduler in this process."""
_LIBRARIES = ("/lib/python", "site-packages/", "node:", "node_modules/", "/usr/local/go/", "/rustc/", "<")
"""In names of files that are not of the scheduler itself."""
_TRACEBACK = "Traceback (most recent call last):"
_PYTHON_FRAME = re.compile(r'File "([^"]+)", line (\d+)(?:, in (\S+))?')
_FRAME = re.compile(r"([^\s()\"':]+\.(?:[cm]?[jt]s|go|rs|java|kt|scala|rb|php|cs|c|cc|cpp|swift|lua)):(\d+)")
_ERROR = re.compile(r"(?:[\w.]*(?:Error|Exception)\b|panic: |fatal error: |thread .* panicked)")


def with_place(text: str, error: BaseException) -> str:
    """The text, and where in the scheduler's code it came up; not of an endless loop: that is elsewhere in each run."""
    place = "" if isinstance(error, Overdue) else place_in_its_code(error)
    return f"{text} ({place})" if place else text


def place_in_its_code(error: BaseException) -> str:
    """As `tests/mine.py:12 in choose`: where an exception left the code of the scheduler; "" if it never was in it.

    Its code is the package of the first frame that is not ours; the path is as from where that is imported.
    """
    frames = list(walk_tb(error.__traceback__))
    own = next((package for frame, _ in frames if (package := _package(frame)) not in _OURS), None)
    return next((_place(frame, line) for frame, line in reversed(frames) if _package(frame) == own), "")


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _package(frame: FrameType) -> str:
    return _module(frame).partition(".")[0]


def _place(frame: FrameType, line: int) -> str:
    """Nothing in code that stands in no file."""
    file = Path(frame.f_code.co_filename)
    depth = _module(frame).count(".") + (2 if file.stem == "__init__" else 1)
    return f"{'/'.join(file.parts[-depth:])}:{line} in {frame.f_code.co_name}" if file.is_file() else ""


def in_short(text: str) -> str:
    """How a scheduler failed, on one line: of a stack trace only the error, and where in its own code that was."""
    ending, _, said = text.partition(LAST_WORDS)
    lines = said.splitlines()
    if len(lines) < 2:
        return " ".join(text.split("\n"))
    place = next(_places(said), "")
    return f"{ending}{LAST_WORDS}{_error(lines)}{f' ({place})' if place else ''}"


def _error(lines: list[str]) -> str:
    """Python tells it last, others first."""
    told = [line for line in lines if line and not line[0].isspace()] or lines
    if _TRACEBACK in lines:
        return told[-1]
    return next((line for line in told if _ERROR.match(line)), told[-1])


def _places(said: str) -> Iterator[str]:
    """The nearest to the error first."""
    for file, line, function in reversed(_PYTHON_FRAME.findall(said)):
        if not any(part in file for part in _LIBRARIES):
            yield f"{file}:{line}{f' in {function}' if function else ''}"
    for file, line in _FRAME.findall(said):
        if not any(part in file for part in _LIBRARIES):
            yield f"{file}:{line}"
