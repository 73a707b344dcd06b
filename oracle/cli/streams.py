"""Results go to standard output, everything else to standard error."""

import json
import sys
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

_NOTICES = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def show(text: str = "") -> None:
    """A line of the result."""
    print(harmless(text))


def show_json(document: Any) -> None:
    """The result as one JSON document."""
    json.dump(document, sys.stdout, indent=2, default=str)
    print()


def notice(text: str) -> None:
    _NOTICES.print(harmless(text), style="dim")


def complain(text: str) -> None:
    _NOTICES.print(f"error: {harmless(text)}", style="bold red")


def harmless(text: str) -> str:
    """The text without what could steer a terminal: names in a dump can be anything."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def progress() -> Progress:
    """A bar on standard error that vanishes at the end, and does not show where nobody watches."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=_NOTICES,
        transient=True,
        disable=not _NOTICES.is_terminal,
    )
