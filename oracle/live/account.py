"""A validation of a real scheduler, accounted for like any other."""

from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from time import monotonic

from oracle.finding import Finding
from oracle.live import PREFIX
from oracle.live.cases import live_case
from oracle.live.findings import finding_of
from oracle.live.judging import Decision
from oracle.live.serving import Serving
from oracle.live.validation import LiveValidation, Played
from oracle.validate.account import Account, Row
from oracle.validate.plan import Plan
from oracle.validate.verdict import of_judged

SUITE = "live"


def validate_live(
    plan: Plan,
    kubeconfig: Path,
    watch: Callable[[Account], None] = lambda _: None,
    found: Callable[[Finding], None] = lambda _: None,
    announce: Callable[[Serving], None] = lambda _: None,
) -> Account:
    """Raises SchedulerError and ServingError.

    `kubeconfig`: where to write it for somebody else's scheduler, and `announce` tells that the server is there.
    """
    account, start = Account(plan), monotonic()
    account.rows[SUITE] = Row()
    validation = LiveValidation(plan.level)
    command = plan.scheduler.removeprefix(PREFIX).strip()
    seeds = [] if plan.examples is None else [f"{plan.seed}/{number}" for number in range(plan.examples)]
    cases = map(live_case, seeds or (f"{plan.seed}/{number}" for number in count()))
    played = validation.of_command(command, cases) if command else validation.of_visitor(cases, kubeconfig, announce)
    with closing(played):
        try:
            for number, one in enumerate(played):
                _take_in(account, one, f"{plan.seed}/{number}", found)
                watch(account)
                account.stopped = account.full
                if account.stopped or (plan.seconds is not None and monotonic() - start >= plan.seconds):
                    break
        except KeyboardInterrupt:
            account.interrupted = True
    return account


def _take_in(account: Account, played: Played, origin: str, found: Callable[[Finding], None]) -> None:
    for problem in account.take_in(SUITE, of_judged(played.decisions, account.plan.level)):
        if isinstance(problem.found, Decision):
            account.findings[problem.signature] = finding_of(problem.found, played.trace, account.plan, origin)
            found(account.findings[problem.signature])
