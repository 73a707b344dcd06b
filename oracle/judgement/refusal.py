"""Is it true that no node takes the pod?"""

from collections.abc import Sequence

from model.algorithm import basic_checks
from model.api.configuration import Configuration
from model.api.protocol import Crash
from model.fit import PriorityError
from model.priorities.prioritize import prioritize
from oracle.judgement.judged import Outcome, Wrong
from oracle.judgement.second_opinion import allows_refusal
from oracle.judgement.view import Known, Sight


def judge_refusal(
    sights: Sequence[Sight], view: Known, is_sure: bool, configuration: Configuration
) -> tuple[Outcome, Wrong | None]:
    """Right if it is right in one of the sights.  `is_sure`: whether we know where all other pods are."""
    if any(refuses(sight) for sight in sights):
        return Outcome.PASSED, None
    pod = sights[0].pod
    wrong = Wrong("overlooked", f"{pod.key} was called unschedulable, but fits {_some(sights[0].feasible)}")
    defended = not is_sure or allows_refusal(view.cluster, pod, configuration)
    return (Outcome.UNCERTAIN if defended else Outcome.FAILED), wrong


def refuses(sight: Sight) -> bool:
    """Whether kube-scheduler finds no host, for want of room or because something goes wrong."""
    if basic_checks(sight.pod, sight.attempt.world) is not None or not sight.feasible:
        return True
    try:
        prioritize(sight.attempt, [sight.attempt.snapshot[name] for name in sight.feasible])
    except (PriorityError, Crash):
        return True
    return False


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
