"""`sched-oracle bench`: how fast does a scheduler decide?"""

from typing import Annotated

import typer
from attrs import asdict

from oracle.bench.measure import Cell, Result, measure
from oracle.bench.original import original_cpu_ms
from oracle.bench.workloads import WORKLOADS
from oracle.cli.failures import UntilInterrupted, interrupted, refuse
from oracle.cli.options import AsJson, SchedulerName
from oracle.cli.streams import progress, show, show_json

_HEAD = "workload             nodes  score  pods    pods/s  CPU ms/pod  original  peak MiB"


def bench(
    workload: Annotated[
        list[str] | None,
        typer.Option("--workload", "-w", metavar="NAME", help=f"One or more of {', '.join(WORKLOADS)}; all if absent."),
    ] = None,
    nodes: Annotated[
        list[int] | None, typer.Option(min=1, metavar="N", help="Sizes; 100, 1000 and 5000 if absent.")
    ] = None,
    pods: Annotated[
        int | None, typer.Option(min=1, metavar="P", help="Pods measured; else as the workload says.")
    ] = None,
    percentage: Annotated[
        list[int] | None,
        typer.Option(min=0, max=100, metavar="Q", help="Percentage of nodes to score, 0 = adaptive; 0 if absent."),
    ] = None,
    scheduler: SchedulerName = "impl",
    as_json: AsJson = False,
) -> None:
    """Measure how fast a scheduler decides on fixed workloads.

    Deciding and assuming is timed, user and system time of the process; feeding the cluster is not.
    'original' is what kube-scheduler v1.15.3 took on a two-core machine, where it was measured.
    """
    if unknown := [name for name in workload or () if name not in WORKLOADS]:
        refuse(f"no workload is called {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    cells = [
        Cell(name, scheduler, size, pods, score)
        for name in workload or WORKLOADS
        for size in nodes or (100, 1000, 5000)
        for score in percentage or (0,)
    ]
    results = []
    with UntilInterrupted() as work, progress() as bar:
        task = bar.add_task("bench", total=len(cells))
        for result in measure(cells):
            results.append(result)
            bar.advance(task)
    if as_json:
        show_json({"results": [asdict(result) for result in results]})
    else:
        show(_HEAD)
        for result in results:
            show(_line(result))
    if work.came:
        interrupted()


def _line(result: Result) -> str:
    original = original_cpu_ms(result.workload, result.nodes, result.percentage)
    score = f"{result.percentage} %" if result.percentage else "adapt."
    return (
        f"{result.workload:19}{result.nodes:>7}{score:>7}{result.pods:>6}{result.pods_per_s:>10.0f}"
        f"{result.cpu_ms_per_pod:>12.3f}{original or '-':>10}{result.peak_mib:>10.0f}"
    )
