"""How commands end: the exit codes, and one clear error where something is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from model.api.configuration import ConfigurationError
from model.api.decode import ManifestError
from model.api.protocol import Crash
from oracle.cli.streams import complain, notice
from oracle.conform import CaseError
from oracle.guard import SchedulerFault
from oracle.live.serving import ServingError
from oracle.schedulers import SchedulerError

FINE = 0
DIVERGED = 1
"""A divergence or a disagreement was found."""
BAD_INPUT = 2
"""Bad usage or input."""
SCHEDULER_FAILED = 3
"""The scheduler under test broke the protocol or died."""
INTERRUPTED = 130

TRACE_LINES = 12


@contextmanager
def reporting() -> Iterator[None]:
    """Turn foreseen failures into an error message and the exit code for it."""
    try:
        yield
    except (ManifestError, ConfigurationError, CaseError, SchedulerError, ServingError) as error:
        complain(str(error))
        raise typer.Exit(BAD_INPUT) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        raise typer.Exit(BAD_INPUT) from None
    except Crash as crash:
        complain(f"the scheduler crashed: {crash}")
        raise typer.Exit(SCHEDULER_FAILED) from None
    except SchedulerFault as failed:
        notice("\n".join(failed.trace.splitlines()[-TRACE_LINES:]))
        complain(f"the scheduler failed: {failed}")
        raise typer.Exit(SCHEDULER_FAILED) from None
    except KeyboardInterrupt:
        complain("interrupted")
        raise typer.Exit(INTERRUPTED) from None
