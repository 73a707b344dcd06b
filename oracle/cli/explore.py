"""`sched-oracle explore`: everything that can happen in a small universe, on a scheduler and the model."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.progress import Progress as Bar
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from model.api.components import Engine
from model.engine import Reference
from oracle.cli.exit_codes import DIVERGED, FINE
from oracle.cli.failures import UntilInterrupted, interrupted, refuse
from oracle.cli.options import AsJson, SchedulerName
from oracle.cli.streams import NOTICES, show, show_json
from oracle.compare import compare
from oracle.compare.wording import sentence
from oracle.explore import UNIVERSES, Exploration, Universe
from oracle.explore import explore as explored
from oracle.explore.walk import Fault
from oracle.only_scheduler import OnlyScheduler
from oracle.schedulers import find_engine


def explore(
    universes: Annotated[
        list[str] | None,
        typer.Argument(metavar="UNIVERSE", help=f"Of {', '.join(UNIVERSES)}; all if none is named."),
    ] = None,
    scheduler: SchedulerName = "impl",
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="How many steps may follow each other.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.1, metavar="N", help="Stop each after so long.")] = None,
    as_json: AsJson = False,
) -> None:
    """Walk through all that can happen in small universes, every state once, and compare with the model at each step.

    Fuzzing samples; within its bound this proves.  Properties are checked too: always, and eventually.
    """
    if unknown := [name for name in universes or () if name not in UNIVERSES]:
        refuse(f"no universe is called {unknown[0]!r}; there are {', '.join(UNIVERSES)}")
    engine = find_engine(scheduler)
    possible = ("loop",) if isinstance(engine, OnlyScheduler) else tuple(UNIVERSES)
    if apart := [name for name in universes or () if name not in possible]:
        refuse(f"{scheduler} offers a whole scheduler, and no {apart[0]} by itself")
    accounts = []
    work = UntilInterrupted()
    for name in universes or possible:
        universe, found = UNIVERSES[name], Exploration(name)
        with work, _bar() as bar:
            task = bar.add_task(name)

            def watch(known: Exploration, bar: Bar = bar, task: Any = task) -> None:
                bar.update(task, description=f"{known.universe}: {known.states:,} states, depth {known.depth + 1}")

            explored(universe, engine, Reference(), depth or universe.usual_depth, seconds, watch, found)
        accounts.append(account(universe, found, scheduler, engine))
        if not as_json:
            _show(accounts[-1])
        if work.came:
            break
    if as_json:
        show_json({"universes": accounts})
    if work.came:
        interrupted()
    raise typer.Exit(DIVERGED if any(one["fault"] for one in accounts) else FINE)


def account(universe: Universe, found: Exploration, scheduler: str, engine: Engine) -> dict[str, Any]:
    """In JSON."""
    fault = found.fault
    return {
        "universe": found.universe,
        "states": found.states,
        "steps": found.steps,
        "ends": found.ends,
        "depth": found.depth,
        "complete": found.complete,
        "seconds": round(found.seconds, 1),
        "statesPerSecond": round(found.states / max(found.seconds, 0.001)),
        "sizes": found.sizes,
        "fault": fault
        and {
            "sentence": fault.sentence or _sentence(universe.case(fault.path), fault, scheduler, engine),
            "case": universe.case(fault.path),
        },
    }


def _sentence(case: Mapping[str, Any], fault: Fault, scheduler: str, engine: Engine) -> str:
    """As a search says it; where it would let the difference pass, only what the walk has seen."""
    if divergence := compare(case, engine):
        return sentence(case, divergence, scheduler)
    assert fault.difference is not None
    where, expected, actual = fault.difference.where, fault.difference.expected, fault.difference.actual
    return f"{where}: v1.15.3 has {expected}; the scheduler under test has {actual}"


def _bar() -> Bar:
    return Bar(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=NOTICES,
        transient=True,
        disable=not NOTICES.is_terminal,
    )


def _show(one: dict[str, Any]) -> None:
    whole = "all there is" if one["complete"] else f"depth {one['depth']}"
    show(
        f"{one['universe']}: {one['states']:,} states, {one['steps']:,} steps, {whole}, {one['seconds']} s, "
        f"{one['statesPerSecond']:,} states/s"
    )
    if fault := one["fault"]:
        show(f"  {fault['sentence']}")
        for happening in fault["case"].get("events", fault["case"].get("ops", ())):
            about = happening.get("pod") or happening.get("key") or happening.get("node") or happening.get("new") or ""
            about = about or happening.get("object", {}).get("metadata", {}).get("name", "")
            show(f"    {happening['op']} {about or happening.get('ms', '')}".rstrip())
