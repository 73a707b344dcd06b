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
from oracle.bench import growth
from oracle.bench.contest import Decided, run
from oracle.bench.growth import fitted
from oracle.bench.measure import Result, contestant
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
    arguments = [
        "bench",
        "-w",
        "spread",
        "--nodes",
        "20",
        "--pods",
        "5",
        "--percentage",
        "100",
        "--rounds",
        "1",
        "--json",
    ]
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


def test_more_pods_may_be_there_before() -> None:
    given = build("plain", 7, 2, existing=25)
    assert [pod["spec"]["nodeName"] for pod in given.existing][:3] == ["node-00004", "node-00000", "node-00002"]
    assert len(list(given.existing)) == 25
    result = Result("plain", "impl", 10, 25, 5, 5, 0, pods_per_s=1, cpu_ms_per_pod=3, first_cpu_ms=7, peak_mib=1)
    assert result.cpu_ms_per_further_pod == 2


def test_growth_is_an_exponent() -> None:
    def result(nodes: int) -> Result:
        return Result("plain", "impl", nodes, 0, 101, 101, 0, 1, cpu_ms_per_pod=nodes**1.5, first_cpu_ms=0, peak_mib=1)

    grown = fitted("nodes", [result(nodes) for nodes in (100, 200, 400)])
    assert (grown.over, grown.sizes, grown.exponent) == ("nodes", (100, 200, 400), 1.5)


def test_the_growth_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "NODES", (5, 10))
    monkeypatch.setattr(growth, "EXISTING", (5, 10))
    monkeypatch.setattr(growth, "BESIDE_EXISTING", 5)
    arguments = ["bench", "-w", "plain", "--growth", "--pods", "3", "--rounds", "1"]
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    grown = json.loads(done.stdout)["growth"]
    assert [(one["over"], one["sizes"]) for one in grown] == [("nodes", [5, 10]), ("existing", [5, 10])]
    assert all(len(one["cpu_ms_per_pod"]) == 2 for one in grown)


def test_an_unknown_workload_is_bad_usage() -> None:
    done = CliRunner().invoke(app, ["bench", "-w", "nonsense"])
    assert done.exit_code == 2
    assert "no workload is called 'nonsense'" in done.output


def test_growth_has_sizes_of_its_own() -> None:
    done = CliRunner().invoke(app, ["bench", "--growth", "--nodes", "10"])
    assert done.exit_code == 2
    assert done.stderr == "error: --growth measures at sizes of its own, without --nodes and --existing\n"


@pytest.mark.parametrize("workload", WORKLOADS)
def test_one_node_is_enough(workload: str) -> None:
    assert len(run(Optimized().bench(ALL_NODES), build(workload, 1, None)).decisions) >= 1
