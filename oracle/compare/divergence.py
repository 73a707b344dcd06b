"""Where a scheduler and the reference part, and how a failure on either side is put on record."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from model.api.configuration import ConfigurationError
from model.api.protocol import Crash
from oracle.conform.verdict import Difference
from oracle.guard import SchedulerFault, fault
from oracle.no_exit import no_exit

Record = Mapping[str, Any]
"""What came of one step, in JSON."""

FAULT = "fault"
"""Member of a record: the side broke the protocol or died of an exception; its text."""

_HANGING = ("Hung ", "Overdue ", "no end after ")
_SLOW = (*_HANGING, "Flooded ")
"""How faults begin that take long to show again."""


@frozen
class Divergence:
    """`step`: index of the event or operation, -1 the start, None for a single decision; `event`: its JSON.

    `expected` and `actual`: the records of that step; `difference`: the most telling place in them.
    `followed`: the scheduler's choices in the steps before, where the reference followed it: hosts and nominations.
    """

    step: int | None
    event: Record | None
    expected: Record
    actual: Record
    difference: Difference
    followed: tuple[Record, ...] = ()

    @property
    def is_fault(self) -> bool:
        """Whether the scheduler failed as a program, rather than deciding otherwise."""
        return FAULT in self.actual


def on_record(run: Callable[[], Record]) -> Record:
    """The record, or what ended the run in its place: a crash, a refused configuration, a fault."""
    try:
        return run()
    except Crash as crash:
        return {"crash": str(crash)}
    except ConfigurationError as error:
        return {"refused": str(error)}
    except SchedulerFault as error:
        return {FAULT: str(error)}


def guarded(run: Callable[[], Record], when: str) -> Record:
    """As `on_record`, with unforeseen exceptions and attempts to exit as faults."""

    def guarded_run() -> Record:
        try:
            with no_exit():
                return run()
        except (Crash, ConfigurationError):
            raise
        except (Exception, SystemExit) as error:
            raise fault(error, when) from error

    return on_record(guarded_run)


def failed(record: Record) -> bool:
    """Whether the side failed as a program: it broke the protocol, hung or died."""
    return not {FAULT, "crash"}.isdisjoint(record)


def hung(record: Record) -> bool:
    return str(record.get(FAULT, "")).startswith(_HANGING)


def is_slow(record: Record) -> bool:
    """Whether this would take long to show again."""
    return str(record.get(FAULT, "")).startswith(_SLOW)


def ended(record: Record) -> bool:
    """Whether nothing can follow."""
    return not {"crash", "refused", FAULT}.isdisjoint(record)


def different_ends(where: str, expected: Record, actual: Record) -> Difference | None:
    """Of two records of which at least one is an end.  The last words of a crash are free."""
    for member in (FAULT, "crash", "refused"):
        wanted, found = expected.get(member), actual.get(member)
        if (wanted is None) != (found is None) or (member == "refused" and wanted != found):
            return Difference(f"{where}.{member}", wanted, found)
    return None
