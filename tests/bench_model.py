"""How fast the reference decides: `python -m pytest tests/bench_model.py`.  Not part of a plain test run.

The clusters are those of `sched-oracle bench`; all nodes are scored.  Times are the processor's, in seconds.
"""

import time
from collections.abc import Mapping
from typing import Any

import pytest

from model.api.configuration import Configuration
from model.api.objects import Pod
from model.engine import Reference
from oracle.bench.contest import Contestant, feed
from oracle.bench.through_protocol import ThroughProtocol
from oracle.bench.workloads import build
from oracle.trace import play, read_trace
from tests.samples import recorded_lines

DECISIONS = 20
TRACES = recorded_lines("e2e")

pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.mark.parametrize("nodes", [10, 100, 1000])
@pytest.mark.parametrize("workload", ["plain", "spread"])
def test_decisions(benchmark: Any, workload: str, nodes: int) -> None:
    """One round: pods are decided about one after the other, each on a cluster that holds those before."""
    given = build(workload, nodes, DECISIONS)

    def fed() -> tuple[tuple[Contestant, list[Pod]], Mapping[str, Any]]:
        contestant = ThroughProtocol(Reference().scheduler(Configuration(percentage_of_nodes_to_score=100)))
        return (contestant, feed(contestant, given)), {}

    def schedule_all(contestant: Contestant, pods: list[Pod]) -> None:
        for pod in pods:
            contestant.schedule(pod)

    benchmark.pedantic(schedule_all, setup=fed, rounds=5)
    benchmark.extra_info["decisions_per_s"] = round(DECISIONS / benchmark.stats["min"], 1)


def test_traces(benchmark: Any) -> None:
    """One round: all recorded runs of the sample, with observation of the scheduler after every step."""

    def play_all() -> None:
        for case in TRACES:
            trace = read_trace(case)
            for _ in play(trace, Reference().scheduler(trace.configuration)):
                pass

    benchmark.pedantic(play_all, rounds=3)
    benchmark.extra_info["traces_per_s"] = round(len(TRACES) / benchmark.stats["min"], 1)
