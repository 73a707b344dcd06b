"""A Hypothesis test about a scheduler."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from model.api.components import Engine
from model.api.decode import ManifestError
from oracle.finding import Finding
from oracle.levels import Level
from oracle.report import write_finding
from oracle.report.folder import PAGE
from oracle.schedulers import find_engine
from oracle.validate.describe import describe
from oracle.validate.plan import Plan
from oracle.validate.suites import Suite, suites_for

REPORTS = "SCHED_ORACLE_REPORTS"
"""The environment variable that names the directory of reports; without it they go where `fuzz` puts its own."""

_PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""Without Hypothesis's own shrinking, which knows nothing of clusters."""


class SchedulerFinding(AssertionError):
    """What a scheduler did wrong, in words."""


def scheduler_test(scheduler: str, level: str = "feasible", suite: str = "events") -> Callable[[], None]:
    """A test that plays cases of a suite (`standing`, `events`, `gangs`) to the scheduler.

    Raises ValueError for a level or suite that is unknown, and SchedulerError where the scheduler cannot be had.
    """
    if level.upper() not in Level.__members__:
        raise ValueError(f"level {level!r}: unknown; known are {', '.join(each.word for each in Level)}")
    plan = Plan(scheduler, Level[level.upper()])
    engine = _engine(scheduler)
    suites = {each.name: each for each in suites_for(engine, plan.level, gang=True)}
    if suite not in suites:
        raise ValueError(f"suite {suite!r}: unknown; known are {', '.join(suites)}")

    @cache  # Hypothesis runs a failing example several times
    def finding_of(seed: str) -> Finding | None:
        return _finding(seed, suites[suite], engine, plan)

    @settings(phases=_PHASES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=True))
    def test(random: Random) -> None:
        __tracebackhide__ = True
        finding = finding_of(str(random.getrandbits(64)))
        if finding is not None:
            raise SchedulerFinding(_told(finding))

    test.__name__ = test.__qualname__ = f"test_{suite}_{level}"
    return test


@cache
def _engine(scheduler: str) -> Engine:
    return find_engine(scheduler)


def _finding(seed: str, suite: Suite, engine: Engine, plan: Plan) -> Finding | None:
    case = suite.make(seed, engine)
    try:
        verdict = suite.judge(case, engine, plan.level)
    except ManifestError:
        return None
    return describe(case, verdict.problems[0], suite, engine, plan, seed) if verdict.problems else None


def _told(finding: Finding) -> str:
    folder = write_finding(finding, Path(os.environ.get(REPORTS, "reports")))
    return f"{finding.sentence}\nreport: {folder / PAGE}"
