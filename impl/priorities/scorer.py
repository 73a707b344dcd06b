"""What every priority looks like, once prepared for a pod."""

from collections.abc import Callable
from typing import ClassVar, Final, TypeAlias

import numpy as np
from attrs import define

from impl.lanes import Ints, Lane, Rows, quotient
from impl.pod_kind import PodKind
from impl.surroundings import Surroundings
from impl.table import Table
from model.api.objects import Pod

MAX = 10
NOTHING: Final = 0
"""Instead of an array: every score is 0."""


class PriorityError(Exception):
    """A priority that cannot be computed; the message is kube-scheduler's.  [S-015]"""


@define
class Subject:
    """Whose nodes are scored."""

    pod: Pod
    kind: PodKind
    table: Table
    surroundings: Surroundings
    hard_pod_affinity_weight: int = 1


class Scorer:
    """`local`: a row's score depends on that row and the pod's local content only, so it can be kept and shared.

    `scores` then takes any rows; otherwise the feasible ones, as an array in their order, repetitions included,
    or as a slice, and may give NOTHING.
    Raises PriorityError or Crash.
    """

    local: ClassVar[bool] = True
    of_amounts: ClassVar[bool] = False
    """It depends on the row's used, allocatable and nonzero amounts only."""
    by_node: ClassVar[bool] = True
    """Kube-scheduler scores each node by itself before it looks at the list.  [S-016]"""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.table = subject.table

    def scores(self, rows: Rows) -> Lane:
        raise NotImplementedError


Factory: TypeAlias = Callable[[Subject], Scorer]


class Constant(Scorer):
    """The same score everywhere."""

    def __init__(self, subject: Subject, score: int) -> None:
        super().__init__(subject)
        self.score = score

    def scores(self, rows: Rows) -> Lane:
        return np.full_like(self.table.with_affinity[rows], self.score)


class Kept(Scorer):
    """Scores that node objects alone decide: kept as a column."""

    def __init__(self, subject: Subject, column: Ints) -> None:
        super().__init__(subject)
        self._column = column

    def scores(self, rows: Rows) -> Lane:
        return self._column[rows]


def normalized(raw: Ints, reverse: bool) -> Ints:
    """Stretched to 0..10; where nothing exceeds 0: unchanged, or 10 in reverse.  [S-017]"""
    most = max(0, int(raw.max(initial=0)))
    if most == 0:
        return np.full_like(raw, MAX) if reverse else raw
    stretched: Ints = quotient(MAX * raw, most)
    return MAX - stretched if reverse else stretched


class Normalized(Scorer):
    """Raw scores by row, stretched over the feasible nodes."""

    local = False

    def __init__(self, subject: Subject, raw: Ints, reverse: bool) -> None:
        super().__init__(subject)
        self._raw = raw
        self._reverse = reverse

    def scores(self, rows: Rows) -> Lane:
        return normalized(self._raw[rows], self._reverse)


def stretched(subject: Subject, raw: Ints, reverse: bool) -> Scorer:
    """`Normalized`, or what it comes to when all raw scores are 0."""
    if raw.any():
        return Normalized(subject, raw, reverse)
    return Constant(subject, MAX if reverse else 0)
