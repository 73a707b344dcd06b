"""A scheduler that leaves, or shows nonsense, is at fault; it does not take the tool with it."""

import sys
from typing import Any

import pytest

from model.api.configuration import Configuration
from model.api.protocol import Api, Call, Event, Observation, Tick
from oracle.guard import Guarded, SchedulerFault, guarded_scheduler


class Leaving:
    """Exits as if all were well."""

    def handle(self, event: Event, api: Api) -> None:
        sys.exit(0)

    def observe(self) -> Observation | None:
        sys.exit(0)


class Babbling:
    """Shows something that is no observation."""

    def handle(self, event: Event, api: Api) -> None:
        pass

    def observe(self) -> Any:
        return "all is well"


class Nowhere:
    def call(self, request: Call[Any]) -> Any:
        raise AssertionError("nobody calls")


def test_leaving_is_a_fault() -> None:
    with pytest.raises(SchedulerFault, match="SystemExit while it handled Tick: 0"):
        Guarded(Leaving()).handle(Tick(1000), Nowhere())
    with pytest.raises(SchedulerFault, match="SystemExit while it showed its state"):
        Guarded(Leaving()).observe()


def test_leaving_before_it_is_made_is_a_fault() -> None:
    class Engine:
        def scheduler(self, _: Configuration) -> Any:
            sys.exit(0)

    with pytest.raises(SchedulerFault, match="SystemExit while it was made"):
        guarded_scheduler(Engine(), Configuration())  # type: ignore[arg-type]


def test_an_observation_is_an_observation() -> None:
    with pytest.raises(SchedulerFault, match="expected an Observation or None, got str"):
        Guarded(Babbling()).observe()
