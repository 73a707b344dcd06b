"""Explanations: what is said of the nodes, of the victims, and which changes are suggested."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.decode import amended
from model.api.objects import KubernetesObject, Pod
from model.releases import v1_15_3
from oracle.cli.commands import app
from oracle.conform.situation import read_situation
from oracle.explain import document, explain, lines
from oracle.explain.explanation import Explanation
from oracle.explain.ground import Ground
from oracle.explain.suggestions import tried
from oracle.smt.changes import LabelNode
from oracle.smt.facts import Facts
from oracle.smt.question import Incoming
from oracle.smt.settings import Settings
from tests.attempts import bound_claim, claim, mounts, storage_class, volume
from tests.building import ZONE, apart, budget, node, pod
from tests.samples import recorded

CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}


def explained(about: Pod, *things: KubernetesObject) -> Explanation:
    return explain(Cluster.of([*things, about]), about, Configuration())


def suggested(about: Pod, *things: KubernetesObject) -> list[str]:
    return [" and ".join(map(str, each.changes)) for each in explained(about, *things).suggestions]


def tainted(name: str, **more: Any) -> KubernetesObject:

    return amended(node(name, **more), {"spec": {"taints": [{"key": "t", "value": "v", "effect": "NoSchedule"}]}})


def test_equal_nodes_are_told_together() -> None:
    nodes = [node(f"n{i}", cpu="1") for i in range(5)]
    found = explained(pod("in", "2"), *nodes, node("spare"))
    assert found.host == "spare"
    told = list(lines(found))
    assert "  5 nodes: n0, n1, n2, n3, … n4" in told
    assert "    GeneralPredicates: Insufficient cpu" in told
    assert "      closest is n0: 2 cpu wanted, 1 of 1 free" in told
    assert "  spare is the only feasible node and is taken without scoring [A-041]" in told


def test_the_round_robin_among_equals_is_told() -> None:
    told = list(lines(explained(pod("in"), node("a"), node("b"))))
    assert "  2 nodes have the most points and take turns; a is the first in the tree [A-042]" in told


def test_victims_are_told_with_why_each_is_needed_and_criterion_by_criterion() -> None:
    found = explained(
        pod("in", "8", priority=9),
        *(node("a"), pod("a1", "4", priority=3, on="a"), pod("a2", "4", priority=2, on="a")),
        *(node("b"), pod("b1", "9", priority=5, on="b")),
    )
    told = list(lines(found))
    refusal = "0/2 nodes are available: 2 Insufficient cpu."
    assert f"  evicts 2 pods from a and stays pending until then: {refusal}" in told
    assert "  evicts from a:" in told
    assert "    default/a1 (priority 3); if it stayed: 8 cpu wanted, 6 of 10 free [P-047]" in told
    assert "    lowest highest priority: 3, 1 node left [E-040]" in told
    assert "  this is the least possible" in told
    assert document(found)["preemption"]["victims"][1]["pod"] == "default/a2"


def test_a_cheaper_eviction_is_advised() -> None:
    found = explained(
        pod("in", "4", priority=9),
        node("n"),
        pod("p1", "4", priority=5, on="n", labels={"app": "a"}),
        pod("p2", "3", priority=4, on="n", labels={"app": "a"}),
        pod("p3", "3", priority=4, on="n", labels={"app": "a"}),
        budget("b", 0, app="a"),
    )
    [advice] = [line for line in lines(found) if "least possible" in line]
    assert advice.startswith("  the least possible: default/p1 on n (1 budget violation, highest priority 5, 1 pod)")
    assert "[E-063]" in advice


@pytest.mark.parametrize(
    ("about", "things", "changes"),
    [
        pytest.param(
            pod("in", "1300m"),
            [node("a", cpu="1"), node("b", cpu="2"), pod("p", "1", on="b")],
            ["lower the cpu request to 1", "free 300m cpu on node b"],
            id="cpu",
        ),
        pytest.param(
            pod("in"),
            [tainted("a"), tainted("b")],
            ["let the pod tolerate t=v:NoSchedule", "remove taint t=v:NoSchedule from node a"],
            id="taint",
        ),
        pytest.param(
            pod("in", nodeSelector={"disk": "ssd"}),
            [node("a")],
            ["drop disk from the pod's nodeSelector", "label node a disk=ssd"],
            id="selector",
        ),
        pytest.param(
            pod("in", affinity=apart(("host", "x"))),
            [node("a", labels={"host": "a"}), pod("x", on="a", labels={"app": "x"})],
            ["drop the pod's required anti-affinity over host (term 1)", "remove pod default/x"],
            id="anti-affinity",
        ),
        pytest.param(
            pod("in", volumes=mounts("c")),
            [node("a"), storage_class("local", provisioner="kubernetes.io/no-provisioner"), claim("c")],
            ["provide a volume for claim default/c that node a can reach"],
            id="volume",
        ),
        pytest.param(
            pod("in", volumes=mounts("c", "d")),
            [
                *(node("a"), storage_class("local", provisioner="kubernetes.io/no-provisioner")),
                *(claim("c"), claim("d"), volume("v")),
            ],
            [
                "provide a volume for claim default/c that node a can reach",
                "provide a volume for claim default/d that node a can reach",
            ],
            id="one volume for two claims",
        ),
        pytest.param(
            pod("in", "2"),
            [tainted("a", cpu="1")],
            [
                "lower the cpu request to 1 and let the pod tolerate t=v:NoSchedule",
                "lower the cpu request to 1 and remove taint t=v:NoSchedule from node a",
            ],
            id="two at once",
        ),
        pytest.param(
            pod("in"),
            [amended(node("a"), {"spec": {"unschedulable": True, "taints": [CORDON]}})],
            ["uncordon node a", "let the pod tolerate node.kubernetes.io/unschedulable:NoSchedule"],
            id="cordon",
        ),
        pytest.param(
            pod("in"),
            [
                amended(
                    node("a"), {"spec": {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]}}
                )
            ],
            [
                "remove the cause of taint node.kubernetes.io/not-ready:NoExecute on node a",
                "let the pod tolerate node.kubernetes.io/not-ready:NoExecute",
            ],
            id="a node that is not ready",
        ),
        pytest.param(
            pod("in", volumes=mounts("c")),
            [node("a")],
            ["create claim default/c and bind it to a volume"],
            id="no such claim",
        ),
        pytest.param(
            pod("in", volumes=mounts("c")),
            [node("a"), amended(claim("c"), {"metadata": {"deletionTimestamp": "2019-12-01T00:00:00Z"}})],
            ["create claim default/c and bind it to a volume"],
            id="a claim that goes",
        ),
        pytest.param(
            pod("in", volumes=mounts("c")),
            [node("a", labels={ZONE: "z"}), claim("c")],
            ["bind claim default/c to a volume", "create storage class local, which binds claims once a pod comes"],
            id="no such class",
        ),
        pytest.param(
            pod("in", volumes=mounts("c")),
            [node("a", labels={ZONE: "z"}), storage_class("local", mode="Immediate"), claim("c")],
            ["bind claim default/c to a volume"],
            id="a claim to be bound at once",
        ),
        pytest.param(
            pod("in", volumes=mounts("c")),
            [node("a", labels={ZONE: "z"}), bound_claim("c", "gone")],
            ["bind claim default/c to a volume"],
            id="no such volume",
        ),
        pytest.param(
            pod("in"), [node("a", pods="1"), pod("p", on="a")], ["let node a run 2 pods"], id="number of pods"
        ),
    ],
)
def test_the_smallest_changes(about: Pod, things: list[KubernetesObject], changes: list[str]) -> None:
    assert sorted(suggested(about, *things)) == sorted(changes)


def test_what_is_wrong_is_told_under_the_predicate_that_it_breaks() -> None:
    told = list(lines(explained(pod("in", "2"), tainted("a", cpu="1"), tainted("b", cpu="1"))))
    start = told.index("  2 nodes: a, b")
    assert told[start + 1 : start + 5] == [
        "    GeneralPredicates: Insufficient cpu",
        "      closest is a: 2 cpu wanted, 1 of 1 free",
        "    PodToleratesNodeTaints: node(s) had taints that the pod didn't tolerate",
        "      taint t=v:NoSchedule is not tolerated",
    ]


@pytest.mark.parametrize(
    ("about", "circumstance"),
    [
        (pod("in", schedulerName="other"), "is for the scheduler 'other'; what follows is as if it were for"),
        (amended(pod("in"), {"status": {"phase": "Succeeded"}}), "is over (Succeeded); what follows"),
        (amended(pod("in"), {"metadata": {"deletionTimestamp": "2019-12-01T00:00:00Z"}}), "is being deleted, so"),
    ],
)
def test_what_kube_scheduler_would_not_try(about: Pod, circumstance: str) -> None:
    told = list(lines(explained(about, node("a"))))
    assert told[1].startswith(f"  {circumstance}")
    assert "  goes to a, the only feasible node" in told


def test_others_that_wait_are_counted() -> None:
    other = pod("other", schedulerName="default-scheduler")
    said = (
        "  this is about the cluster as it stands, regardless of 1 other pod still waiting; 'run' tells who goes where"
    )
    assert said in list(lines(explained(pod("in"), node("a"), other)))


def test_a_port_that_two_pods_hold_is_not_free_when_one_goes() -> None:
    """[O-096]"""
    port = [{"name": "c", "ports": [{"hostPort": 80}]}]
    holders = [pod(name, on="a", containers=port) for name in ("p", "q")]
    assert sorted(suggested(pod("in", containers=port), node("a"), *holders)) == [
        "drop host port 80 from the pod",
        "remove the pods default/p, default/q",
    ]


def test_the_node_that_needs_least_stands_for_all() -> None:
    things = [thing for i in range(3) for thing in (node(f"n{i}"), pod(f"p{i}", f"{9 - i}", on=f"n{i}"))]
    told = list(lines(explained(pod("in", "5"), *things)))
    assert "  - free 2 cpu on node n2 (one of 3 nodes, the one that needs least)" in told


@pytest.mark.parametrize("case", recorded("preempt")[::3] + recorded("schedule")[::16])
def test_what_the_solver_proposes_the_reference_confirms(case: Mapping[str, Any]) -> None:
    """But for labels, which can bring a node near pods that the new one must not be near."""
    situation = read_situation(case)
    ground = Ground.of(situation.cluster, v1_15_3(situation.configuration))
    incoming = Incoming(Facts.of(situation.cluster), situation.pod, Settings.of(situation.configuration))
    for suggestion, confirmed in tried(ground, incoming):
        assert confirmed or any(isinstance(change, LabelNode) for change in suggestion.changes)


# --- the command ----------------------------------------------------------------------------------

CLUSTER = """
kind: List
items:
- {kind: Node, metadata: {name: n1}, status: {capacity: {cpu: "2", pods: "9"}}}
- {kind: Pod, metadata: {name: big}, spec: {containers: [{name: c, resources: {requests: {cpu: "3"}}}]}}
- {kind: Pod, metadata: {name: twin, namespace: a}, spec: {nodeName: n1, containers: [{name: c}]}}
- {kind: Pod, metadata: {name: twin, namespace: b}, spec: {containers: [{name: c}]}}
"""


def ran(folder: Path, *arguments: str) -> Any:
    path = folder / "cluster.yaml"
    path.write_text(CLUSTER)
    return CliRunner().invoke(app, ["explain", str(path), *arguments])


def test_the_command_explains(tmp_path: Path) -> None:
    result = ran(tmp_path, "big")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == [
        "default/big (3 cpu, priority 0)",
        "  stays pending: 0/1 nodes are available: 1 Insufficient cpu.",
    ]


def test_a_running_pod_is_explained_as_if_it_had_no_node(tmp_path: Path) -> None:
    lines = ran(tmp_path, "a/twin").stdout.splitlines()
    assert lines[1] == "  runs on n1; what follows is as if it had no node yet"
    assert lines[2] == "  goes to n1, the only feasible node"


def test_the_command_gives_json(tmp_path: Path) -> None:
    told = json.loads(ran(tmp_path, "default/big", "--json").stdout)
    assert told["suggestions"][0]["changes"] == [
        {"kind": "LowerRequest", "says": "lower the cpu request to 2", "resource": "cpu", "to": 2000}
    ]


@pytest.mark.parametrize(
    ("pod_name", "error"),
    [
        ("nobody", "error: nobody: the cluster has no such pod"),
        ("twin", "error: twin: several pods have this name: a/twin, b/twin"),
    ],
)
def test_a_pod_that_is_not_one(tmp_path: Path, pod_name: str, error: str) -> None:
    result = ran(tmp_path, pod_name)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [error]
