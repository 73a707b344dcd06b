"""The examples of a search: number `n` of a seed is the same case on every machine, whoever tries it."""

from typing import Any

from attrs import fields

from model.api.components import Engine
from model.api.decode import json_name
from oracle.compare import COMPARISONS
from oracle.environment import Settings
from oracle.only_scheduler import OnlyScheduler
from oracle.strategies import case_from_seed

ROUND = (
    "queue",
    "schedule",
    "cache",
    "preempt",
    "e2e",
    "schedule",
    "predicate",
    "preempt",
    "queue",
    "schedule",
    "cache",
    "preempt",
    "priority",
    "schedule",
    "e2e",
    "preempt",
    "prioritize",
)
"""Kinds in turn: a trace takes five times as long as the others, and reaches what they do not."""

_SETTINGS = {json_name(field.name) for field in fields(Settings)}


def can_try(kind: str, engine: Engine) -> bool:
    """Of a bare scheduler only whole traces can be judged."""
    return kind in COMPARISONS and (kind == "e2e" or not isinstance(engine, OnlyScheduler))


def example(seed: int, number: int, engine: Engine) -> dict[str, Any]:
    """A bare scheduler brings its own configuration, which is taken to be the usual one, and is shown nothing but
    what it understands."""
    if not isinstance(engine, OnlyScheduler):
        return case_from_seed(ROUND[number % len(ROUND)], f"{seed}/{number}")
    case = case_from_seed("e2e", f"{seed}/{number}", engine.features)
    return case | {"config": {name: value for name, value in case["config"].items() if name in _SETTINGS}}
