"""Arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

SchedulerName = Annotated[
    str,
    typer.Option(
        "--scheduler",
        "-s",
        metavar="S",
        help="Who decides: 'model', 'impl', or your own: 'python:package.module:factory', 'exec:COMMAND'.",
    ),
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
