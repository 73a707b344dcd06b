"""Arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

MOST_WORKERS = 1024


def _directory(text: str | Path) -> Path:
    """Not the current one where a variable of a shell turned out to be empty."""
    if not str(text):
        raise typer.BadParameter("no directory given")
    if Path(text).is_file():
        raise typer.BadParameter(f"Directory {str(text)!r} is a file.")
    return Path(text)


SchedulerName = Annotated[
    str,
    typer.Option(
        "--scheduler",
        "-s",
        metavar="S",
        help="Who decides: 'model', 'impl', or your own: 'python:package.module:factory', 'exec:COMMAND'.",
    ),
]
ReportsPath = Annotated[
    Path,
    typer.Option("--reports", metavar="DIR", parser=_directory, help="Where findings and their index go."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
PolicyPath = Annotated[
    Path | None,
    typer.Option("--policy", metavar="FILE", help="A scheduling Policy (JSON or YAML), or a ConfigMap that holds one."),
]
ConfigPath = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A KubeSchedulerConfiguration (JSON or YAML)."),
]
