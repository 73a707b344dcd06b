"""Finding the scheduler to judge: `model`, `impl`, or one's own.

`python:package.module:factory`: the factory takes no argument and gives an `Engine`, or a new `Scheduler` each
time it is called.  `exec:COMMAND`: a process that speaks the protocol of oracle/PROTOCOL.md.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from model.api.bad_input import BadInput
from model.api.components import Engine
from oracle.child import ChildEngine, CommandError, Limits
from oracle.deadline import Overdue, deadline
from oracle.guard import Patient
from oracle.last_words import with_place
from oracle.no_exit import no_exit
from oracle.only_scheduler import OnlyScheduler
from oracle.printable import without_addresses

GROUP = "sched_oracle.schedulers"
"""The entry-point group in which installed packages offer schedulers by name."""

PREFIX = "python:"
PROCESS = "exec:"


class SchedulerError(BadInput):
    """No scheduler can be had under this name; the message says why."""


def find_engine(name: str, limits: Limits | None = None) -> Engine:
    """`limits`: of a process; one in this process has the seconds for each answer.  Raises SchedulerError."""
    if name.startswith(PROCESS):
        try:
            return ChildEngine(name.removeprefix(PROCESS), limits)
        except CommandError as error:
            raise SchedulerError(f"scheduler {name}: {error}") from None
    if not name.startswith(PREFIX):
        return _made(name, _offered(name))
    with deadline(limits.answer_seconds) if limits else nullcontext():
        engine = _made(name, _own(name))
    return engine if limits is None else Patient(engine, limits.answer_seconds)


def _made(name: str, factory: Callable[[], Any]) -> Engine:
    with _blamed(f"scheduler {name}: the factory failed"):
        made = factory()
    if callable(getattr(made, "scheduler", None)):
        return made  # type: ignore[no-any-return]
    if callable(getattr(made, "handle", None)) and callable(getattr(made, "observe", None)):
        return OnlyScheduler(name, factory)
    raise SchedulerError(
        f"scheduler {name}: the factory gave {type(made).__name__}, which is neither an Engine "
        "(with a method `scheduler`) nor a Scheduler (with `handle` and `observe`)"
    )


def _offered(name: str) -> Callable[[], Any]:
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise SchedulerError(
            f"no scheduler is called {name!r}; there are {', '.join(sorted(found))}, {PREFIX}package.module:factory "
            f"and {PROCESS}COMMAND"
        )
    return _loaded(name, found[name].module, found[name].attr)


def _own(name: str) -> Callable[[], Any]:
    module, _, attribute = name.removeprefix(PREFIX).partition(":")
    if not module or not attribute:
        raise SchedulerError(f"scheduler {name}: expected {PREFIX}package.module:factory")
    if "" not in sys.path:
        sys.path.insert(0, "")  # the caller's own module is usually in the current directory
    return _loaded(name, module, attribute)


def _loaded(name: str, module: str, attribute: str) -> Callable[[], Any]:
    with _blamed(f"scheduler {name}: importing {module} failed"):
        found: Any = import_module(module)
    for step in attribute.split("."):
        if not hasattr(found, step):
            raise SchedulerError(f"scheduler {name}: {module} has no {attribute}")
        found = getattr(found, step)
    if not callable(found):
        raise SchedulerError(f"scheduler {name}: {attribute} is not callable")
    return found  # type: ignore[no-any-return]


@contextmanager
def _blamed(what: str) -> Iterator[None]:
    try:
        with no_exit():
            yield
    except (Exception, SystemExit, Overdue) as error:
        text = without_addresses(f"{what}: {type(error).__name__}: {error}")
        raise SchedulerError(with_place(text, error)) from error
