"""`sched-oracle audit`: were the decisions of the past right?"""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from model.api.cluster import Cluster
from model.api.documents import read_file
from oracle.audit import Audited, Record, RecordError, records_of_dumps, records_of_events
from oracle.audit import audit as audited
from oracle.cli.configuration import read_configuration
from oracle.cli.dumps import read_dump
from oracle.cli.exit_codes import DIVERGED, FINE
from oracle.cli.failures import UntilInterrupted, interrupted, refuse
from oracle.cli.options import AsJson, ConfigPath, PolicyPath
from oracle.cli.streams import progress, show, show_json
from oracle.cli.validate import LEVELS
from oracle.judgement import Outcome
from oracle.levels import Level

WORDS = {Outcome.PASSED: "right", Outcome.FAILED: "wrong", Outcome.UNCERTAIN: "uncertain"}


def audit(
    before: Annotated[
        list[str],
        typer.Argument(metavar="BEFORE...", help="What 'kubectl get -o json' said before: files, or - for input."),
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
    policy: PolicyPath = None,
    config: ConfigPath = None,
    as_json: AsJson = False,
) -> None:
    """Judge every recorded decision in the state in which it was taken: placements, failures, preemptions.

    A decision that is right only in another order than the records tell, or about which they tell too little, is
    called uncertain.
    """
    if level not in LEVELS or (events is None and not after):
        known = f"--level {level}: unknown; known are {', '.join(LEVELS)}"
        refuse(known if level not in LEVELS else "give --events, or --after, or both")
    configuration = read_configuration(policy, config)
    cluster, later = read_dump(before), read_dump(after) if after else None
    records = _recorded(events) if events else records_of_dumps(cluster, later or Cluster())
    verdicts: list[Audited] = []
    with UntilInterrupted() as work, progress() as bar:
        task = bar.add_task("audit", total=len(records))
        for verdict in audited(cluster, records, later, configuration, LEVELS[level]):
            verdicts.append(verdict)
            bar.advance(task, len(verdict.records))
    if as_json:
        show_json(_document(verdicts))
    else:
        _show(verdicts)
    if work.came:
        interrupted()
    raise typer.Exit(DIVERGED if any(each.outcome is Outcome.FAILED for each in verdicts) else FINE)


def _recorded(path: Path) -> list[Record]:
    try:
        return records_of_events(read_file(path))
    except RecordError as error:
        refuse(f"{path}: {error}")


def _show(verdicts: list[Audited]) -> None:
    for verdict in verdicts:
        if verdict.outcome is not Outcome.PASSED:
            record = verdict.records[0]
            show(f"{WORDS[verdict.outcome]}: {record.at:%Y-%m-%d %H:%M:%S} {_said(verdict)}")
            show(f"    {verdict.why}")
    counts = Counter(verdict.outcome for verdict in verdicts)
    tally = ", ".join(f"{counts[outcome]} {word}" for outcome, word in WORDS.items())
    show(f"{len(verdicts)} decisions: {tally}")


def _said(verdict: Audited) -> str:
    record = verdict.records[0]
    match record.kind:
        case "Scheduled":
            return f"{record.pod} was placed on {record.node}"
        case "Preempted":
            return f"{', '.join(each.pod for each in verdict.records)} made room for {record.by} on {record.node}"
    return f"{record.pod} was refused: {record.message}"


def _document(verdicts: list[Audited]) -> list[dict[str, Any]]:
    return [
        {
            "at": verdict.records[0].at.isoformat(),
            "decision": _said(verdict),
            "pod": verdict.pod,
            "verdict": WORDS[verdict.outcome],
            "why": verdict.why,
        }
        for verdict in verdicts
    ]
