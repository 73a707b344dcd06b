"""`sched-oracle validate`: one verdict about a scheduler, whatever it is written in."""

from pathlib import Path
from typing import Annotated

import typer

from oracle.child import Limits
from oracle.child.limits import MIB
from oracle.cli.exit_codes import DIVERGED, FINE, SCHEDULER_FAILED
from oracle.cli.failures import interrupted, level_named, refuse
from oracle.cli.options import AsJson, ReportsPath
from oracle.cli.streams import notice, progress, show, show_json
from oracle.finding import Finding
from oracle.levels import Level
from oracle.live import PREFIX as REAL
from oracle.live.account import validate_live
from oracle.live.serving import Serving
from oracle.occupied import occupying
from oracle.printable import counted
from oracle.report import write_finding, write_index, write_junit
from oracle.validate import Account, Plan, read_deviations
from oracle.validate import validate as validated
from oracle.validate.plan import SEMANTICS

USUAL_SECONDS = 60.0
KUBECONFIG = "kubeconfig"
"""Written for somebody else's scheduler, where `kube:` is given no command."""


def validate(
    scheduler: Annotated[
        str,
        typer.Option(
            "--scheduler",
            "-s",
            metavar="S",
            help="'exec:COMMAND' for a process that speaks our protocol, 'kube:COMMAND' for a real "
            "scheduler, 'python:package.module:factory', 'model', or 'impl'.",
        ),
    ],
    level: Annotated[
        str,
        typer.Option(metavar="L", help="Hold it to hard constraints (feasible), scores too (ranked), or all (exact)."),
    ] = Level.FEASIBLE.word,
    semantics: Annotated[str, typer.Option(metavar="V", help="The release of kube-scheduler to hold it to.")] = "v1.15",
    examples: Annotated[int | None, typer.Option(min=1, metavar="N", help="Try so many cases.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.1, metavar="N", help=f"Try cases for so long; {USUAL_SECONDS:g} if nothing is said."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, other cases.")] = 0,
    reports: ReportsPath = Path("reports"),
    known: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Known deviations with their reasons (YAML); they do not fail the run."),
    ] = None,
    gang: Annotated[bool, typer.Option("--gang", help="Also ask that groups of pods are placed as one.")] = False,
    patience: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="How long a process may take for one answer.")
    ] = Limits().answer_seconds,
    memory: Annotated[
        int, typer.Option(min=16, metavar="MIB", help="How much address space a process may have.")
    ] = Limits().memory // MIB,
    as_json: AsJson = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the findings as JUnit XML.")] = None,
) -> None:
    """Play generated clusters and events to a scheduler and judge every decision it makes.

    Prints a table of suites with the cases that passed, failed, or stayed uncertain, and a report for each finding.
    """
    limits = Limits(answer_seconds=patience, memory=memory * MIB)
    plan = _plan(scheduler, level, semantics, examples, seconds, seed, gang, known, limits)
    with occupying(reports):
        account = _validated(plan, reports)
        if as_json:
            show_json(account.document())
        else:
            _show(account)
        index = write_index(account.search, reports)
    if junit is not None:
        write_junit(account.search, junit)
    if not as_json:
        show(f"report: {index}")
    for deviation in account.unused:
        notice(f"known deviation not met: {deviation.signature} ({deviation.reason})")
    if account.stopped:
        notice(f"ended early: {account.stopped}")
    if account.interrupted:
        interrupted()
    raise typer.Exit(_exit_code(account))


def _plan(
    scheduler: str,
    level: str,
    semantics: str,
    examples: int | None,
    seconds: float | None,
    seed: int,
    gang: bool,
    known: Path | None,
    limits: Limits,
) -> Plan:
    held_to = level_named(level)
    if semantics not in SEMANTICS:
        refuse(f"--semantics {semantics}: unknown; known are {', '.join(SEMANTICS)}")
    if examples is not None and seconds is not None:
        refuse("give --examples or --seconds, not both")
    deviations = () if known is None else read_deviations(known)
    if examples is None and seconds is None:
        seconds = USUAL_SECONDS
    return Plan(scheduler, held_to, seed, examples, seconds, gang, deviations, limits)


def _validated(plan: Plan, reports: Path) -> Account:
    def tell(finding: Finding) -> None:
        notice(f"found: {finding.sentence}")
        write_finding(finding, reports)

    with progress() as bar:
        task = bar.add_task("validate", total=plan.examples)

        def watch(account: Account) -> None:
            found = f", {len(account.findings)} found" if account.findings else ""
            bar.update(task, completed=account.cases, description=f"{account.cases} cases{found}")

        if not plan.scheduler.startswith(REAL):
            return validated(plan, watch, tell)
        kubeconfig = reports / KUBECONFIG
        return validate_live(plan, kubeconfig, watch, tell, lambda where: _invite(where, kubeconfig))


def _invite(where: Serving, kubeconfig: Path) -> None:
    notice(f"waiting at {where.url} for a scheduler that is started with --kubeconfig {kubeconfig}")


def _show(account: Account) -> None:
    plan = account.plan
    show(f"{plan.scheduler}, level {plan.level.word}, seed {plan.seed}")
    show(f"{'suite':12} {'passed':>8} {'failed':>8} {'known':>8} {'uncertain':>10} {'decisions':>10}")
    for name, row in account.rows.items():
        counts = f"{row.passed:>8} {row.failed:>8} {row.known:>8} {row.uncertain:>10} {row.decisions:>10}"
        show(f"{name:12} {counts}")
    for finding in account.findings.values():
        show(f"- {finding.signature}: {finding.sentence}")
    for deviation, count in account.declared.items():
        show(f"- known, in {counted(count, 'case')}: {deviation.signature} ({deviation.reason})")
    for sort, count in account.doubts.items():
        show(f"- uncertain, {counted(count, 'time')}: {sort}")
    show(counted(len(account.findings), "finding") if account.findings else "no finding")


def _exit_code(account: Account) -> int:
    if account.has_faults:
        return SCHEDULER_FAILED
    return DIVERGED if account.findings else FINE
