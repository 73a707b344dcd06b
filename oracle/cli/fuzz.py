"""`sched-oracle fuzz`: search for a case in which a scheduler does not do as the model does."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from model.rules import RULES
from model.unmodelled import load_rules
from oracle.cli.exit_codes import DIVERGED, FINE, SCHEDULER_FAILED
from oracle.cli.failures import interrupted, refuse
from oracle.cli.options import MOST_WORKERS, ReportsPath, SchedulerName
from oracle.cli.rules import is_table
from oracle.cli.streams import NOTICES, notice, show
from oracle.compare import failed
from oracle.finding import Finding, Search
from oracle.fuzz import Plan, search
from oracle.fuzz import Progress as Known
from oracle.fuzz.progress import Unfinished
from oracle.occupied import occupying
from oracle.printable import counted
from oracle.reach import OUTCOMES, expected, missed, why_not
from oracle.report import write_finding, write_index

USUAL_SECONDS = 60.0


def fuzz(
    scheduler: SchedulerName = "impl",
    examples: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Try so many new cases. The seed then fixes all that comes of it."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.1, metavar="N", help=f"Try cases for so long; {USUAL_SECONDS:g} if nothing is said."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, other cases.")] = 0,
    reports: ReportsPath = Path("reports"),
    workers: Annotated[
        int | None, typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Processes that try cases; 1 if absent.")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Try cases on the Dask cluster whose scheduler is there, tcp://HOST:PORT."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the search of these reports that was cut short.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Print how often each rule and outcome was reached.")
    ] = False,
) -> None:
    """Play random clusters and events through a scheduler and the model side by side.

    Every difference is made small, and reported once in a folder of its own. Cases that showed one, or reached what
    few do, are kept in the corpus, which is tried before the new cases: they come on top of --examples, but their
    time counts in --seconds.

    A search ends early after 20 different findings, and as soon as the scheduler hangs.

    A search that is interrupted (Ctrl-C, SIGTERM) keeps what it has and ends with exit code 130. That one, and one
    that was killed, goes on where it was with --resume, and what comes of it is the same.
    """
    if examples is not None and seconds is not None:
        refuse("give --examples or --seconds, not both")
    if workers is not None and dask is not None:
        refuse("give --workers or --dask, not both")
    if examples is None and seconds is None:
        seconds = USUAL_SECONDS
    load_rules()
    plan = Plan(scheduler, seed, examples, seconds, workers or 1, reports, dask, resume)
    unfinished = reports / Unfinished.NAME
    with occupying(reports):
        if unfinished.exists() and not resume:
            notice(f"{unfinished}: the search that was cut short there is given up; --resume would go on with it")
        found = _searched(plan, reports)
        _show(found)
        if coverage:
            _show_coverage(found)
        index = write_index(found, reports)
    show(f"report: {index}")
    if found.stopped:
        notice(f"ended early: {found.stopped}")
    if found.interrupted:
        interrupted("the results above are those until then, and --resume goes on")
    raise typer.Exit(_exit_code(found))


def _searched(plan: Plan, reports: Path) -> Search:
    """The search under a bar on standard error; a finding is told and written when it is met."""

    def tell(finding: Finding) -> None:
        notice(f"found: {finding.sentence}")
        write_finding(finding, reports)

    with _bar() as bar:
        task = bar.add_task("fuzz", total=plan.examples or plan.seconds, rate="", found="", rules="")

        def watch(known: Known) -> None:
            done, elapsed = known.examples.total(), known.elapsed
            bar.update(
                task,
                completed=known.done if plan.examples else elapsed,
                description=f"{done:,} cases",
                rate=f"{done / max(elapsed, 0.001):.0f}/s",
                found=f"{len(known.findings)} found",
                rules=f"{sum(name in RULES for name in known.coverage)} rules used",
            )

        return search(plan, watch, tell)


def _bar() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rate]} · {task.fields[rules]} · {task.fields[found]}"),
        TimeElapsedColumn(),
        console=NOTICES,
        transient=True,
        disable=not NOTICES.is_terminal,
    )


def _show(found: Search) -> None:
    judged = ", ".join(f"{count:,} {kind}" for kind, count in found.examples.items())
    kept = f", {found.kept:,} of them from the corpus" if found.kept else ""
    show(
        f"{sum(found.examples.values()):,} cases tried ({judged}){kept}, seed {found.seed}, scheduler {found.scheduler}"
    )
    used, countable = _rules_used(found), [rule for rule in RULES.values() if not is_table(rule)]
    show(f"{used} of {len(countable)} rules used")
    for finding in found.findings:
        show(f"- {finding.signature}: {finding.sentence}")
    show(counted(len(found.findings), "difference") if found.findings else "no difference")


def _rules_used(found: Search) -> int:
    return sum(name in RULES for name in found.coverage)


def _show_coverage(found: Search) -> None:
    """Rules by ID, then outcomes by name, each with its count; of what was never reached, why if it cannot be."""
    counts = Counter(found.coverage)
    for rule_id, rule in sorted(RULES.items()):
        if not is_table(rule):
            show(_covered(rule_id, counts[rule_id], f"{rule_id}  {rule.statement}"))
    for name in sorted({*counts, *OUTCOMES} - RULES.keys()):
        show(_covered(name, counts[name], name))
    never = missed(counts)
    show(f"{len(expected()) - len(never)} of {len(expected())} rules and outcomes reached")
    for name in never:
        show(f"never reached: {name}")


def _covered(name: str, count: int, text: str) -> str:
    reason = why_not(name, count)
    return f"{count:>9}  {text}{reason and f' (out of reach: {reason})'}"


def _exit_code(found: Search) -> int:
    if any(failed(finding.actual) for finding in found.findings):
        return SCHEDULER_FAILED
    return DIVERGED if found.findings else FINE
