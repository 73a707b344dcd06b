"""The benchmark's workloads: decisions recorded from kube-scheduler v1.15.3, and the command."""

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

import pytest
from typer.testing import CliRunner

from impl.engine import Optimized
from model.api.configuration import Configuration
from model.engine import Reference
from oracle.bench.contest import Decided, run
from oracle.bench.measure import contestant
from oracle.bench.original import original_cpu_ms
from oracle.bench.through_protocol import ThroughProtocol
from oracle.bench.workloads import WORKLOADS, build
from oracle.cli.commands import app
from tests.samples import recorded_lines

ALL_NODES = Configuration(percentage_of_nodes_to_score=100)


def row_of(decided: Decided, workload: str, nodes: int) -> Mapping[str, Any]:
    """A decision in the recorded form."""
    row: dict[str, Any] = {"workload": workload, "nodes": nodes, "pod": decided.pod, "host": decided.host}
    if decided.error is not None:
        row["error"] = decided.error
    if decided.victims is not None:
        row["victims"] = list(decided.victims)
    return row


RECORDED = {
    key: list(rows) for key, rows in groupby(recorded_lines("bench"), key=lambda row: (row["workload"], row["nodes"]))
}


@pytest.mark.parametrize(("workload", "nodes"), RECORDED)
def test_the_recorded_decisions(workload: str, nodes: int) -> None:
    rows = RECORDED[workload, nodes]
    timed = run(Optimized().bench(ALL_NODES), build(workload, nodes, len(rows)))
    assert [row_of(decided, workload, nodes) for decided in timed.decisions] == rows


@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_scheduler_behind_the_protocol_decides_the_same(workload: str) -> None:
    given = build(workload, 30, 12)
    behind = ThroughProtocol(Reference().scheduler(ALL_NODES))
    assert run(behind, given).decisions == run(Optimized().bench(ALL_NODES), given).decisions


def test_every_workload_is_recorded() -> None:
    assert {workload for workload, _ in RECORDED} == set(WORKLOADS)
    assert all(original_cpu_ms(workload, 1000, 100) for workload in WORKLOADS)


def test_without_an_entry_of_its_own_a_scheduler_is_driven_by_events() -> None:
    assert isinstance(contestant(Reference(), ALL_NODES), ThroughProtocol)


def test_the_command() -> None:
    arguments = ["bench", "-w", "spread", "--nodes", "20", "--pods", "5", "--percentage", "100", "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    (result,) = json.loads(done.stdout)["results"]
    assert {name: result[name] for name in ("workload", "scheduler", "nodes", "pods", "percentage")} == {
        "workload": "spread",
        "scheduler": "impl",
        "nodes": 20,
        "pods": 5,
        "percentage": 100,
    }
    assert min(result["pods_per_s"], result["cpu_ms_per_pod"], result["peak_mib"]) > 0


def test_an_unknown_workload_is_bad_usage() -> None:
    done = CliRunner().invoke(app, ["bench", "-w", "nonsense"])
    assert done.exit_code == 2
    assert "no workload is called 'nonsense'" in done.output
