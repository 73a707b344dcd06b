"""Measurements, each in a process of its own, so that none inherits the memory or the luck of another."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from attrs import frozen

from model.api.components import Engine
from model.api.configuration import Configuration
from oracle.bench.contest import Contestant, run
from oracle.bench.through_protocol import ThroughProtocol
from oracle.bench.workloads import build
from oracle.schedulers import find_engine


@frozen
class Cell:
    """What to measure.  `pods` None: as many as the workload says; `percentage` of nodes to score, 0 = adaptive."""

    workload: str
    scheduler: str
    nodes: int
    pods: int | None
    percentage: int


@frozen
class Result:
    """`peak_mib`: the largest size of the whole process, input included."""

    workload: str
    scheduler: str
    nodes: int
    pods: int
    percentage: int
    pods_per_s: float
    cpu_ms_per_pod: float
    peak_mib: float


def measure(cells: Iterable[Cell]) -> Iterator[Result]:
    """One after the other.  Raises SchedulerError, and whatever the scheduler raises."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:
        for cell in cells:
            yield processes.submit(_measured, cell).result()


def _measured(cell: Cell) -> Result:
    configuration = Configuration(percentage_of_nodes_to_score=cell.percentage)
    timed = run(contestant(find_engine(cell.scheduler), configuration), build(cell.workload, cell.nodes, cell.pods))
    pods = len(timed.decisions)
    return Result(
        workload=cell.workload,
        scheduler=cell.scheduler,
        nodes=cell.nodes,
        pods=pods,
        percentage=cell.percentage,
        pods_per_s=round(pods / timed.wall_s, 1),
        cpu_ms_per_pod=round(1000 * timed.cpu_s / pods, 4),
        peak_mib=round(timed.peak_mib, 1),
    )


def contestant(engine: Engine, configuration: Configuration) -> Contestant:
    """The engine's own entry for benchmarks if it has one, else its scheduler behind the protocol."""
    offered = getattr(engine, "bench", None)
    entry: Contestant = offered(configuration) if offered else ThroughProtocol(engine.scheduler(configuration))
    return entry
