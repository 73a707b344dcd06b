"""The examples of a search: number `n` of a seed is the same case on every machine, whoever tries it."""

from collections.abc import Sequence
from typing import Any

from model.api.components import Engine
from oracle.compare import COMPARISONS
from oracle.schedulers import OnlyScheduler
from oracle.strategies import case_from_seed

ROUND = ("queue", "schedule", "e2e", "preempt", "cache", "e2e", "schedule", "queue", "e2e", "preempt")
"""Kinds in turn: a trace takes ten times as long as the others, and reaches what they do not."""


def offered_kinds(engine: Engine) -> tuple[str, ...]:
    """What can be judged of an engine: of a bare scheduler only whole traces."""
    return ("e2e",) if isinstance(engine, OnlyScheduler) else tuple(COMPARISONS)


def kind_of(number: int, kinds: Sequence[str]) -> str:
    turns = [kind for kind in ROUND if kind in kinds]
    return turns[number % len(turns)]


def example(seed: int, number: int, kinds: Sequence[str]) -> dict[str, Any]:
    return case_from_seed(kind_of(number, kinds), f"{seed}/{number}")
