"""Two lists of lines side by side, with what only one of them has marked."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from attrs import frozen

from oracle.compare.divergence import Record
from oracle.last_words import in_short
from oracle.report.words import effect_words, plain

IDLE = "does nothing"


@frozen
class Line:
    """`differs`: the other side does not have it in this place."""

    text: str
    differs: bool = False


def side_by_side(expected: Sequence[str], actual: Sequence[str]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    left, right = [True] * len(expected), [True] * len(actual)
    for block in SequenceMatcher(None, expected, actual, autojunk=False).get_matching_blocks():
        left[block.a : block.a + block.size] = [False] * block.size
        right[block.b : block.b + block.size] = [False] * block.size
    return tuple(map(Line, expected, left)), tuple(map(Line, actual, right))


def answer_lines(record: Record) -> list[str]:
    """What a side did in the step, in words: effects of a run, the answer of a part."""
    if "fault" in record:
        return [f"fails: {in_short(record['fault'])}"]
    if "refused" in record:
        return [f"refuses the configuration: {record['refused']}"]
    if "crash" in record:
        return [f"the process ends: {in_short(record['crash'])}", *map(effect_words, record.get("effects", ()))]
    if "effects" in record:
        lines = [*_taken(record), *map(effect_words, record["effects"]), *_waiting(record), *_refused(record)]
        return lines or [IDLE]
    return list(_decision(record))


def _taken(record: Record) -> Iterator[str]:
    if "popped" in record:
        yield f"takes {', '.join(record['popped'])} from the active queue"
    elif record.get("empty"):
        yield "finds the active queue empty"


def _waiting(record: Record) -> Iterator[str]:
    """Of pods taken in this step: a decision whose request has not reached the API server shows in no effect."""
    for pod in record.get("popped", ()):
        if pod in record.get("assumed", ()) and any(
            wait.startswith(f"{pod} ") for wait in record.get("pendingBinds", ())
        ):
            node = next((node for node, pods in record["cacheNodes"].items() if pod in pods), "a node")
            yield f"assumes {pod} on {node}; binding it must wait"


def _refused(record: Record) -> Iterator[str]:
    if "error" in record:
        yield f"(the API server refuses the event: {record['error']})"


_ANSWERS = {
    "host": "host",
    "node": "node to preempt on",
    "victims": "victims",
    "nominatedPodsToClear": "nominations taken back",
    "error": "error",
    "err": "error",
    "result": "result",
    "errorType": "error type",
    "scheduleError": "Schedule fails",
    "feasible": "feasible nodes",
    "evaluatedNodes": "nodes evaluated",
    "totals": "total scores",
    "eligible": "may preempt",
    "candidates": "nodes where evictions are tried",
    "nodeTies": "equally good nodes",
    "lastNodeIndexAfter": "round-robin counter after",
    "nextNode": "node that comes next",
}


def _decision(record: Record) -> Iterator[str]:
    for name, label in _ANSWERS.items():
        if name in record and (record[name] or name in ("host", "node")):
            yield f"{label}: {plain(record[name])}"
