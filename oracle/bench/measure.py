"""Measurements, each in a process of its own, so that none inherits the memory or the luck of another."""

from collections.abc import Iterable, Iterator

from attrs import frozen

from model.api.components import Engine
from model.api.configuration import Configuration
from oracle.bench.contest import Contestant, run
from oracle.bench.through_protocol import ThroughProtocol
from oracle.bench.workloads import build
from oracle.process_pool import no_interrupts, short_lived
from oracle.schedulers import find_engine


@frozen
class Cell:
    """What to measure.  `existing` and `pods` None: as many as the workload says; `percentage` 0: adaptive."""

    workload: str
    scheduler: str
    nodes: int
    existing: int | None
    pods: int | None
    percentage: int


@frozen
class Result:
    """`placed`: so many of the pods got a node, by eviction too.

    `first_cpu_ms`: of the first pod, for which the whole cluster is taken in.
    `peak_mib`: the largest size of the whole process, input included.
    """

    workload: str
    scheduler: str
    nodes: int
    existing: int
    pods: int
    placed: int
    percentage: int
    pods_per_s: float
    cpu_ms_per_pod: float
    first_cpu_ms: float
    peak_mib: float

    @property
    def cpu_ms_per_further_pod(self) -> float:
        if self.pods == 1:
            return self.cpu_ms_per_pod
        return (self.cpu_ms_per_pod * self.pods - self.first_cpu_ms) / (self.pods - 1)


def measure(cells: Iterable[Cell], rounds: int = 1) -> Iterator[Result]:
    """One after the other, each as often as `rounds` says: what differs between rounds is what else the machine did,
    so the one that took the least processor time counts.

    Raises SchedulerError, and whatever the scheduler raises.
    """
    with short_lived(1, tasks_each=1) as processes:
        for cell in cells:
            results = []
            for _ in range(rounds):
                with no_interrupts():
                    future = processes.submit(_measured, cell)
                results.append(future.result())
            yield min(results, key=lambda result: result.cpu_ms_per_pod)


def _measured(cell: Cell) -> Result:
    configuration = Configuration(percentage_of_nodes_to_score=cell.percentage)
    given = build(cell.workload, cell.nodes, cell.pods, cell.existing)
    timed = run(contestant(find_engine(cell.scheduler), configuration), given)
    return Result(
        workload=cell.workload,
        scheduler=cell.scheduler,
        nodes=given.node_count,
        existing=given.existing_count,
        pods=given.measured_count,
        placed=sum(decided.host is not None for decided in timed.decisions),
        percentage=cell.percentage,
        pods_per_s=round(given.measured_count / timed.wall_s, 1),
        cpu_ms_per_pod=round(1000 * timed.cpu_s / given.measured_count, 4),
        first_cpu_ms=round(1000 * timed.first_cpu_s, 3),
        peak_mib=round(timed.peak_mib, 1),
    )


def contestant(engine: Engine, configuration: Configuration) -> Contestant:
    """The engine's own entry for benchmarks if it has one, else its scheduler behind the protocol."""
    offered = getattr(engine, "bench", None)
    entry: Contestant = offered(configuration) if offered else ThroughProtocol(engine.scheduler(configuration))
    return entry
