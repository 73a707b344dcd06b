"""Telling a scheduler's own failures from ours."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from traceback import format_exception
from typing import Any

from model.api.components import Engine
from model.api.configuration import Configuration, ConfigurationError
from model.api.protocol import Api, Crash, Event, Observation, Scheduler
from oracle.deadline import Overdue, deadline
from oracle.last_words import with_place
from oracle.no_exit import no_exit
from oracle.printable import without_addresses


class SchedulerFault(Exception):
    """The scheduler under test broke the protocol or died of an exception; `trace` ends with where,
    if that was in this process."""

    def __init__(self, text: str, trace: str) -> None:
        super().__init__(text)
        self.trace = trace

    def __reduce__(self) -> tuple[type["SchedulerFault"], tuple[str, str]]:
        return SchedulerFault, (str(self), self.trace)


class Elsewhere(Exception):
    """Something went wrong in another process: where it was noticed in this one tells nothing."""


class Patient:
    """An engine whose schedulers get `patience` seconds of real time for each answer."""

    def __init__(self, engine: Engine, patience: float) -> None:
        self.patience = patience
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


class Guarded:
    """A scheduler whose unforeseen exceptions, attempts to exit, and endless loops (where `patience` seconds of real
    time are all it has for an answer) become SchedulerFault; a Crash stays one."""

    def __init__(self, make: Callable[[], Scheduler], patience: float | None = None) -> None:
        """Raises ConfigurationError, Crash and SchedulerFault."""
        self._make = make
        self._patience = patience
        self.restart()

    def restart(self) -> None:
        """Go on with another one that knows nothing.  Raises what the first one did."""
        with _blamed("while it was made", self._patience):
            self._scheduler = self._make()

    def handle(self, event: Event, api: Api) -> None:
        with _blamed(f"while it handled {type(event).__name__}", self._patience):
            self._scheduler.handle(event, api)

    def observe(self) -> Observation | None:
        with _blamed("while it showed its state", self._patience):
            shown = self._scheduler.observe()
            if shown is not None and not isinstance(shown, Observation):
                raise TypeError(f"expected an Observation or None, got {type(shown).__name__}")
            return shown


def guarded_scheduler(engine: Engine, configuration: Configuration) -> Guarded:
    """A new scheduler of the engine.  Raises ConfigurationError, Crash and SchedulerFault."""
    return Guarded(lambda: engine.scheduler(configuration), getattr(engine, "patience", None))


@contextmanager
def _blamed(when: str, patience: float | None) -> Iterator[None]:
    try:
        with no_exit(), nullcontext() if patience is None else deadline(patience):
            yield
    except (Crash, ConfigurationError):
        raise
    except (Exception, SystemExit, Overdue) as error:
        raise fault(error, when) from error


def fault(error: BaseException, when: str) -> SchedulerFault:
    text = without_addresses(f"{type(error).__name__} {when}: {error}")
    if isinstance(error, Elsewhere):
        return SchedulerFault(text, "")
    return SchedulerFault(with_place(text, error), "".join(format_exception(error)))
