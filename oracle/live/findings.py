"""From a wrong decision to a finding: what the server held, the pod, and both answers."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from attrs import fields

from model.api.cluster import write_cluster
from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.decode import encode
from model.engine import Reference
from model.rules import RULES, counting
from oracle.compare import FAULT
from oracle.compare.decisions import preempt_members, schedule_members
from oracle.conform.verdict import Difference, first_difference
from oracle.finding import Finding
from oracle.live.judging import Decision
from oracle.trace import Trace, write_trace
from oracle.validate.plan import Plan
from oracle.validate.verdict import sort_of


def finding_of(wrong: Decision, trace: Trace, plan: Plan, seed: str) -> Finding:
    """`trace`: what was played; it stands for findings that are not about one decision."""
    if wrong.situation is None:
        return _of_trace(wrong, trace, plan, seed)
    return _of_situation(wrong, wrong.situation, plan, seed)


def _of_situation(wrong: Decision, situation: Situation, plan: Plan, seed: str) -> Finding:
    kind = "preempt" if wrong.claim == "room" else "schedule"
    case = {"kind": kind, **_case(situation)}
    used: Counter[str] = Counter()
    with counting(used):
        reference = Reference()
        members = (
            preempt_members(reference.preempt(situation))
            if kind == "preempt"
            else schedule_members(reference.decide(situation))
        )
        expected = dict(members)
    actual = {**expected, **_ANSWERED[kind], **wrong.actual}
    found = first_difference(kind, expected, actual) or Difference(kind, None, _problem(wrong))
    return Finding(
        signature=sort_of(wrong, plan.level),
        sentence=_sentence(wrong),
        kind=kind,
        scheduler=plan.scheduler,
        seed=seed,
        trace=case,
        step=None,
        expected=expected,
        actual=actual,
        differences=(found,),
        rules=tuple(sorted(rule for rule in used if rule in RULES)),
    )


_ANSWERED: Mapping[str, Mapping[str, Any]] = {
    "schedule": {"host": None, "error": None, "errorType": None},
    "preempt": {"node": None, "victims": []},
}
"""What a scheduler has not answered that answered something else."""


def _of_trace(wrong: Decision, trace: Trace, plan: Plan, seed: str) -> Finding:
    document = write_trace(trace)
    return Finding(
        signature=sort_of(wrong, plan.level),
        sentence=_sentence(wrong),
        kind="e2e",
        scheduler=plan.scheduler,
        seed=seed,
        trace=document,
        step=-1,
        expected={},
        actual={FAULT: _problem(wrong)},
        differences=(Difference("live", None, _problem(wrong)),),
    )


def _case(situation: Situation) -> dict[str, Any]:
    """In the form of recorded cases."""
    config = situation.configuration
    usual = Configuration()
    changed = {f.name for f in fields(Configuration) if getattr(config, f.name) != getattr(usual, f.name)}
    document: dict[str, Any] = {
        "alwaysCheckAllPredicates": config.always_check_all_predicates,
        "hardPodAffinitySymmetricWeight": config.hard_pod_affinity_weight,
        "percentageOfNodesToScore": config.percentage_of_nodes_to_score,
    }
    for name in {"predicates", "priorities"} & changed:
        document[name] = [
            {"name": entry.name} | ({"argument": dict(entry.argument)} if entry.argument else {})
            for entry in getattr(config, name)
        ]
    return {"cluster": write_cluster(situation.cluster), "config": document, "pod": encode(situation.pod)}


def _sentence(wrong: Decision) -> str:
    return f"The scheduler under test {wrong.said}: {_problem(wrong).rstrip('.')}."


def _problem(wrong: Decision) -> str:
    return wrong.wrong.says if wrong.wrong else ""
