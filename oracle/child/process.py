"""A child process that is asked one line at a time, and that cannot do more harm than its limits allow."""

import ctypes
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress

from model.api.protocol import Crash
from oracle.child.limits import Limits
from oracle.guard import Elsewhere
from oracle.last_words import LAST_WORDS

CHUNK = 65_536
TAIL = 4_000
"""Bytes of standard error that are remembered."""
MOST_TAIL_CHUNKS = 64
PARTING = 0.5
"""Seconds that a child which hangs up has to finish speaking and ending."""

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class ChildFailure(Elsewhere):
    """The child did not answer as the protocol wants; the message tells what happened and its last words."""


class Died(ChildFailure, Crash):
    """It ended, or closed its output."""


class Hung(ChildFailure):
    """No answer in time."""


class Flooded(ChildFailure):
    """It said more than it may, or spoke without being asked."""


class Garbled(ChildFailure):
    """What it said is no answer."""


class OutOfTurn(ChildFailure):
    """It answered another request than the one that was put."""


class Child:
    """One running process, in a process group of its own that ends with it, and with us."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        """Raises OSError where the command cannot be started."""
        self._limits = limits
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            preexec_fn=lambda: _confine(limits.memory),
        )
        self._end = weakref.finalize(self, _end, self._process)
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)
        self._said = bytearray()
        self._complaints = bytearray()
        self.spent = 0.0
        """Seconds waited for answers of this case so far."""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._end.alive and _ending(self.pid) is None

    def close(self) -> None:
        """Ends the process and all that it started in its group; may be called twice."""
        self._end()

    def ask(self, line: bytes) -> bytes:
        """Send a line, and give the line that it is answered with.  Raises ChildFailure, after which it is closed."""
        start = time.monotonic()
        try:
            return self._exchange(line + b"\n", start + self._seconds_left())
        except ChildFailure:
            self.close()
            raise
        finally:
            self.spent += time.monotonic() - start

    def _seconds_left(self) -> float:
        return min(self._limits.answer_seconds, self._limits.case_seconds - self.spent)

    def _exchange(self, line: bytes, deadline: float) -> bytes:
        if not self._end.alive:
            raise Died("the process was ended before")
        unsent = memoryview(line)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._stdin, selectors.EVENT_WRITE)
            waiting.register(self._stdout, selectors.EVENT_READ)
            waiting.register(self._stderr, selectors.EVENT_READ)
            while True:
                ready = [key.fd for key, _ in waiting.select(max(0.0, deadline - time.monotonic()))]
                if not ready and time.monotonic() >= deadline:
                    raise Hung(self._with_tail(self._overdue()))
                if self._stderr in ready and not self._hear_complaints():
                    waiting.unregister(self._stderr)
                if self._stdin in ready:
                    unsent = self._send(unsent)
                    if not unsent:
                        waiting.unregister(self._stdin)
                if self._stdout in ready and (answer := self._hear(asked=not unsent)) is not None:
                    return answer

    def _overdue(self) -> str:
        if self.spent + self._limits.answer_seconds >= self._limits.case_seconds:
            return f"its answers took more than {self._limits.case_seconds:g} s together"
        return f"no answer within {self._limits.answer_seconds:g} s"

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._stdin, unsent[:CHUNK]) :]
        except BlockingIOError:
            return unsent
        except OSError:
            raise Died(self._obituary()) from None

    def _hear(self, asked: bool) -> bytes | None:
        """The answer, if it is complete."""
        try:
            chunk = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return None
        if not chunk:
            raise Died(self._obituary())
        self._said += chunk
        if not asked:
            raise Flooded(self._with_tail(f"it spoke before it was asked: {_excerpt(self._said)}"))
        line, newline, more = bytes(self._said).partition(b"\n") if b"\n" in chunk else (b"", b"", b"")
        if len(self._said) > self._limits.answer_bytes:
            raise Flooded(self._with_tail(f"an answer of more than {self._limits.answer_bytes:,} bytes"))
        if not newline:
            return None
        if more:
            raise Flooded(self._with_tail(f"more than one line for one request: {_excerpt(more)}"))
        self._said.clear()
        return line

    # --- last words ---

    def _hear_complaints(self) -> bool:
        """Whether it heard any."""
        try:
            chunk = os.read(self._stderr, CHUNK)
        except OSError:
            return False
        self._complaints += chunk
        del self._complaints[:-TAIL]
        return bool(chunk)

    def _obituary(self) -> str:
        """How it ended; it is given a moment to do so."""
        patience = time.monotonic() + PARTING
        while (end := _ending(self.pid)) is None and time.monotonic() < patience:
            time.sleep(0.01)
        if end is None:
            return self._with_tail("it closed its output")
        if end.si_code == os.CLD_EXITED:
            return self._with_tail(f"it ended with exit code {end.si_status}")
        return self._with_tail(f"it was ended by {signal.Signals(end.si_status).name}")

    def _with_tail(self, what: str) -> str:
        for _ in range(MOST_TAIL_CHUNKS):
            if not self._hear_complaints():
                break
        tail = self._complaints.decode(errors="replace").strip()
        return f"{what}{LAST_WORDS}{tail}" if tail else what


def _excerpt(said: bytes | bytearray) -> str:
    text = bytes(said[:120]).decode(errors="backslashreplace")
    return repr(text) + (" ..." if len(said) > 120 else "")


def _confine(memory: int) -> None:
    """In the child, before it becomes the command."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    end_with_parent()


def end_with_parent() -> None:
    """In the child, before it becomes the command: it shall not outlive us, where the system can see to that."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _ending(pid: int) -> "os.waitid_result | None":
    """How a process ended, None while it runs; it stays a zombie, so that the number of its group stays its own."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """The whole group, before its leader is waited for."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
