"""`sched-oracle replay`: play a trace again, step by step."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from model.api.bad_input import MISREAD
from model.api.components import Engine
from model.api.documents import read_file
from oracle.cli.differences import difference_document, difference_lines, shortened
from oracle.cli.exit_codes import DIVERGED, FINE, SCHEDULER_FAILED
from oracle.cli.options import AsJson, SchedulerName
from oracle.cli.streams import complain, show, show_json
from oracle.compare import COMPARISONS, FAULT, compare
from oracle.conform import KINDS, CaseError, Difference, case_of, judge
from oracle.environment import write_operation
from oracle.finding import JUDGED
from oracle.replay import Replayed
from oracle.replay import replay as replayed
from oracle.schedulers import find_engine
from oracle.trace import read_trace
from oracle.validate.again import judged_again

TRACE_NAME = "trace.json"
"""Of the trace in the folder of a report."""


def replay(
    trace: Annotated[
        Path,
        typer.Argument(metavar="TRACE|REPORT_DIR", help="A trace, a recorded case, or the folder of a report."),
    ],
    scheduler: SchedulerName = "impl",
    as_json: AsJson = False,
) -> None:
    """Play a trace through a scheduler and the model side by side, up to the first step where they part.

    Prints every event with the scheduler's effects.  A trace that tells what was recorded is held to that
    instead of the model; one that was judged rather than compared is judged again.
    """
    path = _file_of(trace)
    document = _read(path)
    engine = find_engine(scheduler)
    if JUDGED in document:
        _judge_again(document, engine, as_json)
    elif document.get("kind", "e2e") == "e2e":
        _replay_trace(document, engine, as_json)
    else:
        _replay_case(document, path, engine, as_json)


def _file_of(trace: Path) -> Path:
    if not trace.is_dir():
        return trace
    if not (path := trace / TRACE_NAME).exists():
        raise CaseError(f"{trace}: no {TRACE_NAME} there; name the folder of one report")
    return path


def _read(path: Path) -> dict[str, Any]:
    documents = read_file(path)
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise CaseError(f"{path}: expected one trace, an object")
    document: dict[str, Any] = documents[0]
    if not {"events", *(member for kind in KINDS.values() for member in kind.members)} & document.keys():
        raise CaseError(f"{path}: neither a trace (with cluster, config and events) nor a recorded case")
    return document


def _replay_case(document: dict[str, Any], path: Path, engine: Engine, as_json: bool) -> None:
    """A case of one component, or of one decision, has no steps to show."""
    if "expect" in document:
        _end([], judge(case_of(document, str(path)), engine).difference, None, as_json)
        return
    if (kind := str(document["kind"])) not in COMPARISONS:
        raise CaseError(f"{path}: kind: {kind!r} cannot be replayed; known are {', '.join(COMPARISONS)}")
    try:
        divergence = compare(document, engine)
    except MISREAD as error:
        raise CaseError(f"{path}: not what a case of kind {kind} holds: {type(error).__name__}: {error}") from None
    if divergence is None:
        _end([], None, None, as_json)
    else:
        _end([], divergence.difference, divergence.actual.get(FAULT, divergence.actual.get("crash")), as_json)


def _replay_trace(document: dict[str, Any], engine: Engine, as_json: bool) -> None:
    steps: list[dict[str, Any]] = []
    difference, crash = None, None
    for step in _shown(replayed(read_trace(document), engine), as_json):
        difference, crash = step.difference, step.step.crash
        steps.append(_step_document(step))
    _end(steps, difference, crash, as_json)


def _judge_again(document: dict[str, Any], engine: Engine, as_json: bool) -> None:
    """A finding that came of no comparison: is it still there?"""
    wrong = judged_again(document, engine)
    is_run = document.get("kind", "e2e") == "e2e"
    played = _shown(replayed(read_trace(document), engine, alone=True), as_json) if is_run else iter(())
    steps = [_step_document(step) for step in played]
    if as_json:
        show_json({"steps": steps, JUDGED: document[JUDGED], "wrong": wrong})
    else:
        for sentence in wrong:
            show(f"still wrong: {sentence}")
        if not wrong:
            show(f"nothing is wrong, judged as it was: {document[JUDGED]}")
    raise typer.Exit(DIVERGED if wrong else FINE)


def _shown(steps: Iterable[Replayed], as_json: bool) -> Iterator[Replayed]:
    for step in steps:
        if not as_json:
            for line in _step_lines(step):
                show(line)
        yield step


def _end(steps: list[dict[str, Any]], difference: Difference | None, crash: str | None, as_json: bool) -> None:
    if as_json:
        show_json({"steps": steps, "difference": difference and difference_document(difference)})
    elif difference is None:
        show("no difference")
    else:
        for line in difference_lines(difference):
            show(line)
    if difference is not None:
        raise typer.Exit(DIVERGED if crash is None else SCHEDULER_FAILED)
    if crash is not None:
        complain(f"the scheduler crashed, as it should: {crash}")
        raise typer.Exit(SCHEDULER_FAILED)


def _step_document(step: Replayed) -> dict[str, Any]:
    return {
        "event": None if step.event is None else write_operation(step.event),
        "step": step.step.document(),
        "expected": step.expected,
    }


def _step_lines(step: Replayed) -> list[str]:
    event = "start" if step.event is None else shortened(write_operation(step.event))
    return [f"{step.step.clock:>8} ms  {event}", *(f"             {shortened(e)}" for e in step.step.effects)]
