"""A gallery: known faults, each with the report of a case that shows it.

A directory with `faults.json`, whose member `faults` lists them: the name of the fault's folder, the scheduler
that has it, and the kind of case to show it in.  With a `rule` it is v1.15 that could do better, which the rule allows.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from model.api.components import Engine
from oracle.compare import compare
from oracle.conform import CaseError
from oracle.finding import Finding
from oracle.fuzz.describe import describe, finding_of
from oracle.fuzz.examples import example
from oracle.fuzz.trial import try_case
from oracle.printable import printable
from oracle.report.folder import PAGE, TRACE, read_json, structured, write_folder
from oracle.schedulers import find_engine
from oracle.written_file import write_file

FAULTS = "faults.json"
CATALOGUE = "README.md"
SEED = 0
MOST_EXAMPLES = 20_000


@frozen
class Fault:
    fault: str
    scheduler: str
    kind: str
    rule: str = ""


@frozen
class Faults:
    faults: tuple[Fault, ...]


def write_gallery(directory: Path) -> Iterator[Finding]:
    """Write the folder of each fault, and the list of all.

    A fault that has a trace is judged in that one again; for another a case is searched.
    Raises CaseError, and SchedulerError for a scheduler that cannot be had.
    """
    findings = {}
    for fault in structured(directory / FAULTS, read_json(directory / FAULTS), Faults).faults:
        findings[fault] = finding = _finding(fault, directory / fault.fault)
        write_folder(finding, directory / fault.fault)
        yield finding
    write_file(directory / CATALOGUE, "\n".join(_catalogue(findings)).encode())


def _catalogue(findings: Mapping[Fault, Finding]) -> Iterator[str]:
    yield from ("# Known faults and their reports", "", "| Fault | What differs |", "|---|---|")
    yield from (_row(fault.fault, finding) for fault, finding in findings.items() if not fault.rule)
    yield from ("", "## Allowed by v1.15, not minimal", "", "Here a scheduler that pays the least is under test.", "")
    yield from ("| Rule | Case | What differs |", "|---|---|---|")
    yield from (f"| {fault.rule} {_row(fault.fault, finding)}" for fault, finding in findings.items() if fault.rule)
    yield ""


def _row(folder: str, finding: Finding) -> str:
    return f"| [{folder}]({folder}/{PAGE}) | {_cell(finding.sentence)} |"


def _finding(fault: Fault, folder: Path) -> Finding:
    engine = find_engine(fault.scheduler)
    return _judged(fault, folder, engine) if (folder / TRACE).exists() else _searched(fault, engine)


def _judged(fault: Fault, folder: Path, engine: Engine) -> Finding:
    """Of the case that is kept.  Raises CaseError where it does not show the fault any more."""
    case = read_json(folder / TRACE)
    divergence = compare(case, engine)
    if divergence is None:
        raise CaseError(f"{folder / TRACE}: {fault.scheduler} does not differ from the model here")
    return finding_of(case, divergence, engine, fault.scheduler, _origin(fault))


def _searched(fault: Fault, engine: Engine) -> Finding:
    for number in range(MOST_EXAMPLES):
        case = example(SEED, number, engine)
        trial = try_case(case, engine) if case["kind"] == fault.kind else None
        if trial is not None and trial.divergence is not None:
            return describe(case, trial.divergence, engine, fault.scheduler, _origin(fault))
    raise CaseError(f"{fault.fault}: none of {MOST_EXAMPLES} examples of kind {fault.kind} shows it")


def _origin(fault: Fault) -> str:
    """No seed: a case outlives the version of the search that made it."""
    return f"gallery/{fault.fault}"


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|")
