"""`sched-oracle bench`: how fast does a scheduler decide?"""

from collections.abc import Sequence
from typing import Annotated

import typer
from attrs import asdict

from oracle.bench.growth import Growth, fitted, series
from oracle.bench.measure import Cell, Result, measure
from oracle.bench.original import original_cpu_ms
from oracle.bench.workloads import WORKLOADS, build
from oracle.cli.failures import UntilInterrupted, interrupted, refuse
from oracle.cli.options import AsJson, SchedulerName
from oracle.cli.streams import progress, show, show_json

_HEAD = "workload             nodes  score  existing    pods  placed    pods/s  CPU ms/pod  original  peak MiB"
_GROWTH_HEAD = "workload            score  grows over  exponent  CPU ms/pod by size"


def bench(
    workload: Annotated[
        list[str] | None,
        typer.Option("--workload", "-w", metavar="NAME", help=f"One or more of {', '.join(WORKLOADS)}; all if absent."),
    ] = None,
    nodes: Annotated[
        list[int] | None, typer.Option(min=1, metavar="N", help="Sizes; 100, 1000 and 5000 if absent.")
    ] = None,
    existing: Annotated[
        int | None, typer.Option(min=0, metavar="E", help="Pods placed before; else as the workload says.")
    ] = None,
    pods: Annotated[
        int | None, typer.Option(min=1, metavar="P", help="Pods measured; else as the workload says.")
    ] = None,
    percentage: Annotated[
        list[int] | None,
        typer.Option(min=0, max=100, metavar="Q", help="Percentage of nodes to score, 0 = adaptive; 0 if absent."),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, metavar="R", help="Measure so often; the quickest round counts.")] = 3,
    growth: Annotated[
        bool,
        typer.Option("--growth", help="How the cost grows with nodes and with existing pods, at sizes of its own."),
    ] = False,
    scheduler: SchedulerName = "impl",
    as_json: AsJson = False,
) -> None:
    """Measure how fast a scheduler decides on fixed workloads.

    Deciding and assuming is timed, user and system time of this process; feeding the cluster is not, nor what an
    `exec:` scheduler takes in its own process, of which only pods/s tells.  An engine with a method `bench`, as `impl`
    has one, is asked without its queue, as the original was; any other is driven by events, and takes its whole loop.
    'original' is what kube-scheduler v1.15.3 took on a two-core machine, where it was measured.
    """
    if unknown := [name for name in workload or () if name not in WORKLOADS]:
        refuse(f"no workload is called {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    chosen, scores = list(dict.fromkeys(workload or WORKLOADS)), list(dict.fromkeys(percentage or [0]))
    if growth:
        if nodes or existing is not None:
            refuse("--growth measures at sizes of its own, without --nodes and --existing")
        _grow(
            [part for name in chosen for score in scores for part in series(name, scheduler, score, pods)],
            rounds,
            as_json,
        )
        return
    sizes = dict.fromkeys(nodes or (100, 1000, 5000))
    cells = [
        Cell(name, scheduler, size, existing, pods, score) for name in chosen for size in sizes for score in scores
    ]
    results, came = _measured(cells, rounds)
    if as_json:
        show_json({"results": [asdict(result) for result in results]})
    else:
        show(_HEAD)
        for result in results:
            show(_line(result))
    if came:
        interrupted()


def _measured(cells: Sequence[Cell], rounds: int) -> tuple[list[Result], bool]:
    """What was measured until an interrupt, and whether one came."""
    results = []
    with UntilInterrupted() as work, progress() as bar:
        task = bar.add_task("bench", total=len(cells))
        for result in measure(cells, rounds):
            results.append(result)
            bar.advance(task)
    return results, work.came


def _grow(wanted: Sequence[tuple[str, Sequence[Cell]]], rounds: int, as_json: bool) -> None:
    results, came = _measured([cell for _, cells in wanted for cell in cells], rounds)
    grown = []
    for over, cells in wanted:
        part, results = results[: len(cells)], results[len(cells) :]
        if len(part) == len(cells):
            grown.append(fitted(over, part))
    if as_json:
        show_json({"growth": [asdict(one) for one in grown]})
    else:
        show(_GROWTH_HEAD)
        for one in grown:
            show(_growth_line(one))
    if came:
        interrupted()


def _line(result: Result) -> str:
    usual = build(result.workload, result.nodes)
    comparable = (usual.existing_count, usual.measured_count) == (result.existing, result.pods)
    original = original_cpu_ms(result.workload, result.nodes, result.percentage) if comparable else None
    return (
        f"{result.workload:19}{result.nodes:>7}{_score(result.percentage):>7}{result.existing:>10}{result.pods:>8}"
        f"{result.placed:>8}{result.pods_per_s:>10.0f}{result.cpu_ms_per_pod:>12.3f}"
        f"{original or '-':>10}{result.peak_mib:>10.0f}"
    )


def _growth_line(grown: Growth) -> str:
    points = "  ".join(f"{size}: {cost:.3f}" for size, cost in zip(grown.sizes, grown.cpu_ms_per_pod, strict=True))
    return f"{grown.workload:19}{_score(grown.percentage):>6}  {grown.over:10}{grown.exponent:>10.2f}  {points}"


def _score(percentage: int) -> str:
    return f"{percentage} %" if percentage else "adapt."
