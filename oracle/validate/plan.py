"""What a validation is asked for."""

from collections.abc import Callable, Mapping

from attrs import frozen

from model.api.components import Engine
from model.engine import Reference
from oracle.child import Limits
from oracle.levels import Level
from oracle.validate.known import Deviation

SEMANTICS: Mapping[str, Callable[[], Engine]] = {"v1.15": Reference}
"""Releases of kube-scheduler by which to judge."""


@frozen
class Plan:
    """`examples` or `seconds`, whichever is given; `gang`: also whether groups of pods are placed as one.

    `limits`: of a scheduler that is a process.
    """

    scheduler: str
    level: Level = Level.FEASIBLE
    seed: int = 0
    examples: int | None = None
    seconds: float | None = None
    gang: bool = False
    known: tuple[Deviation, ...] = ()
    limits: Limits = Limits()

    @property
    def effort(self) -> str:
        return f"--examples {self.examples}" if self.seconds is None else f"--seconds {self.seconds:g}"
