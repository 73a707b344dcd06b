"""Schedulers that are not as they should be, to be named on a command line: `python:tests.odd_schedulers:Dying`."""

from typing import Any

from model.api.configuration import Configuration, ConfigurationError
from model.api.objects import Pod
from model.api.protocol import Added, Api, Bind, Call, Crash, Event, Observation, Scheduler, StartCycle, TookPod
from model.engine import Reference
from model.releases import v1_15_3
from model.scheduler import ModelScheduler


class Blind:
    """As the model, but it shows nothing."""

    def __init__(self) -> None:
        self._scheduler: Scheduler = ModelScheduler(v1_15_3(Configuration(percentage_of_nodes_to_score=100)))

    def handle(self, event: Event, api: Api) -> None:
        self._scheduler.handle(event, api)

    def observe(self) -> Observation | None:
        return None


class Failing(Blind):
    """Stops in its third scheduling cycle; how, the subclasses say."""

    cycles = 0

    def handle(self, event: Event, api: Api) -> None:
        self.cycles += isinstance(event, StartCycle)
        if self.cycles == 3:
            self.fail(api)
        super().handle(event, api)

    def fail(self, api: Api) -> None: ...


class Dying(Failing):
    def fail(self, api: Api) -> None:
        raise ZeroDivisionError("no nodes left to divide by")


class Panicking(Failing):
    def fail(self, api: Api) -> None:
        raise Crash("index out of range")


class Interrupted(Failing):
    """As if somebody pressed Ctrl-C."""

    def fail(self, api: Api) -> None:
        raise KeyboardInterrupt


class Rude(Failing):
    """Asks the API server for what the protocol does not know."""

    def fail(self, api: Api) -> None:
        api.call(Call())


class Heedless:
    """Binds every pod to the same node, and talks about it."""

    node = "n2"

    def __init__(self) -> None:
        self._waiting: list[Pod] = []

    def handle(self, event: Event, api: Api) -> None:
        print("I heard of", type(event).__name__)
        if isinstance(event, Added) and isinstance(event.object, Pod):
            self._waiting.append(event.object)
        if isinstance(event, StartCycle) and self._waiting:
            pod = self._waiting.pop(0)
            api.call(TookPod(pod))
            api.call(Bind(pod, self.node, ticket=1))

    def observe(self) -> Observation | None:
        return None


class Lost(Heedless):
    """To a node that nobody has."""

    node = "n9"


class Fussy(Reference):
    """Takes no configuration."""

    def scheduler(self, configuration: Configuration) -> Scheduler:
        raise ConfigurationError("this will not do")


class InterruptedEngine(Reference):
    """As if somebody pressed Ctrl-C during the second case."""

    asked = 0

    def queue(self) -> Any:
        self.asked += 1
        if self.asked == 2:
            raise KeyboardInterrupt
        return super().queue()


def broken() -> Scheduler:
    raise RuntimeError("no licence")


def nothing() -> None:
    return None


A_NUMBER = 5
