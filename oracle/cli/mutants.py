"""`sched-oracle mutants`: how fast the search finds known faults, one at a time."""

import sys
from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from oracle.cli.exit_codes import DIVERGED, FINE
from oracle.cli.failures import UntilInterrupted, interrupted, refuse
from oracle.cli.options import MOST_WORKERS, AsJson
from oracle.cli.streams import notice, show, show_json
from oracle.mutants.automatic import automatic, sample
from oracle.mutants.matrix import Entry, entries, summary
from oracle.mutants.mutation import Mutant
from oracle.mutants.page import page
from oracle.written_file import write_file

CATALOGUE = "tests.mutants"
PAGE = "tests/mutants/KILLS.md"
SAMPLE = 250
"""Mutants made by rule that the page tells of, unless another number is asked for."""


def mutants(
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help=f"Only this mutant of {PAGE}, or those whose ID begins so; repeatable."),
    ] = None,
    auto: Annotated[
        int, typer.Option(min=0, metavar="N", help="Instead, about N of the mutants that are made by rule.")
    ] = 0,
    seconds: Annotated[
        float, typer.Option(min=0.1, metavar="N", help="How long each is hunted, in seconds of one core.")
    ] = 60.0,
    workers: Annotated[int, typer.Option(min=1, max=MOST_WORKERS, metavar="N", help="Processes that hunt.")] = 1,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep each result in this file, and hunt none that is in it.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help=f"Hunt all, and N made by rule ({SAMPLE} without --auto), and write {PAGE}.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put known faults into the optimized scheduler, one at a time, and see whether the search finds them.

    The catalogue of faults belongs to the source tree, not to the package: run it there.
    Exit code 1 when one survives that is not explained.
    """
    if only and not all(only):
        refuse("--only: no ID given")
    catalogue = _catalogue()
    known = list(catalogue.MUTANTS.values())
    explained: Mapping[str, str] = catalogue.EXPLAINED
    wanting: Mapping[str, str] = catalogue.WANTING
    found: list[Entry] = []
    made: list[Entry] = []
    with UntilInterrupted() as work:
        hunted = partial(entries, scheduler="impl", seconds=seconds, workers=workers, kept=keep)
        if write or not auto:
            _collect(found, hunted(known if write else _chosen(known, only)))
        if write or auto:
            by_rule = sample(catalogue.MODULES, auto or SAMPLE)
            _collect(made, hunted(by_rule if write else _chosen(by_rule, only), shrinks=False))
    whole = {
        "summary": summary((*found, *made), explained),
        "mutants": [_explained(one, explained, wanting) for one in (*found, *made)],
        "notPossible": dict(catalogue.IMPOSSIBLE),
    }
    if as_json:
        show_json(whole)
    else:
        _show(whole)
    if work.came:
        interrupted()
    if write:
        rule_makes = sum(1 for module in catalogue.MODULES for _ in automatic(module))
        text = page(found, made, rule_makes, catalogue.IMPOSSIBLE, explained, wanting)
        write_file(Path(PAGE), text.encode())
    survived = [one for one in (*found, *made) if _survived(one) and one["place"] not in explained]
    raise typer.Exit(DIVERGED if survived else FINE)


def _collect(found: list[Entry], coming: Iterable[Entry]) -> None:
    """Telling of each as it comes."""
    for one in coming:
        found.append(one)
        notice(_line(one))


def _survived(one: Entry) -> bool:
    return "stillborn" not in one and not one["killed"]


def _explained(one: Entry, explained: Mapping[str, str], wanting: Mapping[str, str]) -> Entry:
    """With the reason why it survived, or the input that the search did not come to."""
    if not _survived(one):
        return one
    told = {"reason": explained, "wanting": wanting}
    return {**one, **{member: texts[one["place"]] for member, texts in told.items() if one["place"] in texts}}


def _catalogue() -> Any:
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return import_module(CATALOGUE)
    except ModuleNotFoundError:
        refuse(f"the catalogue of faults ({CATALOGUE}) is not here: run this in a source tree of sched-oracle")


def _chosen(mutants: list[Mutant], only: list[str] | None) -> list[Mutant]:
    if not only:
        return mutants
    chosen = [mutant for mutant in mutants if any(mutant.id.startswith(wanted) for wanted in only)]
    if not chosen:
        refuse(f"no mutant is called {', '.join(only)}")
    return chosen


def _line(one: Entry) -> str:
    if "stillborn" in one:
        return f"stillborn {one['id']:<18} {one['description']}"
    told = f"{one['id']:<18} {one['examples']:>6} examples {one['seconds']:>7.2f} s  "
    if not one["killed"]:
        return f"survived  {told}{one['description']}"
    if "counterexample" not in one:
        return f"killed    {told}{one['by']}"
    size = one["counterexample"]
    return f"killed    {told}{size['nodes']} nodes, {size['pods']} pods, {size['events']} events  {one['by']}"


def _show(whole: Mapping[str, Any]) -> None:
    for one in whole["mutants"]:
        show(_line(one))
    for one in whole["mutants"]:
        if _survived(one):
            wanting = f"what would give it away: {one['wanting']}" if "wanting" in one else "not explained"
            show(f"{one['id']} survived: {one.get('reason', wanting)}")
    for name, why in whole["notPossible"].items():
        show(f"{name} is not possible here: {why}")
    told = whole["summary"]
    show(
        f"{told['killed']} of {told['mutants']} killed, median {told['medianSeconds']} s, at most "
        f"{told['longestSeconds']} s; {told['small']} with at most 3 nodes, 4 pods and 8 events"
    )
