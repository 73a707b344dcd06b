"""Scoring the feasible nodes: the priorities' weighted sum and what extenders add.  [L-071, L-072]"""

from collections.abc import Generator, Sequence
from typing import Any

from model.api.protocol import Call
from model.attempt import Attempt
from model.extenders import scores_of
from model.node_info import NodeInfo
from model.priorities.prioritize import prioritize, with_extender_scores
from model.rules import rule

NOT_IN_SNAPSHOT = NodeInfo()


@rule("L-071", "A node's total is the weighted sum of its scores plus what the extenders add")
@rule("L-072", "All priorities are computed over the feasible nodes, and an error of any of them fails the attempt")
def total_scores(attempt: Attempt, feasible: Sequence[str]) -> Generator[Call[Any], Any, Sequence[int]]:
    """In the order of `feasible`.  Raises PriorityError with all distinct texts, and Crash."""
    infos = [attempt.snapshot.get(name, NOT_IN_SNAPSHOT) for name in feasible]
    totals = prioritize(attempt, infos)
    answers = yield from scores_of(attempt.semantics.extenders, attempt.pod, attempt.snapshot, feasible)
    return with_extender_scores(totals, infos, answers)
