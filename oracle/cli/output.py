"""Standard output and error of the command: what is done when nobody reads them, or they cannot be written."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Any

from oracle.cli.exit_codes import BAD_INPUT, BROKEN_PIPE


class OutputLost(Exception):
    """Standard output takes no more.  No OSError: those are about files that a command works with."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.exit_code = BROKEN_PIPE if error.errno == errno.EPIPE else BAD_INPUT


class Results(TextIOWrapper):
    """Standard output.  Raises OutputLost."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputLost(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputLost(error) from None


class Notices(TextIOWrapper):
    """Standard error.  What cannot be written there is not worth failing for."""

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


@contextmanager
def attached() -> Iterator[None]:
    """Inside, standard output and error are those above; ends the process if results cannot be written."""
    if sys.stderr is not None:
        sys.stderr = _instead(Notices, sys.stderr)
    if sys.stdout is None:
        _complain("closed")
        sys.exit(BAD_INPUT)
    sys.stdout = _instead(Results, sys.stdout)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OutputLost as lost:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what the interpreter still has to write
        if lost.exit_code != BROKEN_PIPE:
            _complain(str(lost))
        sys.exit(lost.exit_code)


def _instead(kind: type[TextIOWrapper], stream: Any) -> Any:
    """The stream as another kind; where it cannot show a name in some script, it shows escapes."""
    settings = {name: getattr(stream, name) for name in ("encoding", "line_buffering", "write_through")}
    return kind(stream.detach(), errors="backslashreplace", **settings)


def _complain(why: str) -> None:
    print(f"error: standard output: {why}", file=sys.stderr)
