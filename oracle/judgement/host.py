"""May this pod go to this node?"""

from collections.abc import Sequence

from model.algorithm import basic_checks
from model.api.configuration import Configuration
from model.api.protocol import Crash
from model.decision import tried_alone, tried_together
from model.fit import PriorityError
from model.permitted import permits_host
from oracle.judgement.judged import Outcome, Wrong
from oracle.judgement.second_opinion import allows_host
from oracle.judgement.view import Known, Sight
from oracle.levels import Level


def judge_host(
    sights: Sequence[Sight], view: Known, node: str, level: Level, is_sure: bool, configuration: Configuration
) -> tuple[Outcome, Wrong | None]:
    """Right if it is right in one of the sights.  `view`: what Z3 is asked about.

    `is_sure`: whether we know where all other pods are.
    """
    pod = sights[0].pod
    problems = [_infeasible(sight.without_nominations, node) for sight in sights]
    if None not in problems:
        wrong = problems[0]
        defended = not is_sure or allows_host(view.cluster, pod, node, configuration)
        return (Outcome.UNCERTAIN if defended else Outcome.FAILED), wrong
    if level < Level.RANKED:
        return Outcome.PASSED, None
    if any(_is_among_best(sight, node) for sight in sights):
        return Outcome.PASSED, None
    wrong = Wrong("score", f"{pod.key} went to {node}, which is not among the best by the scores")
    return (Outcome.FAILED if is_sure and not _is_sampled(sights[0]) else Outcome.UNCERTAIN), wrong


def _infeasible(sight: Sight, node: str) -> Wrong | None:
    attempt = sight.attempt
    if error := basic_checks(attempt.pod, attempt.world):
        return Wrong("unplaceable", f"{attempt.pod.key} went to {node} but cannot be placed at all: {error.text}")
    info = attempt.snapshot.get(node)
    if info is None or info.node is None:
        return Wrong("unknown-node", f"{attempt.pod.key} went to {node}, and there is no such node")
    verdict = tried_together(attempt, info)
    if verdict.fits:
        return None
    failing = [p.name for p in attempt.semantics.predicates if not tried_alone(attempt, info, p.evaluate).fits]
    says = f"{attempt.pod.key} went to {node}, where it does not fit: {verdict.error or ', '.join(verdict.reasons)}"
    return Wrong(failing[0] if failing else "predicates", says)


def _is_among_best(sight: Sight, node: str) -> bool:
    """Where kube-scheduler itself would end or give up, anything goes."""
    try:
        return permits_host(sight.attempt, sight.tree, node)
    except (PriorityError, Crash):
        return True


def _is_sampled(sight: Sight) -> bool:
    return sight.tree.num_nodes >= 100 and sight.attempt.semantics.percentage_of_nodes_to_score < 100
