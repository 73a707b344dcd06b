"""Results go to standard output, everything else to standard error."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from oracle.printable import printable

NOTICES = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
_results: list[Any] = []
"""Where results go while a command runs."""


@contextmanager
def only_results() -> Iterator[None]:
    """Inside, nothing but `show` reaches standard output; what a scheduler in this process prints is no result."""
    _results.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
        sys.stdout.flush()
    finally:
        _results.pop()


def show(text: str = "") -> None:
    """A line of the result."""
    print(printable(text), file=_out())


def show_now(text: str) -> None:
    """A line of a result that grows while somebody reads it."""
    show(text)
    _out().flush()


def show_json(document: Any) -> None:
    """The result as one JSON document."""
    json.dump(document, _out(), indent=2, default=str)
    print(file=_out())


def _out() -> Any:
    return _results[-1] if _results else sys.stdout


def notice(text: str) -> None:
    NOTICES.print(printable(text), style="dim")


def complain(text: str) -> None:
    NOTICES.print(f"error: {printable(text)}", style="bold red")


def progress() -> Progress:
    """A bar on standard error that vanishes at the end, and does not show where nobody watches."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=NOTICES,
        transient=True,
        disable=not NOTICES.is_terminal,
    )
