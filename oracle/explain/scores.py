"""How the feasible nodes score, nodes with equal scores together, the best first."""

from collections.abc import Mapping

from attrs import frozen

from model.algorithm import Attempted
from model.attempt import Attempt
from model.decision import scores_alone


@frozen
class Score:
    """`score` 0..10 before the weight; a text where the priority fails."""

    priority: str
    weight: int
    score: int | str

    @property
    def points(self) -> int:
        return self.weight * self.score if isinstance(self.score, int) else 0


@frozen
class ScoredGroup:
    nodes: tuple[str, ...]
    scores: tuple[Score, ...]

    @property
    def total(self) -> int:
        return sum(score.points for score in self.scores)


def scored(attempt: Attempt, attempted: Attempted) -> tuple[ScoredGroup, ...]:
    """Of a single feasible node the scores it would have had."""
    feasible = attempted.feasible or ()
    if not feasible:
        return ()
    by_priority = [(p, scores_alone(p, attempt, feasible)) for p in attempt.semantics.priorities]
    alike: dict[tuple[Score, ...], list[str]] = {}
    for name in feasible:
        own = tuple(Score(p.name, p.weight, _of(scores, name)) for p, scores in by_priority)
        alike.setdefault(own, []).append(name)
    groups = (ScoredGroup(tuple(nodes), own) for own, nodes in alike.items())
    return tuple(sorted(groups, key=lambda group: -group.total))


def _of(scores: Mapping[str, int] | str, node: str) -> int | str:
    return scores if isinstance(scores, str) else scores[node]
