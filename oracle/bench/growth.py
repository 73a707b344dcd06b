"""How the cost of a pod grows with the cluster: measured at several sizes, and the exponent fitted.

Cost ~ size^e: 0 is a cost that does not depend on the size, 1 one that doubles with it.  The first pod, for
which the whole cluster is taken in, is left out.
"""

from collections.abc import Iterator, Sequence
from math import log
from statistics import linear_regression

from attrs import frozen

from oracle.bench.measure import Cell, Result

NODES = (500, 1000, 2000, 4000, 8000)
EXISTING = (1000, 2000, 4000, 8000)
BESIDE_EXISTING = 1000
"""So many nodes when the existing pods become more."""


@frozen
class Growth:
    """`over`: what grew, nodes or existing; `sizes`, and for each the CPU ms per pod."""

    workload: str
    scheduler: str
    percentage: int
    over: str
    sizes: tuple[int, ...]
    cpu_ms_per_pod: tuple[float, ...]
    exponent: float


def series(workload: str, scheduler: str, percentage: int, pods: int | None) -> Iterator[tuple[str, list[Cell]]]:
    """What to measure for one workload: more and more nodes, then more and more existing pods."""
    yield "nodes", [Cell(workload, scheduler, nodes, None, pods, percentage) for nodes in NODES]
    yield "existing", [Cell(workload, scheduler, BESIDE_EXISTING, held, pods, percentage) for held in EXISTING]


def fitted(over: str, results: Sequence[Result]) -> Growth:
    """By least squares on logarithms."""
    sizes = [getattr(result, over) for result in results]
    costs = [result.cpu_ms_per_further_pod for result in results]
    first = results[0]
    return Growth(
        workload=first.workload,
        scheduler=first.scheduler,
        percentage=first.percentage,
        over=over,
        sizes=tuple(sizes),
        cpu_ms_per_pod=tuple(round(cost, 4) for cost in costs),
        exponent=round(linear_regression(list(map(log, sizes)), list(map(log, costs))).slope, 2),
    )
