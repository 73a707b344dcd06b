"""Deviations that a scheduler's makers know of and mean to keep: a YAML file, each with its reason.

deviations:
  - signature: ranked-host-score
    reason: we spread over racks before anything else
  - signature: "*-room-*"
    reason: preemption comes next year
"""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from attrs import frozen

from model.api.bad_input import BadInput
from model.api.decode import ManifestError, structure
from model.api.documents import read_file


class DeviationError(BadInput):
    """A file of deviations that cannot be understood; the message names it and the entry."""


@frozen
class Deviation:
    """`signature`: of findings, with `*` for any text."""

    signature: str
    reason: str

    def explains(self, signature: str) -> bool:
        return fnmatchcase(signature, self.signature)


def read_deviations(path: Path) -> tuple[Deviation, ...]:
    """Raises DeviationError, or DocumentError for a file that is no YAML."""
    documents = read_file(path)
    document = documents[0] if len(documents) == 1 else None
    entries = document.get("deviations") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise DeviationError(f"{path}: deviations: expected a list")
    return tuple(_read(entry, f"{path}: deviations[{at}]") for at, entry in enumerate(entries))


def _read(entry: Any, where: str) -> Deviation:
    if not isinstance(entry, dict):
        raise DeviationError(f"{where}: expected an object with signature and reason")
    if unknown := sorted(map(str, entry.keys() - {"signature", "reason"})):
        raise DeviationError(f"{where}.{unknown[0]}: unknown; known are signature and reason")
    try:
        deviation = structure(entry, Deviation)
    except ManifestError as error:
        raise DeviationError(f"{where}.{error}") from None
    if not deviation.reason.strip():
        raise DeviationError(f"{where}.reason: say why")
    return deviation
