"""Recorded runs of a whole scheduler: the same events must give the same effects and the same state."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import Engine
from oracle.conform.verdict import Difference
from oracle.environment import Environment, Step
from oracle.guard import guarded_scheduler
from oracle.trace import Trace, read_trace

STATE = {
    "active",
    "assumed",
    "backoff",
    "cacheNodes",
    "ghostNodes",
    "lastNodeIndex",
    "moveRequestCycle",
    "nominated",
    "pendingBinds",
    "schedulingCycle",
    "unschedulable",
}
"""Members of a step that a scheduler shows of itself."""

INFORMATIVE = {"notes"}


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    """The first difference, None where all agree; nothing is compared from an uncertain step on."""
    trace = read_trace(case)
    recorded = trace.expect or {}
    expected = [recorded.get("initial", {}), *recorded.get("steps", [])]
    end = recorded.get("ambiguousAt", recorded.get("crashAt"))
    if end is not None:
        del expected[end + 1 :]
    for at, (wanted, step) in enumerate(zip(expected, _run(trace, engine, expected), strict=False)):
        where = f"steps[{at - 1}]" if at else "initial"
        if (difference := compare_step(where, wanted, step)) is not None:
            return difference
    return None


def _run(trace: Trace, engine: Engine, expected: list[Mapping[str, Any]]) -> Iterator[Step]:
    """Play as many events as there are expectations; the scheduler is asked for its state where one is expected."""
    environment = Environment(guarded_scheduler(engine, trace.configuration), trace.settings)
    observed = [not STATE.isdisjoint(wanted) for wanted in expected]
    yield environment.start(trace.cluster, observed[0])
    for operation, observe in zip(trace.events, observed[1:], strict=False):
        yield environment.step(operation, observe)


def compare_step(where: str, wanted: Mapping[str, Any], step: Step) -> Difference | None:
    """Where a step departs from the recorded one; None where it does not, or where both are crashes."""
    if step.crash is not None or "crash" in wanted:
        both = step.crash is not None and "crash" in wanted
        return None if both else Difference(f"{where}.crash", wanted.get("crash"), step.crash)
    actual = step.document()
    if "resourceVersionInMessage" in wanted.get("notes", ()):
        wanted, actual = _without_digits(wanted), _without_digits(actual)
    for name in _compared(wanted, actual, step):
        if wanted.get(name) != actual.get(name):
            return _narrowed(f"{where}.{name}", wanted.get(name), actual.get(name))
    return None


def _compared(wanted: Mapping[str, Any], actual: Mapping[str, Any], step: Step) -> list[str]:
    """What is there; in a whole state also what is there on one side only.  Effects first: they tell most."""
    names = wanted.keys() | actual.keys() if wanted.keys() >= STATE - {"ghostNodes", "pendingBinds"} else wanted.keys()
    shown = names if step.observation is not None else names - STATE
    return sorted(shown - INFORMATIVE, key=lambda name: (name not in ("popped", "empty"), name != "effects", name))


def _narrowed(where: str, wanted: Any, actual: Any) -> Difference:
    """Of two lists the first member that differs, of two maps the first key."""
    if isinstance(wanted, list) and isinstance(actual, list) and "effects" in where:
        at = next(i for i, pair in enumerate(zip([*wanted, None], [*actual, None], strict=False)) if pair[0] != pair[1])
        expected, shown = (side[at] if at < len(side) else None for side in (wanted, actual))
        return Difference(f"{where}[{at}]", expected, shown)
    if isinstance(wanted, dict) and isinstance(actual, dict):
        key = next(key for key in sorted(wanted.keys() | actual.keys()) if wanted.get(key) != actual.get(key))
        return Difference(f"{where}[{key}]", wanted.get(key), actual.get(key))
    return Difference(where, wanted, actual)


def _without_digits(value: Any) -> Any:
    """Messages show resourceVersions, and other stores count otherwise."""
    if isinstance(value, dict):
        return {
            name: re.sub(r"\d", "", item) if name == "message" else _without_digits(item)
            for name, item in value.items()
        }
    return [_without_digits(item) for item in value] if isinstance(value, list) else value
