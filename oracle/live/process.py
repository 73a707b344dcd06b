"""A scheduler as a child process: started, listened to, and ended with everything it started."""

import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import IO

from oracle.child.process import end_with_parent
from oracle.schedulers import SchedulerError

KEPT_OUTPUT = 64 * 1024
"""Bytes of the end of its output that are kept."""

GENTLE_SECONDS = 2.0
"""Between being asked to end and being ended."""


class SchedulerProcess:
    """A context manager; in its block the scheduler runs.  Its output is read, and all but the end forgotten."""

    def __init__(self, command: str, values: Mapping[str, str]) -> None:
        """`{name}` in the command stands for one of the values.  Raises SchedulerError."""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise SchedulerError(f"command {command!r}: {error}") from None
        if not words:
            raise SchedulerError("the command is empty")
        for name, value in values.items():
            words = [word.replace(f"{{{name}}}", value) for word in words]
        self._words = words
        self._environment = {**os.environ, "KUBECONFIG": values.get("kubeconfig", "")}
        self._tail = bytearray()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None

    def __enter__(self) -> "SchedulerProcess":
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=end_with_parent,
                env=self._environment,
            )
        except OSError as error:
            raise SchedulerError(f"cannot start {self._words[0]!r}: {error.strerror or error}") from None
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._process is not None
        assert self._reader is not None
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GENTLE_SECONDS)
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._reader.join(GENTLE_SECONDS)
        if self._process.stdout is not None and not self._reader.is_alive():
            self._process.stdout.close()

    def _signal(self, number: int) -> None:
        """To the process and all that it started in its session."""
        assert self._process is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _read(self, output: IO[bytes]) -> None:
        while part := os.read(output.fileno(), 65536):
            self._tail += part
            del self._tail[:-KEPT_OUTPUT]

    @property
    def exit_code(self) -> int | None:
        """None while it runs; a signal that ended it is negative."""
        return None if self._process is None else self._process.poll()

    @property
    def last_words(self) -> str:
        """The end of its output."""
        if self._reader is not None and self.exit_code is not None:
            self._reader.join(GENTLE_SECONDS)
        return self._tail.decode(errors="replace")
