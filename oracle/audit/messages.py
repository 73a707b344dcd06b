"""Was a pod rightly refused, and for the reasons told?"""

from model.algorithm import Attempted, basic_checks, filtered
from model.api.protocol import Crash
from model.decision import answered
from oracle.judgement.judged import Outcome, Wrong
from oracle.judgement.refusal import refuses
from oracle.judgement.view import Sight


def judge_message(sight: Sight, message: str) -> tuple[Outcome, Wrong | None]:
    """Uncertain where kube-scheduler itself would end."""
    pod = sight.pod.key
    try:
        expected = _refusal(sight)
        if expected == message:
            return Outcome.PASSED, None
        if not refuses(sight):
            return Outcome.FAILED, Wrong("overlooked", f"{pod} was called unschedulable, but fits {sight.feasible[0]}")
    except Crash:
        return Outcome.UNCERTAIN, None
    if expected is None:
        return Outcome.PASSED, None
    return Outcome.FAILED, Wrong("message", f"the message about {pod} should be: {expected}")


def _refusal(sight: Sight) -> str | None:
    """What kube-scheduler says of a pod that fits nowhere, None if it fits somewhere.  Raises Crash."""
    if problem := basic_checks(sight.pod, sight.attempt.world):
        return problem.text
    error = answered(filtered(sight.attempt, Attempted(sight.tree, 0)), {}).error
    return error.text if error else None
