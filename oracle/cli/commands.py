"""The commands, each imported only when it is called."""

import sys
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from oracle.cli.exit_codes import EXPLAINED


class Listed(NamedTuple):
    """A command in the list of them: what it does, in a line, and how it is called."""

    summary: str
    examples: tuple[str, ...]


COMMANDS = {
    "run": Listed(
        "Schedule all pending pods of a cluster.",
        ("run cluster.json", "kubectl get all,nodes -A -o json | sched-oracle run -", "run dumps/ --json"),
    ),
    "explain": Listed(
        "Why a pod goes where it goes, or stays pending.",
        ("explain cluster.json default/web",),
    ),
    "fuzz": Listed(
        "Search for differences between a scheduler and the model.",
        ("fuzz --scheduler python:mine:Scheduler --seconds 60", "fuzz --seed 7 --examples 1000"),
    ),
    "validate": Listed(
        "Judge every decision of any scheduler.",
        ("validate --scheduler exec:./mine --level ranked", "validate --scheduler kube:./kube-scheduler --json"),
    ),
    "audit": Listed(
        "Were the decisions of the past right?",
        ("audit before.json --events events.json", "audit before.json --after after.json"),
    ),
    "serve": Listed(
        "Be the API server for a scheduler, and judge what it does.",
        ("serve cluster.json --port 8001", "serve --seed 7 --once"),
    ),
    "conform": Listed(
        "Replay recorded decisions of the real scheduler.",
        ("conform cases.jsonl.gz --scheduler impl",),
    ),
    "replay": Listed(
        "Play a counterexample again, step by step.",
        ("replay reports/a-finding --scheduler python:mine:Scheduler",),
    ),
    "report": Listed(
        "Write the pages of a search again, or tell it to a CI.",
        ("report reports --open", "report reports --junit junit.xml --github"),
    ),
    "rules": Listed(
        "List the rules of the specification, and count their use.",
        ("rules P-042", "rules Q- --count cases.jsonl.gz"),
    ),
    "gallery": Listed("Write the reports of known faults again.", ("gallery",)),
    "mutants": Listed("How fast the search finds known faults.", ("mutants --only B08 --seconds 20",)),
    "explore": Listed(
        "Everything that can happen in a small universe.",
        ("explore queue --depth 4", "explore --scheduler python:mine:Scheduler"),
    ),
    "bench": Listed(
        "How fast a scheduler decides.",
        ("bench --workload plain --nodes 1000", "bench --scheduler model --nodes 100 --json"),
    ),
}

_SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


UsageError: Any = typer.BadParameter.__base__
"""Under another name in each release of typer."""


class Commands(TyperGroup):
    """Lists the commands without importing any, and tells a wrong use in one line, as all that is wrong is told."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        try:
            sys.exit(super().main(*arguments, **{**options, "standalone_mode": False}))
        except UsageError as error:
            self._tell(error)
            sys.exit(error.exit_code)

    def _tell(self, error: Any) -> None:
        from oracle.cli.streams import complain
        from oracle.printable import in_a_line

        text, context = error.format_message(), error.ctx
        if context and text == context.get_help():
            error.show()  # nothing was asked for
        else:
            complain(in_a_line(f"{context.command_path}: {text}" if context else text))

    def list_commands(self, _: Any) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, _: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, listed.summary) for name, listed in COMMANDS.items()])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS:
            return _command(cmd_name)
        close = get_close_matches(cmd_name, COMMANDS, 1)
        return ctx.fail(f"No such command {cmd_name!r}." + (f" Did you mean {close[0]!r}?" if close else ""))


def _command(name: str) -> Any:
    from oracle.cli.failures import reporting

    function = getattr(import_module(f"oracle.cli.{name}"), name)

    @wraps(function)
    def reported(*arguments: Any, **options: Any) -> Any:
        with reporting():
            return function(*arguments, **options)

    alone = typer.Typer(**_SETTINGS)
    alone.command(name, epilog=_epilog(COMMANDS[name]))(reported)
    return typer.main.get_command(alone)


def _epilog(listed: Listed) -> str:
    lines = [e if "|" in e else f"sched-oracle {e}" for e in listed.examples]
    return "\n".join(["\b", "Examples:" if len(lines) > 1 else "Example:", *(f"  {line}" for line in lines)]) + (
        f"\n\n{EXPLAINED}"
    )


app = typer.Typer(name="sched-oracle", cls=Commands, no_args_is_help=True, epilog=EXPLAINED, **_SETTINGS)


def _version(asked: bool) -> None:
    from importlib.metadata import version

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
