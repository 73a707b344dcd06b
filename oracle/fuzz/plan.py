"""What a search is to do."""

from pathlib import Path

from attrs import frozen

from model.api.bad_input import BadInput


class PlanError(BadInput):
    """The search cannot be done as planned; the message says why."""


@frozen
class Plan:
    """`examples` or `seconds`, whichever is given; `workers`: processes, or `dask`: the address of a cluster.

    `memory`: a directory for the corpus, which is tried first, and for the state of a search that is cut short;
    `resume`: go on with that one.
    """

    scheduler: str
    seed: int = 0
    examples: int | None = None
    seconds: float | None = None
    workers: int = 1
    memory: Path | None = None
    dask: str | None = None
    resume: bool = False

    @property
    def effort(self) -> str:
        return f"--examples {self.examples}" if self.seconds is None else f"--seconds {self.seconds:g}"
