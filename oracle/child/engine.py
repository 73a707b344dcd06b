"""A command as an engine: each case gets a fresh process, or one that was reset."""

import shlex
import shutil

from model.api.configuration import Configuration
from oracle.child.limits import Limits
from oracle.child.process import Child, ChildFailure, Died
from oracle.child.scheduler import ChildScheduler, Handshake, greet, reset
from oracle.guard import fault
from oracle.only_scheduler import OnlyScheduler
from oracle.trace import DEFAULTS


class CommandError(ValueError):
    """The command names no program."""


class ChildEngine(OnlyScheduler):
    """`command` as a shell would split it.  At most one process runs at a time; `close` ends it."""

    def __init__(self, command: str, limits: Limits | None = None) -> None:
        """Raises CommandError."""
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise CommandError(f"{command}: {error}") from None
        if not self._command:
            raise CommandError("no command given")
        if shutil.which(self._command[0]) is None:
            raise CommandError(f"{self._command[0]}: no such program")
        self.name = f"exec:{command}"
        self._limits = limits or Limits()
        self._child: Child | None = None
        self._handshake: Handshake | None = None

    @property
    def handshake(self) -> Handshake:
        """What the scheduler says of itself; starts it if that was never asked.  Raises SchedulerFault."""
        if self._handshake is None:
            try:
                self.scheduler(DEFAULTS)
            except ChildFailure as error:
                raise fault(error, "while it was started") from error
        assert self._handshake is not None
        return self._handshake

    @property
    def configurable(self) -> bool:  # type: ignore[override]
        """Raises SchedulerFault."""
        return "configuration" in self.handshake.capabilities

    @property
    def features(self) -> frozenset[str] | None:  # type: ignore[override]
        """Raises SchedulerFault."""
        return self.handshake.features

    def scheduler(self, configuration: Configuration) -> ChildScheduler:
        """Raises ChildFailure."""
        if self._child and self._child.alive and self._handshake and "reset" in self._handshake.capabilities:
            self._child.spent = 0.0
            reset(self._child, configuration)
        else:
            self.close()
            self._child = self._started()
            self._handshake = greet(self._child, configuration)
        return ChildScheduler(self._child, self._handshake.capabilities)

    def _started(self) -> Child:
        try:
            return Child(self._command, self._limits)
        except OSError as error:
            raise Died(f"{self._command[0]}: {error.strerror or error}") from None

    @property
    def pid(self) -> int | None:
        """Of the process that was started last, None where none was."""
        return None if self._child is None else self._child.pid

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None
