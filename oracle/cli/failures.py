"""How commands end where something is wrong: one clear error, and the exit code for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, Self

import typer

from model.api.bad_input import BadInput
from model.api.protocol import Crash
from oracle.cli.exit_codes import BAD_INPUT, INTERRUPTED, SCHEDULER_FAILED
from oracle.cli.signals import interruptible
from oracle.cli.streams import complain, notice, only_results
from oracle.guard import SchedulerFault
from oracle.levels import LEVELS, Level
from oracle.printable import in_a_line

TRACE_LINES = 12


@contextmanager
def reporting() -> Iterator[None]:
    """Turn foreseen failures into an error message and the exit code for it."""
    try:
        with interruptible(), only_results():
            yield
    except BadInput as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
    except Crash as crash:
        complain(f"the scheduler crashed: {crash}")
        raise typer.Exit(SCHEDULER_FAILED) from None
    except SchedulerFault as failed:
        if failed.trace:
            notice("\n".join(failed.trace.splitlines()[-TRACE_LINES:]))
        complain(f"the scheduler failed: {failed}")
        raise typer.Exit(SCHEDULER_FAILED) from None
    except KeyboardInterrupt as interrupt:
        notice(f"interrupted{interrupt}")
        raise typer.Exit(INTERRUPTED) from None


def refuse(problem: str) -> NoReturn:
    """End: what was asked for cannot be done."""
    complain(in_a_line(problem))
    raise typer.Exit(BAD_INPUT)


def level_named(word: str) -> Level:
    if word not in LEVELS:
        refuse(f"--level {word}: unknown; known are {', '.join(LEVELS)}")
    return LEVELS[word]


class UntilInterrupted:
    """A block that an interrupt ends, and only the block: what it has done can still be shown."""

    came = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self.came = kind is not None and issubclass(kind, KeyboardInterrupt)
        return self.came


def interrupted(keeping: str = "the results above are those until then") -> NoReturn:
    """End after an interrupt, when what was done until then has been shown."""
    raise KeyboardInterrupt(f"; {keeping}")
