"""Telling a scheduler's own failures from ours."""

from traceback import format_exception

from model.api.components import Engine
from model.api.configuration import Configuration, ConfigurationError
from model.api.protocol import Api, Crash, Event, Observation, Scheduler


class SchedulerFault(Exception):
    """The scheduler under test broke the protocol or died of an exception; `trace` ends with where."""

    def __init__(self, text: str, trace: str) -> None:
        super().__init__(text)
        self.trace = trace


class Guarded:
    """A scheduler whose unforeseen exceptions, and attempts to exit, become SchedulerFault; a Crash stays one."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def handle(self, event: Event, api: Api) -> None:
        try:
            self._scheduler.handle(event, api)
        except Crash:
            raise
        except (Exception, SystemExit) as error:
            raise fault(error, f"while it handled {type(event).__name__}") from error

    def observe(self) -> Observation | None:
        try:
            shown = self._scheduler.observe()
            if shown is not None and not isinstance(shown, Observation):
                raise TypeError(f"expected an Observation or None, got {type(shown).__name__}")
        except (Exception, SystemExit) as error:
            raise fault(error, "while it showed its state") from error
        return shown


def guarded_scheduler(engine: Engine, configuration: Configuration) -> Guarded:
    """A new scheduler of the engine.  Raises ConfigurationError, Crash and SchedulerFault."""
    try:
        return Guarded(engine.scheduler(configuration))
    except (ConfigurationError, Crash):
        raise
    except (Exception, SystemExit) as error:
        raise fault(error, "while it was made") from error


def fault(error: BaseException, when: str) -> SchedulerFault:
    return SchedulerFault(f"{type(error).__name__} {when}: {error}", "".join(format_exception(error)))
