"""The rules of the specification, countable: which there are, what each says, how often a run used it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from attrs import frozen

P = ParamSpec("P")
R = TypeVar("R")


@frozen
class Rule:
    """`where`: module and function that state the rule; `counted`: whether its uses can be counted."""

    id: str
    statement: str
    where: str
    counted: bool = True


RULES: dict[str, Rule] = {}
_counts: Counter[str] | None = None
_ids: dict[Callable[..., object], list[str]] = {}
"""The rules that each counted function is."""


def rule(rule_id: str, statement: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a function as the rule `rule_id`: each call counts as one use.  May be stacked."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        _register(rule_id, statement, function)
        if function in _ids:
            _ids[function].append(rule_id)
            return function
        counted = _counted(function, ids := [rule_id])
        _ids[counted] = ids
        return counted

    return mark


def _counted(function: Callable[P, R], ids: list[str]) -> Callable[P, R]:
    @wraps(function)
    def counted(*args: P.args, **kwargs: P.kwargs) -> R:
        if _counts is not None:
            _used(ids)
        return function(*args, **kwargs)

    # Passing on two arguments by name takes half the time, and predicates, called once a node, have two.
    @wraps(function)
    def counted_with_two(first: Any, second: Any) -> R:
        if _counts is not None:
            _used(ids)
        return function(first, second)  # type: ignore[call-arg]

    return counted_with_two if _takes_two(function) else counted  # type: ignore[return-value]


def _takes_two(function: Callable[..., object]) -> bool:
    parameters = signature(function).parameters.values()
    return len(parameters) == 2 and all(p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)


def _used(ids: Iterable[str]) -> None:
    assert _counts is not None
    for rule_id in ids:
        _counts[rule_id] += 1


def clause(rule_id: str, statement: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a function as the home of a rule that is a line or a branch of it: `reached(rule_id)` stands there."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        _register(rule_id, statement, function)
        return function

    return mark


def declare(rule_id: str, statement: str, module: str) -> None:
    """Register a rule that is stated by a table or a constant of `module` (pass `__name__`); it is not counted."""
    RULES[rule_id] = Rule(rule_id, statement, module, counted=False)


def _register(rule_id: str, statement: str, function: Callable[..., object]) -> None:
    if rule_id in RULES:
        raise ValueError(f"rule {rule_id} is stated twice: {RULES[rule_id].where} and {function.__qualname__}")
    RULES[rule_id] = Rule(rule_id, statement, f"{function.__module__}.{function.__qualname__}")


def reached(what: str) -> None:
    """Count a rule ID, or any other outcome worth knowing (`reason: Insufficient cpu`)."""
    if _counts is not None:
        _counts[what] += 1


@contextmanager
def counting(counts: Counter[str]) -> Iterator[Counter[str]]:
    """Count into `counts` while the block runs."""
    global _counts
    before, _counts = _counts, counts
    try:
        yield counts
    finally:
        _counts = before
