"""Finding the scheduler to judge: `model`, `impl`, or one's own.

`python:package.module:factory`: the factory takes no argument and gives an `Engine`, or a new `Scheduler` each
time it is called.  `exec:COMMAND`: a process that speaks the protocol of oracle/PROTOCOL.md.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from model.api.components import Engine
from oracle.child import ChildEngine, CommandError, Limits
from oracle.only_scheduler import OnlyScheduler

GROUP = "sched_oracle.schedulers"
"""The entry-point group in which installed packages offer schedulers by name."""

PREFIX = "python:"
PROCESS = "exec:"


class SchedulerError(ValueError):
    """No scheduler can be had under this name; the message says why."""


def find_engine(name: str, limits: Limits | None = None) -> Engine:
    """`limits`: of a process.  Raises SchedulerError."""
    if name.startswith(PROCESS):
        try:
            return ChildEngine(name.removeprefix(PROCESS), limits)
        except CommandError as error:
            raise SchedulerError(f"scheduler {name}: {error}") from None
    factory = _own(name) if name.startswith(PREFIX) else _offered(name)
    try:
        made = factory()
    except Exception as error:
        raise SchedulerError(f"scheduler {name}: the factory failed: {type(error).__name__}: {error}") from error
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
    return _load(name, found[name])


def _own(name: str) -> Callable[[], Any]:
    module, _, attribute = name.removeprefix(PREFIX).partition(":")
    if not module or not attribute:
        raise SchedulerError(f"scheduler {name}: expected {PREFIX}package.module:factory")
    if "" not in sys.path:
        sys.path.insert(0, "")  # the caller's own module is usually in the current directory
    return _load(name, EntryPoint(name, f"{module}:{attribute}", GROUP))


def _load(name: str, entry: EntryPoint) -> Callable[[], Any]:
    try:
        module: Any = import_module(entry.module)
    except Exception as error:
        raise SchedulerError(
            f"scheduler {name}: importing {entry.module} failed: {type(error).__name__}: {error}"
        ) from error
    for attribute in entry.attr.split("."):
        if not hasattr(module, attribute):
            raise SchedulerError(f"scheduler {name}: {entry.module} has no {entry.attr}")
        module = getattr(module, attribute)
    if not callable(module):
        raise SchedulerError(f"scheduler {name}: {entry.attr} is not callable")
    return module  # type: ignore[no-any-return]
