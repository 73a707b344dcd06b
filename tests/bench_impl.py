"""How fast the optimized scheduler decides: `python -m pytest tests/bench_impl.py`.  Not part of a plain test run.

The same as `sched-oracle bench`, which takes the memory too.  Times are the processor's, in seconds.
"""

import time
from collections.abc import Mapping
from typing import Any

import pytest

from impl.engine import Optimized
from model.api.configuration import Configuration
from model.api.objects import Pod
from oracle.bench.contest import Contestant, decide, feed
from oracle.bench.workloads import WORKLOADS, build

pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.mark.parametrize("percentage", [0, 100])
@pytest.mark.parametrize("nodes", [100, 1000, 5000])
@pytest.mark.parametrize("workload", WORKLOADS)
def test_decisions(benchmark: Any, workload: str, nodes: int, percentage: int) -> None:
    """One round: a new scheduler takes the cluster in and decides about all pods, one after the other."""
    given = build(workload, nodes)
    configuration = Configuration(percentage_of_nodes_to_score=percentage)

    def fed() -> tuple[tuple[Contestant, list[Pod]], Mapping[str, Any]]:
        contestant = Optimized().bench(configuration)
        return (contestant, feed(contestant, given)), {}

    def decide_all(contestant: Contestant, pods: list[Pod]) -> None:
        for pod in pods:
            decide(contestant, pod, given.preempt)

    benchmark.pedantic(decide_all, setup=fed, rounds=3)
    benchmark.extra_info["cpu_ms_per_pod"] = round(1000 * benchmark.stats["min"] / given.measured_count, 4)
