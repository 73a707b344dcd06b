"""Time enough at the end of a trace for every pod that can be placed to be placed."""

from collections.abc import Mapping
from typing import Any

from oracle.environment import Operation, write_operation
from oracle.environment.operations import (
    Advance,
    Drain,
    KubeletSync,
    PvControllerSync,
    ReapTerminating,
    ReleaseBind,
    ReleaseWatch,
)

LONGEST_WAIT_MS = 95_000
"""After which every unschedulable pod has been moved: over 60 s in the queue, and the flush each 30."""

MOST_CYCLES = 200


def settled(case: Mapping[str, Any]) -> dict[str, Any]:
    """The trace with its end appended: nothing is held back any more, and all waits are over."""
    held = dict.fromkeys(event["kind"] for event in case["events"] if event["op"] == "holdWatch")
    return {**case, "events": [*case["events"], *map(write_operation, _end(tuple(held)))]}


def _end(held: tuple[str, ...]) -> tuple[Operation, ...]:
    waits: tuple[Operation, ...] = (Drain(MOST_CYCLES), Advance(LONGEST_WAIT_MS), PvControllerSync())
    freed = (ReleaseBind(), ReapTerminating(), KubeletSync(), PvControllerSync())
    return (*(ReleaseWatch(kind) for kind in held), *freed, *waits, *waits, Drain(MOST_CYCLES))


def is_settled(events: tuple[Operation, ...]) -> bool:
    """Whether a trace ends so."""
    return events[-7:] == _end(())[-7:]
