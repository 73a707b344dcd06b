"""Case after case, suite by suite in turn, until enough was tried or found."""

import time
from collections.abc import Callable, Iterator
from itertools import count

from model.api.components import Engine
from model.api.decode import ManifestError
from oracle.finding import Finding
from oracle.fuzz.refutation import is_asked, refuted
from oracle.judgement import Judged, Outcome
from oracle.schedulers import find_engine
from oracle.validate.account import Account
from oracle.validate.describe import describe
from oracle.validate.plan import Plan
from oracle.validate.suites import Case, Suite, suites_for
from oracle.validate.verdict import Problem, Verdict, doubted

PATIENCE = 3
"""Cases in a row in which the scheduler fails as a program."""


def validate(
    plan: Plan,
    watch: Callable[[Account], None] = lambda _: None,
    found: Callable[[Finding], None] = lambda _: None,
) -> Account:
    """`watch` is told after each case, `found` of each finding.  Raises SchedulerError and SchedulerFault."""
    engine = find_engine(plan.scheduler, plan.limits)
    account, start, faults = Account(plan), time.monotonic(), 0
    try:
        for number, (suite, origin, case) in enumerate(_cases(plan, engine)):
            try:
                verdict = suite.judge(case, engine, plan.level)
                if is_asked(number):
                    verdict = _with_third_opinion(verdict, case, engine, plan)
            except ManifestError:
                continue
            for problem in account.take_in(suite.name, verdict):
                finding = describe(case, problem, suite, engine, plan, origin)
                account.findings[problem.signature] = finding
                found(finding)
            watch(account)
            faults = faults + 1 if any(is_fault(problem) for problem in verdict.problems) else 0
            account.stopped = _why_stop(account, faults)
            if account.stopped or (plan.seconds is not None and time.monotonic() - start >= plan.seconds):
                break
    except KeyboardInterrupt:
        account.interrupted = True
    finally:
        getattr(engine, "close", lambda: None)()
    return account


def _cases(plan: Plan, engine: Engine) -> Iterator[tuple[Suite, str, Case]]:
    suites = suites_for(engine, plan.level, plan.gang)
    for number in range(plan.examples) if plan.examples is not None else count():
        origin = f"{plan.seed}/{number}"
        suite = suites[number % len(suites)]
        yield suite, origin, suite.make(origin, engine)


def _with_third_opinion(verdict: Verdict, case: Case, engine: Engine, plan: Plan) -> Verdict:
    """What the model lets pass and Z3 refutes is uncertain.  The scheduler plays the case once more for it."""
    opinion = refuted(case, engine) if verdict.outcome is Outcome.PASSED else None
    return verdict if opinion is None else doubted(verdict, opinion, plan.level)


def _why_stop(account: Account, faults: int) -> str:
    if faults >= PATIENCE:
        return f"the scheduler failed in {PATIENCE} cases in a row"
    return account.full


def is_fault(problem: Problem) -> bool:
    found = problem.found
    return found.claim in ("fault", "crash") if isinstance(found, Judged) else found.is_fault
