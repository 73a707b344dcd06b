"""Preemption: who may, where, whom, and which node; the worked examples of what it does not guarantee."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.algorithm import with_metadata
from model.api.cluster import Cluster
from model.api.components import PreemptionDecision, Situation
from model.api.configuration import Configuration
from model.api.decode import amended
from model.api.objects import Node, Pod, PodDisruptionBudget
from model.attempt import Attempt
from model.engine import Reference
from model.fit import Reason
from model.preemption.budgets import split_by_violation
from model.preemption.eligibility import potential_nodes
from model.preemption.permitted import permits_victims
from model.preemption.pick import best_candidates
from model.preemption.victims import NOW, Victims, select_victims_on_node
from model.quirks import EVERY, Quirks, Without
from model.releases import v1_15_3
from model.scheduling_error import FitError
from model.standing import standing
from tests.building import apart, budget, near, node, pod


def situation(
    nodes: Iterable[Node], pods: Iterable[Pod], about: Pod, budgets: Iterable[PodDisruptionBudget] = (), **more: Any
) -> Situation:
    cluster = Cluster(nodes=tuple(nodes), pods=tuple(pods), pod_disruption_budgets=tuple(budgets))
    return Situation(cluster, about, **more)


def preempt(*parts: Any, quirks: Quirks = EVERY, **more: Any) -> PreemptionDecision:
    return Reference(quirks).preempt(situation(*parts, **more))


# --- who and where --------------------------------------------------------------------------------

TERMINATING = {"metadata": {"deletionTimestamp": "2019-12-01T00:00:00Z"}}


@pytest.mark.parametrize(("victim_priority", "eligible"), [(9, False), (10, True)])
def test_a_pod_waits_for_its_terminating_victims(victim_priority: int, eligible: bool) -> None:
    """[E-003]"""
    going = amended(pod("v", cpu="8", priority=victim_priority, on="n1"), TERMINATING)
    decision = preempt([node("n1")], [going], pod("p", cpu="5", priority=10, nominated="n1"))
    assert decision.eligible is eligible
    if not eligible:
        assert (decision.node, decision.to_clear) == (None, ())


@pytest.mark.parametrize(("quirks", "node_name"), [(EVERY, None), (Without(frozenset({"E-003"})), "n2")])
def test_a_pod_waits_for_victims_even_where_it_is_no_longer_wanted(quirks: Quirks, node_name: str | None) -> None:
    """[E-003]"""
    cordoned = amended(node("n1"), {"spec": {"unschedulable": True}})
    going = amended(pod("v1", cpu="8", on="n1"), TERMINATING)
    about = pod("p", cpu="5", priority=10, nominated="n1")
    decision = preempt([cordoned, node("n2")], [going, pod("v2", cpu="8", on="n2")], about, quirks=quirks)
    assert decision.node == node_name


def test_a_terminating_pod_is_a_victim_like_any_other() -> None:
    """[E-071]"""
    going = amended(pod("v", cpu="8", priority=1, on="n1"), TERMINATING)
    assert preempt([node("n1")], [going], pod("p", cpu="5", priority=10)).victims == ("v",)


@pytest.mark.parametrize(("gate", "eligible"), [(True, False), (False, True)])
def test_a_policy_of_never_counts_where_its_gate_is_on(gate: bool, eligible: bool) -> None:
    """[E-003]"""
    about = pod("p", cpu="5", priority=10, preemptionPolicy="Never")
    configuration = Configuration(feature_gates={"NonPreemptingPriority": gate})
    victim = pod("v", cpu="8", priority=1, on="n1")
    assert preempt([node("n1")], [victim], about, configuration=configuration).eligible is eligible


def test_one_unresolvable_reason_excludes_a_node() -> None:
    """[E-004]"""
    failure = FitError(3, {"n1": (Reason("a"), Reason("b", resolvable=False)), "n2": (Reason("a"),)})
    assert potential_nodes(["n3", "n2", "n1"], failure) == ("n3", "n2")


def test_without_potential_nodes_the_own_nomination_goes() -> None:
    """[E-001]"""
    about = pod("p", cpu="5", priority=10, nominated="n1", nodeSelector={"disk": "ssd"})
    assert preempt([node("n1")], [pod("v", cpu="8", on="n1")], about).to_clear == ("p",)


@pytest.mark.parametrize(("quirks", "cleared"), [(EVERY, ()), (Without(frozenset({"E-001"})), ("p",))])
def test_without_candidates_the_own_nomination_stays(quirks: Quirks, cleared: tuple[str, ...]) -> None:
    """[E-001]"""
    about = pod("p", cpu="20", priority=10, nominated="n1")
    decision = preempt([node("n1")], [pod("v", cpu="8", on="n1")], about, quirks=quirks)
    assert (decision.candidates, decision.node, decision.to_clear) == (("n1",), None, cleared)


# --- victims --------------------------------------------------------------------------------------


def test_most_important_pods_are_reprieved_first() -> None:
    """[E-022, E-024]"""
    pods = [
        pod("old", cpu="3", priority=1, on="n1", started="2019-12-01T00:01:00Z"),
        pod("new", cpu="3", priority=1, on="n1", started="2019-12-01T00:02:00Z"),
        pod("high", cpu="3", priority=5, on="n1", started="2019-12-01T00:03:00Z"),
    ]
    assert preempt([node("n1")], pods, pod("p", cpu="4", priority=10)).victims == ("new",)
    assert preempt([node("n1")], pods, pod("p", cpu="5", priority=10)).victims == ("old", "new")


def test_a_pod_without_start_time_is_the_least_important() -> None:
    """[E-070]"""
    pods = [
        pod("unstarted", cpu="5", on="n1", started=""),
        pod("late", cpu="5", on="n1", started="2029-01-01T00:00:00Z"),
    ]
    assert preempt([node("n1")], pods, pod("p", cpu="5", priority=1)).victims == ("unstarted",)


def permitted(claimed: Iterable[str], *, started: str) -> bool:
    """Four pods of 3 CPUs, the first of them protected, all of one priority, on a node of 12; the pod needs 6."""
    names = ["a", "b", "c", "d"]
    pods = [
        pod(name, cpu="3", on="n1", labels={"app": name}, started=started if name == "d" else "2019-12-01T00:00:00Z")
        for name in names
    ]
    about = pod("p", cpu="6", priority=1)
    stand = standing(situation([node("n1", cpu="12")], pods, about))
    attempt = with_metadata(Attempt(about, stand.snapshot, stand.world, v1_15_3(Configuration())))
    victims = [victim for name in claimed for victim in pods if victim.name == name]
    return permits_victims(attempt, stand.snapshot["n1"], [budget("b", 0, app="a")], victims)


def test_equally_important_pods_may_come_in_any_order() -> None:
    """[E-022]"""
    same = "2019-12-01T00:00:00Z"
    assert permitted("cd", started=same)
    assert permitted("db", started=same)
    assert not permitted("ab", started=same), "the protected one is the first to stay"
    assert not permitted("bcd", started=same), "one more than needed"
    assert not permitted("d", started=same), "not enough"


def test_victims_are_permitted_that_only_one_order_leads_to() -> None:
    """The other pod takes less than nothing: tried before it, the victim is in the way, after it not.  [O-001]"""
    victim, other = pod("v", cpu="1500m", on="n1"), pod("o", cpu="8Ei", on="n1")
    about = pod("p", cpu="100m", priority=1)
    stand = standing(situation([node("n1", cpu="1")], [victim, other], about))
    attempt = with_metadata(Attempt(about, stand.snapshot, stand.world, v1_15_3(Configuration())))
    claims: tuple[list[Pod], ...] = ([victim], [], [other], [victim, other])
    assert [permits_victims(attempt, stand.snapshot["n1"], [], claim) for claim in claims] == [True, True, False, False]


def test_more_important_pods_may_not() -> None:
    """[E-022]"""
    earlier = "2019-11-30T00:00:00Z"
    assert permitted("bc", started=earlier)
    assert permitted("cb", started=earlier)
    assert not permitted("cd", started=earlier)


CPUS = st.integers(1, 4)
RESIDENTS = st.lists(st.tuples(CPUS, st.integers(0, 12), st.integers(0, 5), st.sampled_from("abc")), max_size=8)


@given(RESIDENTS, st.integers(1, 12), st.sets(st.sampled_from("abc")))
def test_victims_are_lower_sufficient_and_each_is_needed(
    residents: list[tuple[int, int, int, str]], wanted: int, protected: set[str]
) -> None:
    """[E-021, E-025, E-060]"""
    pods = [
        pod(f"r{i}", str(cpu), priority, "n1", {"app": app}, started=f"2019-12-01T00:00:0{start}Z")
        for i, (cpu, priority, start, app) in enumerate(residents)
    ]
    about = pod("p", cpu=str(wanted), priority=10)
    stand = standing(situation([node("n1", cpu="12")], pods, about))
    attempt = with_metadata(Attempt(about, stand.snapshot, stand.world, v1_15_3(Configuration())))
    budgets = [budget(app, 0, app=app) for app in sorted(protected)]
    found = select_victims_on_node(attempt, stand.snapshot["n1"], budgets)
    kept_by_rank = sum(cpu for cpu, priority, _, _ in residents if priority >= 10)
    if found is None:
        assert kept_by_rank + wanted > 12
        return
    victims = {victim.name for victim in found.pods}
    used = sum(cpu for i, (cpu, *_) in enumerate(residents) if f"r{i}" not in victims)
    assert used + wanted <= 12
    for victim in found.pods:
        assert victim.priority < 10
        assert used + residents[int(victim.name[1:])][0] + wanted > 12
    assert found.pdb_violations == sum(victim.labels["app"] in protected for victim in found.pods)


# --- budgets --------------------------------------------------------------------------------------


def test_the_allowance_of_a_budget_is_not_used_up() -> None:
    """[E-030]"""
    pods = [pod(name, on="n1", labels={"app": "a"}) for name in ("v1", "v2")]
    assert split_by_violation(pods, [budget("b", 1, app="a")], EVERY) == ([], pods)
    assert split_by_violation(pods, [budget("b", 0, app="a")], EVERY) == (pods, [])
    mended = Without(frozenset({"E-030"}))
    assert split_by_violation(pods, [budget("b", 1, app="a")], mended) == (pods[1:], pods[:1])
    under_way = amended(budget("b", 0, app="a"), {"status": {"disruptedPods": {"v1": "2019-12-01T00:00:00Z"}}})
    assert split_by_violation(pods, [under_way], EVERY) == (pods, [])
    assert split_by_violation(pods, [under_way], mended) == (pods[1:], pods[:1])


def test_budgets_that_select_nothing() -> None:
    """[E-030]"""
    unlabelled, labelled = pod("u"), pod("l", labels={"app": "a"})
    empty = amended(budget("b", 0), {"spec": {"selector": {"matchLabels": None}}})
    missing = amended(budget("b", 0), {"spec": {"selector": None}})
    elsewhere = amended(budget("b", 0, app="a"), {"metadata": {"namespace": "other"}})
    broken = amended(budget("b", 0), {"spec": {"selector": {"matchExpressions": [{"key": "a", "operator": "Foo"}]}}})
    for ineffective in (empty, missing, elsewhere, broken):
        assert split_by_violation([labelled], [ineffective], EVERY) == ([], [labelled])
    absent = amended(
        budget("b", 0), {"spec": {"selector": {"matchExpressions": [{"key": "x", "operator": "DoesNotExist"}]}}}
    )
    assert split_by_violation([unlabelled, labelled], [absent], EVERY) == ([labelled], [unlabelled])


# --- the choice -----------------------------------------------------------------------------------


def victims(*priorities: int, violations: int = 0, started: str = "2019-12-01T00:00:00Z") -> Victims:
    return Victims(tuple(pod(f"v{i}", priority=p, started=started) for i, p in enumerate(priorities)), violations)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (victims(9, 9), victims(1, violations=1)),
        (victims(1, 9), victims(2)),
        (victims(5), victims(5, 1)),
        (victims(5, -(2**31)), victims(5, -(2**31), -(2**31))),
        (victims(5, started="2019-12-01T00:00:02Z"), victims(5)),
        (victims(5, started=""), victims(5)),
    ],
    ids=["violations", "first victim", "sum", "number", "start", "no start"],
)
def test_each_criterion_decides(better: Victims, worse: Victims) -> None:
    """[E-035, E-036, E-037, E-040]"""
    assert list(best_candidates({"a": worse, "b": better}, EVERY)) == ["b"]


def test_a_node_without_victims_wins_at_once() -> None:
    """[E-040]"""
    assert list(best_candidates({"a": victims(1), "b": Victims(), "c": Victims()}, EVERY)) == ["b", "c"]
    assert best_candidates({}, EVERY) == {}


def test_the_highest_priority_is_read_off_the_first_victim() -> None:
    """[E-035]"""
    candidates = {"a": victims(1, 9, violations=1), "b": victims(2, violations=1)}
    assert list(best_candidates(candidates, EVERY)) == ["a"]
    assert list(best_candidates(candidates, Without(frozenset({"E-035"})))) == ["b"]


def test_the_start_time_is_that_of_the_truly_highest() -> None:
    """[E-037]"""
    late, early = "2019-12-01T00:00:09Z", "2019-12-01T00:00:01Z"
    first = Victims((pod("x", priority=1, started=early), pod("y", priority=9, started=late)), 1)
    second = Victims((pod("x", priority=1, started=late), pod("y", priority=9, started=early)), 1)
    assert list(best_candidates({"a": second, "b": first}, EVERY)) == ["b"]
    assert first.pods[1].status.start_time < NOW  # type: ignore[operator]


def test_what_ties_is_left_open() -> None:
    """[E-045]"""
    pods = [pod(f"v{i}", cpu="8", on=f"n{i}") for i in range(3)]
    decision = preempt([node(f"n{i}") for i in range(3)], pods, pod("p", cpu="5", priority=1))
    assert decision.node_ties == ("n0", "n1", "n2")
    assert decision.node == "n0"


# --- worked examples ------------------------------------------------------------------------------


def test_e061_a_returning_pod_counts_for_all_terms() -> None:
    pods = [
        pod("v", cpu="1", on="n1", labels={"app": "a"}, started="2019-12-01T00:00:01Z"),
        pod("w", cpu="9", on="n1", labels={"app": "c"}, started="2019-12-01T00:00:02Z"),
    ]
    parts = [node("n1", labels={"host": "n1"})], pods, pod("p", "2", 10, affinity=apart(("rack", "a"), ("host", "b")))
    assert preempt(*parts).victims == ("v", "w")
    assert preempt(*parts, quirks=Without(frozenset({"P-037"}))).victims == ("w",)


def test_e062_not_minimal_in_number() -> None:
    pods = [pod("h", "4", 5, "n1"), pod("l1", "3", 1, "n1"), pod("l2", "3", 1, "n1")]
    assert preempt([node("n1")], pods, pod("p", "4", 10)).victims == ("l1", "l2")


def test_e063_violations_not_minimal() -> None:
    app = {"app": "x"}
    pods = [pod("p1", "3", 5, "n1", app), pod("p2", "2", 4, "n1", app), pod("p3", "2", 4, "n1", app)]
    decision = preempt([node("n1", cpu="7")], pods, pod("p", "3", 10), [budget("b", 0, **app)])
    assert decision.victims == ("p2", "p3")
    assert decision.per_node["n1"].pdb_violations == 2


def test_e064_a_budget_saves_the_less_important_pod() -> None:
    pods = [pod("low", "5", 1, "n1", {"app": "x"}), pod("high", "5", 5, "n1")]
    decision = preempt([node("n1")], pods, pod("p", "5", 10), [budget("b", 0, app="x")])
    assert decision.victims == ("high",)
    assert decision.per_node["n1"].pdb_violations == 0


def test_e065a_affinity_to_a_victim() -> None:
    pods = [pod("x", "3", 1, "n1", {"app": "x"}), pod("y", "5", 1, "n1")]
    about = pod("p", "4", 10, affinity=near(("host", "x")))
    decision = preempt([node("n1", labels={"host": "n1"})], pods, about)
    assert (decision.candidates, decision.per_node, decision.node) == (("n1",), {}, None)


def test_e065b_unresolvable_by_name() -> None:
    about = pod("p", "1", 10, labels={"app": "x"}, affinity=near(("zone", "x"), ("rack", "x")))
    nodes = [node("n1", labels={"zone": "z"})]
    decision = preempt(nodes, [pod("v", "1", 1, "n1", {"app": "x"})], about)
    assert (decision.candidates, decision.to_clear) == ((), ("p",))
    assert preempt(nodes, [], about).scheduled, "the first pod of its kind may go anywhere"


def test_e065c_only_one_nodes_pods_are_removed() -> None:
    nodes = [node(name, labels={"zone": "z"}) for name in ("n1", "n2")]
    pods = [pod(f"v{name}", "1", 1, name, {"app": "x"}) for name in ("n1", "n2")]
    about = pod("p", "1", 10, affinity=apart(("zone", "x")))
    decision = preempt(nodes, pods, about)
    assert (decision.candidates, decision.per_node, decision.node) == (("n1", "n2"), {}, None)


def test_e066_a_shared_port_is_free_when_one_pod_goes() -> None:
    web = [{"name": "c", "ports": [{"hostPort": 80, "protocol": "TCP"}]}]
    pods = [pod("hi", priority=50, on="n1", containers=web), pod("lo", priority=1, on="n1", containers=web)]
    parts = [node("n1")], pods, pod("p", priority=10, containers=web)
    assert preempt(*parts).victims == ("lo",)
    assert preempt(*parts, quirks=Without(frozenset({"O-096"}))).node is None


@pytest.mark.parametrize(("wanted", "node_name", "cleared"), [("5", None, ()), ("4", "n1", ("lower",))])
def test_e069_nominated_pods_stand_in_the_way(wanted: str, node_name: str | None, cleared: tuple[str, ...]) -> None:
    pods = [
        pod("v", "6", 1, "n1"),
        pod("nom", "6", 10, nominated="n1"),
        pod("lower", "6", 2, nominated="n1"),
    ]
    decision = preempt([node("n1")], pods, pod("p", wanted, 10))
    assert (decision.node, decision.to_clear) == (node_name, cleared)
