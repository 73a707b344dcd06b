"""`sched-oracle audit`: were the decisions of the past right?"""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from model.api.cluster import Cluster
from model.api.documents import read_file
from oracle.audit import Audited, Record, RecordError, finding_of, records_of_dumps, records_of_events
from oracle.audit import audit as audited
from oracle.audit.records import LAST
from oracle.cli.configuration import read_configuration
from oracle.cli.dumps import read_dump
from oracle.cli.exit_codes import DIVERGED, FINE
from oracle.cli.failures import UntilInterrupted, interrupted, level_named, refuse
from oracle.cli.options import AsJson, ConfigPath, PolicyPath
from oracle.cli.streams import progress, show, show_json
from oracle.finding import Finding
from oracle.judgement import Outcome
from oracle.levels import Level
from oracle.printable import counted
from oracle.report import write_finding
from oracle.report.folder import PAGE

MOST_PAGES = 20
WORDS = {Outcome.PASSED: "right", Outcome.FAILED: "wrong", Outcome.UNCERTAIN: "uncertain"}


def audit(
    before: Annotated[
        list[str],
        typer.Argument(metavar="BEFORE", help="What 'kubectl get -o json' said before: files, or - for input."),
    ],
    events: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What 'kubectl get events -A -o json' says.")
    ] = None,
    after: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A later dump; tells also of pods that came meanwhile.")
    ] = None,
    level: Annotated[
        str, typer.Option(metavar="L", help="Hold decisions to hard constraints (feasible), or to scores too (ranked).")
    ] = Level.RANKED.word,
    reports: Annotated[
        Path, typer.Option(metavar="DIR", file_okay=False, help="Where the pages about wrong decisions go.")
    ] = Path("reports"),
    policy: PolicyPath = None,
    config: ConfigPath = None,
    as_json: AsJson = False,
) -> None:
    """Judge every recorded decision in the state in which it was taken: placements, failures, preemptions.

    A decision that is right only in another order than the records tell, or about which they tell too little, is
    called uncertain. So is what may come of changes that no record tells of; without --after there are none.
    """
    held_to = level_named(level)
    if events is None and not after:
        refuse("give --events, or --after, or both")
    configuration = read_configuration(policy, config)
    cluster, later = read_dump(before), read_dump(after) if after else None
    records = _recorded(events) if events else records_of_dumps(cluster, later or Cluster())
    verdicts: list[Audited] = []
    with UntilInterrupted() as work, progress() as bar:
        task = bar.add_task("audit", total=len(records))
        for verdict in audited(cluster, records, later, configuration, held_to):
            verdicts.append(verdict)
            bar.advance(task, len(verdict.records))
    if as_json:
        show_json(_document(verdicts))
    else:
        _show(verdicts)
    pages = _reported(verdicts, reports)
    if not as_json:
        for page in pages:
            show(f"report: {page}")
    if work.came:
        interrupted()
    raise typer.Exit(DIVERGED if any(each.outcome is Outcome.FAILED for each in verdicts) else FINE)


def _recorded(path: Path) -> list[Record]:
    try:
        return records_of_events(read_file(path))
    except RecordError as error:
        refuse(f"{path}: {error}")


def _show(verdicts: list[Audited]) -> None:
    """What is wrong, one by one; what is uncertain, by the reason."""
    doubtful: dict[str, list[Audited]] = {}
    for verdict in verdicts:
        if verdict.outcome is Outcome.FAILED:
            show(f"wrong: {_when(verdict)} {verdict.said}")
            show(f"    {verdict.why}")
        elif verdict.outcome is Outcome.UNCERTAIN:
            doubtful.setdefault(verdict.doubt, []).append(verdict)
    for doubt, several in doubtful.items():
        show(f"uncertain: {counted(len(several), 'decision')}{doubt and f', because {doubt}'}; the first is")
        show(f"    {_when(several[0])} {several[0].said}")
        if several[0].wrong:
            show(f"    {several[0].wrong.says}")
    counts = Counter(verdict.outcome for verdict in verdicts)
    tally = ", ".join(f"{counts[outcome]} {word}" for outcome, word in WORDS.items())
    show(f"{counted(len(verdicts), 'decision')}: {tally}")


def _when(verdict: Audited) -> str:
    at = verdict.records[0].at
    return "at last" if at == LAST else f"{at:%Y-%m-%d %H:%M:%S}"


def _document(verdicts: list[Audited]) -> list[dict[str, Any]]:
    return [
        {
            "at": None if verdict.records[0].at == LAST else verdict.records[0].at.isoformat(),
            "decision": verdict.said,
            "pod": verdict.pod,
            "verdict": WORDS[verdict.outcome],
            "why": verdict.why,
        }
        for verdict in verdicts
    ]


def _reported(verdicts: list[Audited], reports: Path) -> list[Path]:
    """Writes the pages of the first wrong decisions that can be told of; where they are."""
    findings: dict[str, Finding] = {}
    for verdict in islice((v for v in verdicts if v.situation and v.wrong), MOST_PAGES):
        finding = finding_of(verdict)
        findings.setdefault(finding.signature, finding)
    return [write_finding(finding, reports) / PAGE for finding in findings.values()]
