"""A scheduler that does what a test has written down, and a world around it."""

from collections.abc import Mapping, Sequence
from typing import Any

from model.api.cluster import Cluster
from model.api.objects import KubernetesObject
from model.api.protocol import Api, Call, Event, StartCycle
from oracle.environment import Environment, Settings

PLAIN = Settings()


class Script:
    """Notes what it is told, makes the calls written for a kind of event, and forgets the notes when restarted."""

    def __init__(self, calls: Mapping[type[Event], Sequence[Call[Any] | Exception]] | None = None) -> None:
        self.told: list[Any] = []
        self.answers: list[Any] = []
        self.calls = dict(calls or {})

    def handle(self, event: Event, api: Api) -> None:
        self.told.append(event)
        for call in self.calls.get(type(event), ()):
            if isinstance(call, Exception):
                raise call
            self.answers.append(api.call(call))

    def observe(self) -> None:
        return None

    def restart(self) -> None:
        self.told.clear()


def world(
    *things: KubernetesObject, settings: Settings = PLAIN, cycle: Sequence[Call[Any]] = ()
) -> tuple[Environment, Script]:
    """A started environment and its scheduler, which has forgotten the start and makes the calls of `cycle` in each."""
    script = Script({StartCycle: cycle})
    environment = Environment(script, settings)
    environment.start(Cluster.of(things))
    script.told.clear()
    return environment, script
