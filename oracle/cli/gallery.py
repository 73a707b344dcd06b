"""`sched-oracle gallery`: write the reports of known faults again."""

from pathlib import Path
from typing import Annotated

import typer

from oracle.cli.streams import show
from oracle.report.gallery import write_gallery

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="Has faults.json, and a folder for each fault.")]


def gallery(directory: Directory = Path("reports/gallery")) -> None:
    """Judge the cases of known faults again and write their reports; search cases for those that have none."""
    for finding in write_gallery(directory):
        show(f"{finding.scheduler}: {finding.sentence}")
