"""What every predicate looks like, once prepared for a pod."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

from attrs import define

from impl.lanes import Codes, Flags, Lane, Rows
from impl.outcomes import Outcomes
from impl.pod_kind import PodKind
from impl.surroundings import Surroundings
from impl.table import Table
from impl.trial import Trial
from model.api.objects import Pod


@define
class Question:
    """Where would a pod of this kind fit?  `pod`: the one that asks at present."""

    pod: Pod
    kind: PodKind
    table: Table
    outcomes: Outcomes
    surroundings: Surroundings
    ignored_resources: frozenset[str] = frozenset()
    max_volumes: int = 0
    """KUBE_MAX_PD_VOLS, 0 when it says nothing.  [P-071]"""
    count_volumes: bool = True
    """The gate AttachVolumeLimit."""


class Check:
    """A predicate for one question; its verdicts are outcome codes."""

    static: ClassVar[bool] = False
    """The verdict depends on node objects only, not on the pods placed."""
    local: ClassVar[bool] = True
    """The verdict on a row depends on that row and the pod's local content only."""
    columnar: ClassVar[bool] = True
    """`codes` is there."""
    watching: ClassVar[bool] = False
    """The trial must tell of pods removed and added."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.table = question.table
        self.outcomes = question.outcomes

    def prepare(self) -> None:
        """Look at the surroundings as they are now; before each attempt."""

    @property
    def is_idle(self) -> bool:
        """Every node fits at present, whatever happens to its pods."""
        return False

    def codes(self, rows: Rows) -> Lane:
        """The verdict on one row, or on a slice of rows."""
        raise NotImplementedError

    def at(self, trial: Trial) -> int:
        """The verdict on a node as the trial has it."""
        raise NotImplementedError

    def start(self, trial: Trial) -> None:
        """Prepare to watch a trial."""

    def removed(self, trial: Trial, pod: Pod, kind: PodKind) -> None:
        """[P-036]"""

    def added(self, trial: Trial, pod: Pod, kind: PodKind) -> None:
        """[P-037]"""


Argument: TypeAlias = Mapping[str, Any]
Factory: TypeAlias = Callable[[Question], "Check | None"]
"""None: every node fits, whatever happens to it."""


class Static(Check):
    """A verdict that node objects alone decide: kept as a column."""

    static = True

    def __init__(self, question: Question, codes: Codes) -> None:
        super().__init__(question)
        self._codes = codes

    @classmethod
    def where(cls, question: Question, fails: Flags, reason: str) -> "Static | None":
        """Unless no row fails."""
        if not fails.any():
            return None
        return cls(question, fails * question.outcomes.code(reason))

    def codes(self, rows: Rows) -> Lane:
        return self._codes[rows]

    def at(self, trial: Trial) -> int:
        return int(self._codes[trial.row])


class Flagged(Check):
    """A verdict made of one flag per possible reason."""

    reasons: tuple[str, ...]

    def flags(self, rows: Rows) -> Flags:
        """A line per reason; for one row, one flag per reason."""
        raise NotImplementedError

    def flags_at(self, trial: Trial) -> Flags:
        raise NotImplementedError

    def codes(self, rows: Rows) -> Lane:
        return self.outcomes.of_flags(self.flags(rows), self.reasons)

    def at(self, trial: Trial) -> int:
        code: int = self.outcomes.of_flags(self.flags_at(trial), self.reasons)
        return code
