"""`sched-oracle mutants`: how fast the search finds known faults, one at a time."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any

import typer

from oracle.cli.exit_codes import DIVERGED, FINE
from oracle.cli.failures import UntilInterrupted, interrupted, refuse
from oracle.cli.options import AsJson
from oracle.cli.streams import notice, show, show_json
from oracle.mutants.automatic import sample
from oracle.mutants.matrix import entry, results, summary
from oracle.mutants.mutation import Mutant

CATALOGUE = "tests.mutants"


def mutants(
    only: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this mutant, or those whose ID begins so; repeatable.")
    ] = None,
    auto: Annotated[
        int, typer.Option(min=0, metavar="N", help="Instead, N of the mutants that are made by rule from the source.")
    ] = 0,
    seconds: Annotated[
        float, typer.Option(min=0.1, metavar="N", help="How long each is hunted, in seconds of one core.")
    ] = 60.0,
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Processes that hunt.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Put known faults into the optimized scheduler, one at a time, and see whether the search finds them.

    The catalogue of faults belongs to the source tree, not to the package: run it there.
    Exit code 1 when one survives that is not explained.
    """
    catalogue = _catalogue()
    chosen = _chosen(sample(catalogue.MODULES, auto) if auto else list(catalogue.MUTANTS.values()), only)
    explained: Mapping[str, str] = catalogue.EXPLAINED
    found, stillborn = [], 0
    with UntilInterrupted() as work:
        for mutant, result in results(chosen, "impl", seconds, workers):
            if result is None:
                stillborn += 1
                continue
            found.append(result)
            notice(_line(entry(result, explained.get(mutant.id, ""))))
    entries = [entry(one, explained.get(one.mutant.id, "")) for one in found]
    whole = {"summary": summary(found, explained) | {"stillborn": stillborn}, "mutants": entries}
    if as_json:
        show_json(whole)
    else:
        _show(whole, {} if auto else catalogue.IMPOSSIBLE)
    if work.came:
        interrupted()
    survived = [one for one in entries if not one["killed"] and "reason" not in one]
    raise typer.Exit(DIVERGED if survived else FINE)


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


def _line(one: Mapping[str, Any]) -> str:
    if not one["killed"]:
        return f"survived  {one['id']:<18} {one['examples']:>6} examples {one['seconds']:>7.2f} s  {one['description']}"
    size = one["counterexample"]
    return (
        f"killed    {one['id']:<18} {one['examples']:>6} examples {one['seconds']:>7.2f} s  "
        f"{size['nodes']} nodes, {size['pods']} pods, {size['events']} events  {one['by']}"
    )


def _show(whole: Mapping[str, Any], impossible: Mapping[str, str]) -> None:
    for one in whole["mutants"]:
        show(_line(one))
    for one in whole["mutants"]:
        if not one["killed"]:
            show(f"{one['id']} survived: {one.get('reason', 'not explained')}")
    for name, why in impossible.items():
        show(f"{name} cannot exist: {why}")
    told = whole["summary"]
    show(
        f"{told['killed']} of {told['mutants']} killed, median {told['medianSeconds']} s, at most "
        f"{told['longestSeconds']} s; {told['small']} with at most 3 nodes, 4 pods and 8 events"
    )
