"""Z3 alone catches seeded faults on generated clusters, and has nothing against the reference."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from typer.testing import CliRunner

from model.api.cluster import Cluster, write_cluster
from model.api.components import Decision, PreemptionDecision, Situation, Victims
from model.api.configuration import Configuration
from model.api.decode import amended, encode
from model.engine import Reference
from model.releases import v1_15_3
from model.scheduler import ModelScheduler
from oracle.cli.commands import app
from oracle.conform.situation import read_situation
from oracle.strategies import case_from_seed
from oracle.verify import Standing, Tally, verify_case, verify_decision, verify_preemption
from tests import building
from tests.building import ZONE
from tests.odd_schedulers import Blind
from tests.samples import DATA

GALLERY = Path(__file__).parent.parent / "reports" / "gallery"
OURS = "default-scheduler"
GOOD = {Standing.AGREES, Standing.ALLOWED}


def generated(kind: str, count: int) -> Iterator[Situation]:
    """With the default configuration: what a case draws may be invalid, and with extenders nothing is said."""
    for seed in range(count):
        yield evolve(read_situation(case_from_seed(kind, f"verify/{seed}")), configuration=Configuration())


@pytest.mark.parametrize(("kind", "count"), [("schedule", 150), ("preempt", 80), ("e2e", 25)])
def test_nothing_is_said_against_the_reference(kind: str, count: int) -> None:
    tally = Tally()
    for seed in range(count):
        tally.add(verify_case(case_from_seed(kind, f"verify/{seed}"), Reference()))
    assert tally.disputed == []
    assert tally.counts[Standing.AGREES, ""] > count // 2


# --- seeded faults --------------------------------------------------------------------------------


def standings(situation: Situation, decision: Decision) -> list[Standing]:
    return [opinion.standing for opinion in verify_decision(situation, decision)]


def test_an_infeasible_host() -> None:
    """Every node that the reference refuses, taken as host."""
    caught = 0
    for situation in generated("schedule", 60):
        decision = Reference().decide(situation)
        for node, verdict in decision.fits.items():
            if decision.error_type in (None, "FitError") and not verdict.fits:
                assert standings(situation, evolve(decision, host=node, error_type=None)) == [Standing.DISAGREES]
                caught += 1
    assert caught > 50


def test_a_wrongly_unschedulable_pod() -> None:
    caught = 0
    for situation in generated("schedule", 100):
        decision = Reference().decide(situation)
        if decision.host is not None:
            lie = evolve(decision, host=None, error_type="FitError")
            assert standings(situation, lie) == [Standing.DISAGREES]
            caught += 1
    assert caught > 20


Alteration = Callable[[Situation, str, Victims], Victims | None]


def one_too_many(situation: Situation, node: str, victims: Victims) -> Victims | None:
    """A further pod of lower priority, if there is one."""
    spare = (
        pod.name
        for pod in situation.cluster.pods
        if pod.spec.node_name == node and pod.priority < situation.pod.priority and pod.name not in victims.pods
    )
    another = next(spare, None)
    return evolve(victims, pods=(*victims.pods, another)) if another else None


def one_too_few(_: Situation, __: str, victims: Victims) -> Victims | None:
    return evolve(victims, pods=victims.pods[1:])


@pytest.mark.parametrize("altered", [one_too_many, one_too_few])
def test_wrong_victims(altered: Alteration) -> None:
    """In place of those that are minimal."""
    caught = 0
    for situation in generated("preempt", 120):
        decision = Reference().preempt(situation)
        if {opinion.standing for opinion in verify_preemption(situation, decision)} != {Standing.AGREES}:
            continue
        for node, victims in decision.per_node.items():
            wrong = altered(situation, node, victims)
            if wrong is not None:
                lie = evolve(decision, per_node={node: wrong}, node=node)
                assert not {opinion.standing for opinion in verify_preemption(situation, lie)} <= GOOD
                caught += 1
    assert caught > 15


def test_a_preemption_that_gives_up() -> None:
    caught = 0
    for situation in generated("preempt", 60):
        decision = Reference().preempt(situation)
        if decision.per_node:
            lie = PreemptionDecision(error_type="FitError", eligible=True)
            assert Standing.DISAGREES in {opinion.standing for opinion in verify_preemption(situation, lie)}
            caught += 1
    assert caught > 10


# --- what v1.15 is known to do ---------------------------------------------------------------------


def test_victims_are_not_judged_where_one_could_not_be_deleted() -> None:
    """The others are not asked for then, and those that are gone need not be enough."""
    trace = json.loads((DATA / "regressions" / "trace-a-victim-could-not-be-deleted.json").read_text())
    opinions = list(verify_case(trace, Reference()))
    assert {opinion.standing for opinion in opinions} == {Standing.AGREES}


def test_a_search_may_miss_a_node_after_another_came() -> None:
    """[A-014]"""
    nodes = [("A", "a1", "1"), ("B", "b1", "1"), ("B", "b2", "1"), ("B", "b3", "4")]
    case = {
        "kind": "e2e",
        "cluster": write_cluster(
            Cluster(
                nodes=tuple(building.node(name, cpu, labels={ZONE: zone}) for zone, name, cpu in nodes),
                pods=(
                    building.pod("small", priority=1, schedulerName=OURS),
                    building.pod("large", "2", schedulerName=OURS),
                ),
            )
        ),
        "config": {},
        "events": [
            {"op": "scheduleOne"},
            {"op": "create", "object": encode(building.node("a2", "1", labels={ZONE: "A"}))},
            {"op": "scheduleOne"},
        ],
    }
    first, second = verify_case(case, Reference())
    assert (first.standing, first.step) == (Standing.AGREES, 0)
    assert (second.standing, second.rule, second.says) == (Standing.ALLOWED, "A-014", "it fits b3")


def test_a_pressure_that_a_node_no_longer_reports_stays() -> None:
    """[O-094]"""
    condition = {"type": "DiskPressure", "status": "True"}
    node = amended(building.node("n"), {"status": {"conditions": [condition]}})
    case = {
        "kind": "e2e",
        "cluster": write_cluster(Cluster.of([node, building.pod("p", schedulerName=OURS)])),
        "config": {"featureGates": {"TaintNodesByCondition": False}},
        "events": [
            {"op": "scheduleOne"},
            {"op": "patch", "kind": "Node", "key": "n", "patch": {"status": {"conditions": []}}},
            {"op": "advance", "ms": 11_000},
            {"op": "scheduleOne"},
        ],
    }
    first, second = verify_case(case, Reference())
    assert (first.standing, first.step) == (Standing.AGREES, 0)
    assert (second.standing, second.rule, second.says) == (Standing.ALLOWED, "O-094", "it fits n")


def test_z3_excuses_v1_15_by_the_rule_that_the_gallery_names() -> None:
    faults = json.loads((GALLERY / "faults.json").read_text())["faults"]
    allowed = {fault["rule"]: GALLERY / fault["fault"] / "report.md" for fault in faults if "rule" in fault}
    assert allowed.keys() >= {"E-060", "E-061", "E-062", "E-063", "E-064", "E-065a"}
    for rule, page in allowed.items():
        assert re.search(rf"- v1\.15\.3: .*: allowed by v1\.15 by rule {rule}: .* would", page.read_text()), page


# --- the command ----------------------------------------------------------------------------------


class Heedless(Blind):
    """Asks no more than whether a node is cordoned or tainted."""

    def __init__(self) -> None:
        self._scheduler = ModelScheduler(v1_15_3(Configuration(predicates=())))


CLUSTER = """
kind: List
items:
- {kind: Node, metadata: {name: n1}, status: {capacity: {cpu: "2", pods: "9"}}}
- {kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, resources: {requests: {cpu: 1500m}}}]}}
- {kind: Pod, metadata: {name: big}, spec: {containers: [{name: c, resources: {requests: {cpu: "3"}}}]}}
"""


def ran(folder: Path, scheduler: str) -> Any:
    path = folder / "cluster.yaml"
    path.write_text(CLUSTER)
    return CliRunner().invoke(app, ["run", str(path), "--verify", "--scheduler", scheduler])


def test_run_verify_proves_a_good_scheduler_right(tmp_path: Path) -> None:
    result = ran(tmp_path, "impl")
    assert result.exit_code == 0
    assert "Z3 on these decisions: 2 proved" in result.stdout.splitlines()


CROWDED = """
kind: List
items:
- {kind: Node, metadata: {name: n1}, status: {capacity: {cpu: "10", pods: "9"}}}
- {kind: Pod, metadata: {name: p1, labels: {app: a}}, spec: {nodeName: n1, priority: 5, containers: [&four
    {name: c, resources: {requests: {cpu: "4"}}}]}}
- {kind: Pod, metadata: {name: p2, labels: {app: a}}, spec: {nodeName: n1, priority: 4, containers: [&three
    {name: c, resources: {requests: {cpu: "3"}}}]}}
- {kind: Pod, metadata: {name: p3, labels: {app: a}}, spec: {nodeName: n1, priority: 4, containers: [*three]}}
- {kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: {matchLabels: {app: a}}}}
- {kind: Pod, metadata: {name: in}, spec: {priority: 9, containers: [*four]}}
"""


def test_run_verify_tells_what_evictions_cost_too_much(tmp_path: Path) -> None:
    """p1 alone would do, and violate the budget once.  [E-063]"""
    path = tmp_path / "cluster.yaml"
    path.write_text(CROWDED)
    result = CliRunner().invoke(app, ["run", str(path), "--verify"])
    assert result.exit_code == 0
    told = result.stdout.splitlines()
    at = told.index("Z3 on these decisions: 1 allowed by v1.15 [E-062], 1 allowed by v1.15 [E-063], 3 proved")
    assert told[at + 1].endswith(
        "[E-063]: evicting default/p1 would be enough; the number of budget violations is not minimized"
    )


def test_in_a_large_cluster_one_decision_in_so_many_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pods to place among three objects are six to look at."""
    monkeypatch.setattr("oracle.verify.verifier.WORTH_JUDGING", 6)
    result = ran(tmp_path, "impl")
    assert "Z3 on one decision in 2: 1 proved" in result.stdout.splitlines()


def test_run_verify_refutes_a_scheduler_that_puts_pods_anywhere(tmp_path: Path) -> None:
    result = ran(tmp_path, "python:tests.test_verify:Heedless")
    assert result.exit_code == 1
    [told] = [line for line in result.stdout.splitlines() if "refuted:" in line]
    assert told == "  default/big runs on n1: refuted: 3 cpu wanted, 500m of 2 free [P-047]"
