"""`sched-oracle conform`: does a scheduler decide as the real one did?"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import Factory, define

from model.api.components import Engine
from oracle.cli.differences import difference_document, difference_lines
from oracle.cli.exit_codes import BAD_INPUT, DIVERGED, FINE
from oracle.cli.failures import UntilInterrupted, interrupted
from oracle.cli.options import AsJson, SchedulerName
from oracle.cli.streams import complain, progress, show, show_json
from oracle.conform import Case, CaseError, Difference, Verdict, judge, read_cases
from oracle.schedulers import find_engine

SHOWN = 5
"""Differences printed for each kind; --json gives all."""


def conform(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Recorded cases: JSON lines, plain or .gz."),
    ],
    scheduler: SchedulerName = "model",
    as_json: AsJson = False,
) -> None:
    """Replay recorded decisions of the real scheduler and count the agreements.

    For each kind of case it prints 'agree A of N' and the first differences; the last line is the total.
    What a scheduler does not implement counts as disagreeing.
    """
    engine = find_engine(scheduler)
    tally = _Tally()
    exit_code = FINE
    with UntilInterrupted() as work:
        for file in files:
            if not _judge_file(file, engine, tally):
                exit_code = BAD_INPUT
    if as_json:
        show_json(tally.document())
    else:
        _show(tally)
    if work.came:
        interrupted()
    raise typer.Exit(exit_code or (DIVERGED if tally.differing else FINE))


@define
class _Tally:
    """What was judged so far, by kind."""

    judged: Counter[str] = Factory(Counter)
    agreeing: Counter[str] = Factory(Counter)
    differing: list[tuple[Case, Difference]] = Factory(list)

    def count(self, verdict: Verdict) -> None:
        self.judged[verdict.case.kind] += 1
        if verdict.difference is None:
            self.agreeing[verdict.case.kind] += 1
        else:
            self.differing.append((verdict.case, verdict.difference))

    def document(self) -> dict[str, Any]:
        return {
            "agree": self.agreeing.total(),
            "of": self.judged.total(),
            "kinds": {kind: {"agree": self.agreeing[kind], "of": count} for kind, count in self.judged.items()},
            "differences": [
                {"case": case.id, "kind": case.kind, **difference_document(difference)}
                for case, difference in self.differing
            ],
        }


def _judge_file(file: Path, engine: Engine, tally: _Tally) -> bool:
    """Judge all cases of a file; whether it could be read to its end, and each of its cases understood."""
    sound = True
    with progress() as bar:
        task = bar.add_task(file.name, total=None)
        try:
            for case in read_cases(file):
                try:
                    tally.count(judge(case, engine))
                except CaseError as error:
                    sound = False
                    complain(str(error))
                    tally.count(Verdict(case, Difference("case", None, None, str(error))))
                bar.advance(task)
        except CaseError as error:
            sound = False
            complain(str(error))
    return sound


def _show(tally: _Tally) -> None:
    for kind, count in tally.judged.items():
        show(f"{kind}: agree {tally.agreeing[kind]} of {count}")
        found = [(case, difference) for case, difference in tally.differing if case.kind == kind]
        _show_differences(found[:SHOWN])
        if len(found) > SHOWN:
            show(f"  ... and {len(found) - SHOWN} more that differ")
    show(f"agree {tally.agreeing.total()} of {tally.judged.total()}")


def _show_differences(found: Iterable[tuple[Case, Difference]]) -> None:
    for case, difference in found:
        show(f"  {case.id}")
        for line in difference_lines(difference):
            show(f"    {line}")
