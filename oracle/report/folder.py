"""The folder of a finding: written, and read again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from attrs import asdict, evolve
from cattrs import BaseValidationError, Converter, transform_error
from cattrs.v import format_exception

from model.api.bad_input import MISREAD
from model.api.documents import read_file, write_json
from model.api.manifests import write_manifests
from oracle.conform import CaseError
from oracle.finding import Finding
from oracle.printable import storable
from oracle.report.moment import moment_of
from oracle.report.page import page_of
from oracle.report.quirks import explaining_quirk
from oracle.report.rendering import html, markdown
from oracle.written_file import write_file

PAGE = "report.html"
TEXT = "report.md"
TRACE = "trace.json"
OBJECTS = "objects.yaml"
FINDING = "finding.json"
"""All of the finding but its trace."""

T = TypeVar("T")

_CONVERTER = Converter(forbid_extra_keys=True)


def write_finding(finding: Finding, directory: Path) -> Path:
    """Write the folder `<signature>` in the directory, and give its path."""
    if Path(finding.signature).name != finding.signature:
        raise ValueError(f"signature {finding.signature!r} is no name of a folder")
    return write_folder(finding, directory / finding.signature)


def write_folder(finding: Finding, folder: Path) -> Path:
    """Looks for the quirk that explains the difference where the finding names none."""
    if finding.quirk is None:
        finding = evolve(finding, quirk=explaining_quirk(finding))
    moment = moment_of(finding)
    page = page_of(finding, folder.name, moment)
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        PAGE: html(page),
        TEXT: markdown(page),
        TRACE: write_json(finding.trace),
        OBJECTS: write_manifests(moment.objects, "yaml"),
        FINDING: write_json(storable(_without_trace(finding))),
    }
    for name, text in files.items():
        write_file(folder / name, text.encode(errors="backslashreplace"))
    return folder


def read_finding(folder: Path) -> Finding:
    """Raises CaseError naming the file."""
    document = {**read_json(folder / FINDING), "trace": read_json(folder / TRACE)}
    return structured(folder / FINDING, document, Finding)


def _without_trace(finding: Finding) -> Mapping[str, Any]:
    document = asdict(finding)
    del document["trace"]
    return document


def read_json(path: Path) -> dict[str, Any]:
    """Raises CaseError, or DocumentError for a file that is no JSON."""
    documents = read_file(path)
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise CaseError(f"{path}: expected one object")
    return documents[0]


def structured(path: Path, document: Mapping[str, Any], kind: type[T]) -> T:
    """Raises CaseError."""
    try:
        return _CONVERTER.structure(document, kind)
    except (BaseValidationError, *MISREAD) as error:
        raise CaseError(f"{path}: not what this version writes: {_problem(error)}") from None


def _problem(error: Exception) -> str:
    """The first, and its place."""
    if isinstance(error, BaseValidationError):
        return transform_error(error, format_exception=_worded)[0]
    return _worded(error, None)


def _worded(error: BaseException, kind: type | None) -> str:
    return "expected an object" if isinstance(error, AttributeError) else format_exception(error, kind)
