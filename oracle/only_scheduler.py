"""Schedulers as engines, where there is no more to them than the scheduler."""

from collections.abc import Callable
from typing import Any, NoReturn

from model.api.configuration import Configuration
from model.api.protocol import Scheduler


class OnlyScheduler:
    """An engine made of a scheduler whose parts cannot be had alone.

    `configurable`: whether it takes the configuration of a case; one that brings its own is only asked for what
    the default configuration decides.  `features`: what of a case it understands, None for everything.
    """

    configurable = False
    features: frozenset[str] | None = None

    def __init__(self, name: str, factory: Callable[[], Scheduler]) -> None:
        self.name = name
        self._factory = factory

    def scheduler(self, configuration: Configuration) -> Scheduler:
        """Such a scheduler brings its own configuration."""
        return self._factory()

    def queue(self) -> NoReturn:
        self._not_offered()

    def cache(self, ttl_ms: int) -> NoReturn:
        self._not_offered()

    def decide(self, *_: Any) -> NoReturn:
        self._not_offered()

    preempt = predicate = priority = decide

    def _not_offered(self) -> NoReturn:
        raise NotImplementedError(f"{self.name} offers a whole scheduler, not its parts")
