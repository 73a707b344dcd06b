"""From a problem to a finding: the smallest case that shows it, and what both sides do there."""

from collections.abc import Mapping
from typing import Any

from model.api.cluster import write_cluster
from model.api.components import Engine
from model.api.decode import ManifestError
from model.engine import Reference
from oracle.compare import FAULT, Divergence, is_slow
from oracle.compare.traces import Run
from oracle.compare.wording import sentence
from oracle.conform.verdict import Difference
from oracle.finding import JUDGED, Finding
from oracle.fuzz.describe import FAULT_TRIES
from oracle.fuzz.trial import try_case
from oracle.judgement import Judged
from oracle.judgement.settling import settled
from oracle.last_words import in_short
from oracle.printable import begun
from oracle.shrink import shrink, shrink_divergence
from oracle.trace import read_trace
from oracle.validate.plan import Plan
from oracle.validate.suites import GANGS, Case, Suite
from oracle.validate.verdict import Problem

TRIES = 200
"""Cases tried to make one smaller."""

SLOW = ("Hung", "Flooded", "Overdue")
"""Faults that take long to show again."""


def describe(case: Case, problem: Problem, suite: Suite, engine: Engine, plan: Plan, origin: str) -> Finding:
    if isinstance(problem.found, Divergence):
        return _of_divergence(case, problem, problem.found, engine, plan, origin)
    return _of_judged(case, problem, problem.found, suite, engine, plan, origin)


def _of_divergence(
    case: Case, problem: Problem, divergence: Divergence, engine: Engine, plan: Plan, origin: str
) -> Finding:
    slow = is_slow(divergence.actual)
    small = case if slow else shrink_divergence(case, engine, TRIES)
    trial = None if slow else try_case(small, engine)
    found = trial.divergence if trial and trial.divergence else divergence
    return Finding(
        signature=problem.signature,
        sentence=sentence(small, found, plan.scheduler),
        kind=small["kind"],
        scheduler=plan.scheduler,
        seed=origin,
        trace=small,
        step=found.step,
        expected=found.expected,
        actual=found.actual,
        differences=(found.difference,),
    )


def _of_judged(
    case: Case, problem: Problem, judged: Judged, suite: Suite, engine: Engine, plan: Plan, origin: str
) -> Finding:
    def shown(candidate: Mapping[str, Any]) -> Judged | None:
        try:
            problems = suite.judge(candidate, engine, plan.level).problems
        except (ManifestError, KeyError, TypeError, ValueError, AttributeError):
            return None  # no longer a case that can be understood
        same = (each.found for each in problems if each.signature == problem.signature)
        return next((found for found in same if isinstance(found, Judged)), None)

    small, found = dict(case), judged
    if not (judged.claim == "fault" and judged.wrong and judged.wrong.tag in SLOW):
        for candidate in _shorter(case, judged):
            if shown(candidate):
                small = candidate
                break
        tries = FAULT_TRIES if judged.claim in ("fault", "crash") else TRIES
        small = shrink(small, lambda candidate: shown(candidate) is not None, tries)
        found = shown(small) or judged
    assert found.wrong is not None
    expected, actual = _records(small, found, engine)
    return Finding(
        signature=problem.signature,
        sentence=begun(in_short(found.wrong.says)),
        kind="e2e",
        scheduler=plan.scheduler,
        seed=origin,
        trace={**small, JUDGED: suite.name if suite is GANGS else plan.level.word},
        step=found.step,
        expected=expected,
        actual=actual,
        differences=(_difference(f"steps[{found.step}]", expected, actual, found.wrong.says),),
    )


def _difference(where: str, expected: Mapping[str, Any], actual: Mapping[str, Any], says: str) -> Difference:
    if FAULT in actual:
        return Difference(f"{where}.{FAULT}", None, actual[FAULT])
    return Difference(where, expected.get("effects"), actual.get("effects"), says)


def _shorter(case: Case, judged: Judged) -> list[dict[str, Any]]:
    """The cluster as the scheduler knew it, with this pod to place; the same and time enough; nothing later."""
    found: list[dict[str, Any]] = []
    if judged.cluster is not None:
        bare = {**case, "cluster": write_cluster(judged.cluster), "events": [{"op": "scheduleOne"}]}
        alone = tuple(p for p in judged.cluster.pods if p.spec.node_name or p.key == judged.pod)
        found.append({**bare, "cluster": write_cluster(judged.cluster.having(pods=alone))})
        found += [bare, settled({**bare, "events": []})]
    return [*found, {**case, "events": case["events"][: judged.step + 1]}]


def _records(case: Case, judged: Judged, engine: Engine) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What the reference and the scheduler do in that step, each in a world of its own."""
    trace = read_trace(case)
    records: list[Mapping[str, Any]] = []
    for one in (Reference(), engine):
        run, record = Run(trace, one), {}
        for _ in range(judged.step + 2):
            record = dict(run.next_record())
            if FAULT in record or "crash" in record:
                break
        records.append(record)
    expected, actual = records
    if judged.claim in ("fault", "crash") and judged.wrong:
        actual = {FAULT: judged.wrong.says}
    return expected, actual
