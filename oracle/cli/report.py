"""`sched-oracle report`: write the pages of a search again, or say what it found in another form."""

from pathlib import Path
from typing import Annotated

import typer

from oracle.cli.failures import refuse
from oracle.cli.streams import show
from oracle.fuzz.progress import Unfinished
from oracle.report import github_annotations, rebuild, write_junit
from oracle.report.index import INDEX, SEARCH


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where `fuzz` left its reports.")],
    browse: Annotated[bool, typer.Option("--open", help="Open the index in a browser.")] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the findings as JUnit XML.")] = None,
    github: Annotated[bool, typer.Option("--github", help="Also print the findings as GitHub annotations.")] = False,
) -> None:
    """Rebuild the pages of DIR from the data beside them, and tell what was found."""
    if (directory / Unfinished.NAME).exists() and not (directory / SEARCH).exists():
        refuse(f"{directory}: the search there is unfinished; go on with `fuzz --resume`")
    search = rebuild(directory)
    for finding in search.findings:
        show(f"{finding.signature}: {finding.sentence}")
    if junit is not None:
        write_junit(search, junit)
    if github:
        for line in github_annotations(search, directory):
            show(line)
    show(str(directory / INDEX))
    if browse:
        typer.launch(str(directory / INDEX))
