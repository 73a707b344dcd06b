"""Results go to standard output, everything else to standard error."""

import json
import sys
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from oracle.printable import printable

NOTICES = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def show(text: str = "") -> None:
    """A line of the result."""
    print(printable(text))


def show_now(text: str) -> None:
    """A line of a result that grows while somebody reads it."""
    show(text)
    sys.stdout.flush()


def show_json(document: Any) -> None:
    """The result as one JSON document."""
    json.dump(document, sys.stdout, indent=2, default=str)
    print()


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
