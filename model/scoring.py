"""Scoring the feasible nodes: the priorities' weighted sum and what extenders add.  [L-071, L-072]"""

from collections.abc import Generator, Sequence
from typing import Any

from model.api.objects import Node
from model.api.protocol import Call
from model.attempt import Attempt, known
from model.extenders import scores_of
from model.priorities.prioritize import prioritize, with_extender_scores
from model.rules import rule


@rule("L-071", "A node's total is the weighted sum of its scores plus what the extenders add")
@rule("L-072", "All priorities are computed over the feasible nodes, and an error of any of them fails the attempt")
def total_scores(attempt: Attempt, feasible: Sequence[Node]) -> Generator[Call[Any], Any, Sequence[int]]:
    """In the order of `feasible`.  Raises PriorityError with all distinct texts, and Crash."""
    names = [node.name for node in feasible]
    totals = prioritize(attempt, known(attempt, names))
    answers = yield from scores_of(attempt.semantics.extenders, attempt.pod, feasible)
    return with_extender_scores(totals, names, answers)
