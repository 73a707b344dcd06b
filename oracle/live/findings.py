"""From a wrong decision to a finding: what the server held, the pod, and both answers."""

from oracle.compare import FAULT
from oracle.conform.verdict import Difference
from oracle.finding import Finding
from oracle.judgement.finding import finding_of_decision
from oracle.last_words import LAST_WORDS, in_short
from oracle.live.judging import Decision
from oracle.trace import Trace, write_trace
from oracle.validate.plan import Plan
from oracle.validate.verdict import sort_of


def finding_of(wrong: Decision, trace: Trace, plan: Plan, seed: str) -> Finding:
    """`trace`: what was played; it stands for findings that are not about one decision."""
    says = wrong.wrong.says if wrong.wrong else ""
    said = f"{wrong.said}{LAST_WORDS if wrong.claim == 'fault' else ': '}{says.rstrip('.')}"
    signature, sentence = sort_of(wrong, plan.level), f"The scheduler under test {in_short(said)}."
    if wrong.situation is not None:
        return finding_of_decision(
            wrong.situation,
            wrong.claim == "room",
            wrong.actual,
            says,
            signature=signature,
            sentence=sentence,
            scheduler=plan.scheduler,
            seed=seed,
        )
    return Finding(
        signature=signature,
        sentence=sentence,
        kind="e2e",
        scheduler=plan.scheduler,
        seed=seed,
        trace=write_trace(trace),
        step=-1,
        expected={},
        actual={FAULT: said},
        differences=(Difference("live", None, in_short(said)),),
    )
