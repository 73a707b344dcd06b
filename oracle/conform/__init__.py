"""Conformance: replaying recorded decisions of the real scheduler against an engine.

for case in read_cases("queue.jsonl.gz"):
    verdict = judge(case, engine)
"""

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any

from attrs import frozen

from model.api.bad_input import BadInput
from model.api.components import Engine
from model.api.decode import ManifestError
from model.api.documents import DocumentError, json_document
from model.api.protocol import Crash
from model.engine import Reference
from oracle.conform import cache, e2e, preempt, queue, schedule, single
from oracle.conform.verdict import Difference
from oracle.guard import SchedulerFault
from oracle.printable import without_addresses

__all__ = ["KINDS", "Case", "CaseError", "Difference", "Verdict", "case_of", "judge", "read_cases"]

Judge = Callable[[Mapping[str, Any], Engine], Difference | None]
"""Gives the first difference, or None where the engine agrees with the recorded case."""


@frozen
class Kind:
    """A kind of recorded case; `members`: what every case of it has beside `expect`."""

    judge: Judge
    members: tuple[str, ...]


KINDS: Mapping[str, Kind] = {
    "queue": Kind(queue.judge, ("pods", "ops")),
    "cache": Kind(cache.judge, ("pods", "nodes", "ops")),
    "schedule": Kind(schedule.judge, ("cluster", "config", "pod")),
    "preempt": Kind(preempt.judge, ("cluster", "config", "pod")),
    "e2e": Kind(e2e.judge, ("cluster", "config", "events")),
    "predicate": Kind(single.judge, ("cluster", "pod", "node", "predicate")),
    "priority": Kind(single.judge, ("cluster", "pod", "priority")),
    "prioritize": Kind(single.judge, ("cluster", "pod", "args")),
}


class CaseError(BadInput):
    """A file that holds no recorded cases; the message names file and line."""


@frozen
class Case:
    id: str
    kind: str
    document: Mapping[str, Any]


@frozen
class Verdict:
    """`difference` is None when the engine agrees with the record."""

    case: Case
    difference: Difference | None

    @property
    def agrees(self) -> bool:
        return self.difference is None


def read_cases(path: str | Path) -> Iterator[Case]:
    """The cases of a file of JSON lines, gzipped or not, one by one.  Raises CaseError at the first broken line."""
    number = 0
    try:
        with open(path, "rb") as plain:
            packed = plain.peek(2)[:2] == b"\x1f\x8b"
            for number, line in enumerate(gzip.GzipFile(fileobj=plain) if packed else plain, 1):
                if line.strip():
                    yield _case(line, f"{path}, line {number}")
    except EOFError:
        raise CaseError(f"{path}: the gzip data end too early, after line {number}") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise CaseError(f"{path}: broken gzip data after line {number}: {error}") from None
    except OSError as error:
        raise CaseError(f"{path}: {error.strerror or error}") from None
    if number == 0:
        raise CaseError(f"{path}: holds no case")


def _case(line: bytes, place: str) -> Case:
    try:
        return case_of(json_document(line), place)
    except RecursionError:
        raise CaseError(f"{place}: nested too deeply") from None
    except DocumentError as error:
        raise CaseError(f"{place}: {error}") from None
    except CaseError:
        raise
    except ValueError as error:
        raise CaseError(f"{place}: not JSON: {error}") from None


def case_of(document: Any, place: str) -> Case:
    """One case from its JSON.  Raises CaseError naming the place and what is missing."""
    if not isinstance(document, dict):
        raise CaseError(f"{place}: expected a recorded case, an object")
    kind = document.get("kind")
    if not isinstance(kind, str):
        raise CaseError(f"{place}: kind: missing; known are {', '.join(KINDS)}")
    for member in ("expect", *(KINDS[kind].members if kind in KINDS else ())):
        if member not in document:
            raise CaseError(f"{place}: {member}: missing in a case of kind {kind}")
    return Case(str(document.get("id", place)), kind, document)


def judge(case: Case, engine: Engine) -> Verdict:
    """Whether the engine agrees with one case; an engine that fails disagrees, and so does a kind nobody can judge.

    Raises CaseError for objects in the case that cannot be understood.
    """
    kind = KINDS.get(case.kind)
    if kind is None:
        return Verdict(case, Difference("kind", case.kind, None, "nothing here can judge a case of this kind"))
    try:
        return Verdict(case, kind.judge(case.document, engine))
    except ManifestError as error:
        raise CaseError(f"{case.id}: {error}") from None
    except Crash as crash:
        return Verdict(case, Difference("crash", None, str(crash), "the scheduler crashed where the record goes on"))
    except Exception as error:
        said, note = without_addresses(str(error)), _came_up(error)
        if not _can_be_judged(kind, case):
            raise CaseError(f"{case.id}: not what a case of kind {case.kind} holds: {said} ({note})") from None
        return Verdict(case, Difference("exception", None, said, note))


def _came_up(error: Exception) -> str:
    """Where; of a fault of a whole scheduler its text says so."""
    if isinstance(error, SchedulerFault):
        return "the scheduler failed as a program"
    frame = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}, {Path(frame.filename).name}:{frame.lineno}"


def _can_be_judged(kind: Kind, case: Case) -> bool:
    """Whether the reference gets through it, however it decides."""
    try:
        kind.judge(case.document, Reference())
    except Crash:
        return True
    except Exception:
        return False
    return True
