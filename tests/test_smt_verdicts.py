"""What Z3 finds by itself: seeded wrong decisions, and the classes of what v1.15 does although it need not."""

from typing import Any

import pytest

from model.api.cluster import Cluster
from model.api.configuration import Configuration, PolicyEntry
from model.api.objects import KubernetesObject, Pod
from oracle.smt.facts import Facts
from oracle.smt.hopeless import Missed, missed, missed_across_nodes
from oracle.smt.host import Feasible, Infeasible, Overlooked, Unschedulable, check_host, check_unschedulable
from oracle.smt.optimum import cheapest, cost, gaps
from oracle.smt.settings import Settings
from oracle.smt.victims import (
    Excessive,
    Insufficient,
    Minimal,
    NotEvictable,
    Tolerated,
    VictimsVerdict,
    check_victims,
)
from tests import attempts
from tests.attempts import bound_claim, claim, mounts, storage_class, volume
from tests.building import apart, budget, near, node, pod


def facts(*things: KubernetesObject) -> Facts:
    return Facts.of(Cluster.of(things))


def judged(about: Pod, victims: list[str], *things: KubernetesObject) -> VictimsVerdict:
    return check_victims(facts(*things), about, "n", [f"default/{name}" for name in victims])


# --- seeded faults --------------------------------------------------------------------------------


def test_an_infeasible_host_is_caught() -> None:
    cluster = facts(node("a", cpu="4"), node("b", cpu="2"), pod("p", cpu="1500m", on="b"))
    about = pod("in", cpu="1")
    assert isinstance(check_host(cluster, about, "a"), Feasible)
    verdict = check_host(cluster, about, "b")
    assert isinstance(verdict, Infeasible)
    assert str(verdict) == "1 cpu wanted, 500m of 2 free [P-047]"


def test_a_host_that_does_not_exist_is_caught() -> None:
    assert isinstance(check_host(facts(node("a")), pod("in"), "b"), Infeasible)


def test_a_wrongly_unschedulable_pod_is_caught() -> None:
    full = [node(f"n{i}", cpu="1") for i in range(3)]
    verdict = check_unschedulable(facts(*full, node("spare", cpu="8")), pod("in", cpu="2"))
    assert verdict == Overlooked(("spare",), by_volumes=False)


def test_equal_nodes_are_proved_once() -> None:
    full = [node(f"n{i}", cpu="1") for i in range(40)]
    verdict = check_unschedulable(facts(*full), pod("in", cpu="2"))
    assert isinstance(verdict, Unschedulable)
    assert [len(names) for names, _ in verdict.proofs] == [40]


def test_one_victim_too_many_is_caught() -> None:
    things = node("n"), pod("v", "6", on="n"), pod("w", "1", on="n")
    assert isinstance(judged(pod("in", "5", priority=9), ["v"], *things), Minimal)
    assert judged(pod("in", "5", priority=9), ["v", "w"], *things) == Excessive(("default/v",), "")


def test_victims_that_do_not_suffice_are_caught() -> None:
    verdict = judged(pod("in", "5", priority=9), ["w"], node("n"), pod("v", "6", on="n"), pod("w", "1", on="n"))
    assert isinstance(verdict, Insufficient)
    assert [constraint.rule for constraint in verdict.core] == ["P-047"]


def test_victims_of_the_same_priority_or_of_elsewhere_are_caught() -> None:
    things = node("n"), node("m"), pod("v", "6", priority=9, on="n"), pod("w", "6", on="m")
    assert judged(pod("in", "5", priority=9), ["v", "w"], *things) == NotEvictable(("default/v", "default/w"))


def test_no_victims_where_some_would_do_are_caught() -> None:
    cluster = facts(node("n"), pod("v", "6", on="n"), pod("w", "4", on="n"))
    assert list(missed(cluster, pod("in", "5", priority=9), ["n"])) == [Missed("n", ("default/v",), "")]


def test_limits_of_nodes_count_only_with_their_gate() -> None:
    cluster = facts(attempts.node("n", allocatable={"attachable-volumes-aws-ebs": "0"}))
    about = pod("in", volumes=[{"name": "v", "awsElasticBlockStore": {"volumeID": "d"}}])
    off = Settings.of(Configuration(feature_gates={"AttachVolumeLimit": False}))
    assert isinstance(check_host(cluster, about, "n"), Infeasible)
    assert isinstance(check_host(cluster, about, "n", off), Feasible)


def test_a_nominated_pod_with_a_broken_selector_repels_nobody() -> None:
    broken = {"matchExpressions": [{"key": "app", "operator": "Exists", "values": ["x"]}]}
    nominated = pod("nom", nominated="n", affinity=attempts.affinity(anti=[attempts.term("host", broken)]))
    cluster = facts(node("n", labels={"host": "n"}), nominated)
    assert isinstance(check_host(cluster, pod("in"), "n"), Feasible)


# --- allowed by v1.15, not minimal ----------------------------------------------------------------


def test_a_pod_put_back_counts_for_all_anti_affinity_terms() -> None:
    about = pod("in", "2", priority=9, affinity=apart(("rack", "a"), ("host", "b")))
    things = (
        node("n", labels={"host": "n"}),
        pod("v", "1", on="n", labels={"app": "a"}),
        pod("w", "9", on="n", labels={"app": "c"}),
    )
    assert judged(about, ["v", "w"], *things) == Excessive(("default/w",), "E-061")


def test_a_port_held_twice_counts_as_free_when_one_holder_goes() -> None:
    web = [{"name": "c", "ports": [{"hostPort": 80}]}]
    things = (
        node("n"),
        pod("hi", priority=50, on="n", containers=web),
        pod("lo", priority=1, on="n", containers=web),
    )
    assert judged(pod("in", priority=9, containers=web), ["lo"], *things) == Tolerated("E-066")


def test_csi_limits_are_not_monotone() -> None:
    """With both pods there is no new volume; with the less important one alone there is none either, and one less."""
    csi = [
        thing
        for name in ("h1", "h2", "h5")
        for thing in (
            bound_claim(name, name),
            volume(name, phase="Bound", csi={"driver": "d", "volumeHandle": name}),
        )
    ]
    things = (
        attempts.node("n", allocatable={"attachable-volumes-csi-d": "2"}),
        storage_class("local"),
        *csi,
        pod("p1", priority=5, on="n", claims=["h1", "h2"]),
        pod("p2", priority=1, on="n", claims=["h5"]),
    )
    assert judged(pod("in", priority=9, claims=["h5"]), ["p1"], *things) == Excessive((), "E-060")


def test_sums_that_wrap_are_not_monotone() -> None:
    """All together use 4Gi, without b less than nothing, without everyone of lower priority far too much."""
    cluster = facts(
        attempts.node("n", allocatable={"memory": "1Gi"}),
        using("h", str(2**62), priority=50, on="n"),
        using("a", str(2**62), on="n"),
        using("b", str(2**63), on="n"),
        using("c", "4Gi", on="n"),
    )
    [found] = missed(cluster, using("in", "1Mi", priority=9), ["n"])
    assert isinstance(found, Missed)
    assert found.rule == "O-001"


def using(name: str, memory: str, **more: Any) -> Pod:
    return attempts.pod(name, requests={"memory": memory}, **more)


def test_affinity_to_a_victim() -> None:
    about = pod("in", "4", priority=9, affinity=near(("host", "x")))
    cluster = facts(node("n", labels={"host": "n"}), pod("x", "3", on="n", labels={"app": "x"}), pod("y", "5", on="n"))
    assert list(missed(cluster, about, ["n"])) == [Missed("n", ("default/y",), "E-065a")]


def test_service_affinity_follows_another_pod_once_some_are_gone() -> None:
    """Beside x the pod may stay in the region of x; without it that of z counts."""
    region = PolicyEntry("CheckServiceAffinity", argument={"serviceAffinity": {"labels": ["region"]}})
    settings = Settings.of(Configuration(predicates=(region, PolicyEntry("GeneralPredicates"))))
    served = {"app": "x"}
    cluster = facts(
        node("n", labels={"region": "here"}),
        node("m", labels={"region": "there"}),
        attempts.service("s", served),
        pod("x", "3", on="n", labels=served),
        pod("y", "5", on="n"),
        pod("z", priority=50, on="m", labels=served),
    )
    about = pod("in", "4", priority=9, labels=served)
    assert list(missed(cluster, about, ["n"], settings)) == [Missed("n", ("default/y",), "E-065d")]


def test_a_reason_taken_for_final() -> None:
    about = pod("in", priority=9, labels={"app": "x"}, affinity=near(("zone", "x"), ("rack", "x")))
    cluster = facts(node("n", labels={"zone": "z"}), pod("v", on="n", labels={"app": "x"}))
    assert list(missed(cluster, about, ["n"])) == [Missed("n", ("default/v",), "E-065b")]


def test_pods_of_several_nodes_would_have_to_go() -> None:
    about = pod("in", priority=9, affinity=apart(("zone", "x")))
    nodes = [node(name, labels={"zone": "z"}) for name in ("n1", "n2")]
    pods = [pod(f"v{name}", on=name, labels={"app": "x"}) for name in ("n1", "n2")]
    cluster = facts(*nodes, *pods)
    assert list(missed(cluster, about, ["n1", "n2"])) == []
    [first, second] = missed_across_nodes(cluster, about, ["n1", "n2"])
    assert first == Missed("n1", ("default/vn1", "default/vn2"), "E-065c")
    assert second == Missed("n2", first.victims, "E-065c")


def test_volumes_dealt_greedily_may_miss_a_placement() -> None:
    """The smaller claim takes the small volume; the larger one can do with nothing but it."""
    label = {"kind": "fast"}
    cluster = facts(
        node("n"),
        storage_class("local", provisioner="kubernetes.io/no-provisioner"),
        claim("small", "1Gi"),
        claim("large", "2Gi", selector={"matchLabels": label}),
        volume("both", "3Gi", metadata={"labels": label}),
        volume("plain", "4Gi"),
    )
    about = pod("in", volumes=mounts("small", "large"))
    assert check_unschedulable(cluster, about) == Overlooked(("n",), by_volumes=True)
    assert check_host(cluster, about, "n") == Feasible({"default/large": "both", "default/small": "plain"})


# --- advice ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("things", "cpu", "chosen", "best", "rules"),
    [
        pytest.param(
            [pod("h", "4", priority=5, on="n"), pod("l1", "3", priority=1, on="n"), pod("l2", "3", priority=1, on="n")],
            *("4", ["l1", "l2"], ["l1", "l2"], ()),
            id="highest priority counts before number",
        ),
        pytest.param(
            [
                pod("p1", "4", priority=5, on="n", labels={"app": "a"}),
                pod("p2", "3", priority=4, on="n", labels={"app": "a"}),
                pod("p3", "3", priority=4, on="n", labels={"app": "a"}),
                budget("b", 0, app="a"),
            ],
            *("4", ["p2", "p3"], ["p1"], ("E-063", "E-062")),
            id="E-063",
        ),
        pytest.param(
            [
                pod("low", "5", priority=1, on="n", labels={"app": "a"}),
                pod("high", "5", priority=5, on="n"),
                budget("b", 0, app="a"),
            ],
            *("5", ["high"], ["high"], ()),
            id="a violation outweighs any priority",
        ),
    ],
)
def test_what_the_greedy_choice_costs(
    things: list[KubernetesObject], cpu: str, chosen: list[str], best: list[str], rules: tuple[str, ...]
) -> None:
    cluster = facts(node("n"), *things)
    optimum = cheapest(cluster, pod("in", cpu, priority=9), ["n"])
    assert optimum is not None
    assert optimum.proved
    assert sorted(optimum.victims) == [f"default/{name}" for name in best]
    paid = cost(cluster, [t for t in things if isinstance(t, Pod) and t.name in chosen])
    assert gaps(paid, optimum.cost, optimum.cost) == rules
