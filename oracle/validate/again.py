"""A case that a finding was made of, judged once more as it was judged then.

Its member `judged` says how: the word of a level, `gangs`, or `refuted` where Z3 had its doubts.  Without it the
scheduler is compared with the model, step by step.
"""

from model.api.components import Engine
from oracle.conform import CaseError
from oracle.finding import JUDGED, REFUTED
from oracle.fuzz.refutation import refuted
from oracle.judgement.gang import judge_gangs
from oracle.judgement.judged import Outcome
from oracle.judgement.playing import judge_trace
from oracle.levels import LEVELS
from oracle.validate.suites import GANGS, Case


def judged_again(case: Case, engine: Engine) -> tuple[str, ...]:
    """What is wrong, in sentences.  Raises ManifestError and CaseError."""
    how = case[JUDGED]
    if how == REFUTED:
        opinion = refuted(case, engine)
        return () if opinion is None else (opinion.refutation,)
    if how == GANGS.name:
        judged = judge_gangs(case, engine)
    elif isinstance(how, str) and how in LEVELS:
        judged = judge_trace(case, engine, LEVELS[how]).judged
    else:
        raise CaseError(f"{JUDGED}: {how!r:.60} is unknown; known are {', '.join((*LEVELS, GANGS.name, REFUTED))}")
    return tuple(each.wrong.says for each in judged if each.outcome is Outcome.FAILED and each.wrong)
