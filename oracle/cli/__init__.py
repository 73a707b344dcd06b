"""The command `sched-oracle`: one module for each of its commands."""

from importlib.metadata import version
from typing import Annotated

import typer

from oracle.cli.audit import audit
from oracle.cli.bench import bench
from oracle.cli.conform import conform
from oracle.cli.explain import explain
from oracle.cli.explore import explore
from oracle.cli.fuzz import fuzz
from oracle.cli.gallery import gallery
from oracle.cli.mutants import mutants
from oracle.cli.replay import replay
from oracle.cli.report import report
from oracle.cli.rules import rules
from oracle.cli.run import run
from oracle.cli.serve import serve
from oracle.cli.validate import validate

app = typer.Typer(
    name="sched-oracle",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 1 a divergence or disagreement was found, 2 bad usage or input, "
    "3 the scheduler under test broke the protocol or died.",
)
for command in (
    run,
    explain,
    fuzz,
    validate,
    audit,
    serve,
    conform,
    replay,
    report,
    rules,
    gallery,
    mutants,
    explore,
    bench,
):
    app.command()(command)


def _version(asked: bool) -> None:
    if asked:
        print(f"sched-oracle {version('sched-oracle')}")
        raise typer.Exit


@app.callback()
def about(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """What does kube-scheduler v1.15.3 decide, and does your scheduler decide the same?"""


def main() -> None:
    app()
