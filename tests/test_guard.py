"""A scheduler that leaves, shows nonsense, or never answers is at fault; it does not take the tool with it."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from model.api.configuration import Configuration
from model.api.protocol import Api, Call, Event, Observation, Tick
from oracle.child import Limits
from oracle.compare.divergence import guarded
from oracle.deadline import Overdue, deadline
from oracle.guard import Guarded, SchedulerFault, guarded_scheduler
from oracle.no_exit import no_exit
from oracle.schedulers import SchedulerError, find_engine


class Leaving:
    """Exits as if all were well."""

    def handle(self, event: Event, api: Api) -> None:
        sys.exit(0)

    def observe(self) -> Observation | None:
        sys.exit(0)


class Vanishing(Leaving):
    """The same, and no `finally` would run."""

    def handle(self, event: Event, api: Api) -> None:
        os._exit(0)

    def observe(self) -> Observation | None:
        os._exit(0)


class Babbling:
    """Shows something that is no observation."""

    def handle(self, event: Event, api: Api) -> None:
        pass

    def observe(self) -> Any:
        return "all is well"


class Nowhere:
    def call(self, request: Call[Any]) -> Any:
        raise AssertionError("nobody calls")


@pytest.mark.parametrize("how", [Leaving, Vanishing])
def test_leaving_is_a_fault(how: type[Leaving]) -> None:
    with pytest.raises(SchedulerFault, match="SystemExit while it handled Tick: 0"):
        Guarded(how).handle(Tick(1000), Nowhere())
    with pytest.raises(SchedulerFault, match="SystemExit while it showed its state"):
        Guarded(how).observe()


def test_others_may_leave() -> None:
    """A process forked by the scheduler, for one."""
    with no_exit():
        child = os.fork()
        if not child:
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@pytest.mark.parametrize("leave", [lambda: sys.exit(0), lambda: os._exit(0)])
def test_leaving_in_a_part_is_a_fault(leave: Callable[[], Any]) -> None:
    told = guarded(leave, "while it decided")["fault"]
    assert told.startswith("SystemExit while it decided: 0")


def test_leaving_before_it_is_made_is_a_fault() -> None:
    class Engine:
        def scheduler(self, _: Configuration) -> Any:
            sys.exit(0)

    with pytest.raises(SchedulerFault, match="SystemExit while it was made"):
        guarded_scheduler(Engine(), Configuration())  # type: ignore[arg-type]


def test_an_observation_is_an_observation() -> None:
    with pytest.raises(SchedulerFault, match="expected an Observation or None, got str"):
        Guarded(Babbling).observe()


class Pondering:
    """Never answers, and lets nothing stop it that is an Exception."""

    def handle(self, event: Event, api: Api) -> None:
        while True:
            try:
                time.sleep(60)
            except Exception:
                continue

    def observe(self) -> Observation | None:
        return None


def pondered() -> Any:
    return Pondering().handle(Tick(0), Nowhere())


IMPATIENT = Limits(answer_seconds=0.05)


def test_an_answer_that_never_comes_is_a_fault() -> None:
    engine = find_engine(f"python:{__name__}:Pondering", IMPATIENT)
    with pytest.raises(SchedulerFault, match=r"Overdue while it handled Tick: no end after 0\.05 s"):
        guarded_scheduler(engine, Configuration()).handle(Tick(1000), Nowhere())


def test_a_factory_that_never_returns_is_refused() -> None:
    with pytest.raises(SchedulerError, match=r"the factory failed: Overdue: no end after 0\.05 s"):
        find_engine(f"python:{__name__}:pondered", IMPATIENT)


def test_a_deadline_outlives_one_inside_it() -> None:
    with pytest.raises(Overdue, match=r"0\.1 s"), deadline(0.1):
        _ponder_after(deadline(60))


def _ponder_after(inner: AbstractContextManager[None]) -> None:
    with inner:
        pass
    time.sleep(60)


def test_a_fault_has_the_same_text_in_every_run() -> None:
    class Vague(Babbling):
        def handle(self, event: Event, api: Api) -> None:
            raise ValueError(f"{object()} is not my pod")

    with pytest.raises(SchedulerFault, match=r"ValueError while it handled Tick: <object object> is not my pod"):
        Guarded(Vague).handle(Tick(1000), Nowhere())
