"""One scheduling attempt: search, sampling, choice, and how it fails."""

import random
from collections.abc import Iterable
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from model.algorithm import basic_checks, with_metadata
from model.api.cluster import Cluster
from model.api.components import Decision, Situation
from model.api.configuration import Configuration, PolicyEntry
from model.api.decode import decode
from model.api.objects import Node, PersistentVolumeClaim, Pod
from model.attempt import Attempt
from model.cache.node_tree import NodeTree, add, walk
from model.decision import decide as decided
from model.engine import Reference
from model.feasibility import find_nodes_that_fit
from model.fit import Reason
from model.permitted import permits_host
from model.quirks import Without
from model.releases import v1_15_3
from model.sampling import WORKERS, Sample, num_feasible_nodes_to_find, permits_sample
from model.scheduling_error import FitError, NoNodesAvailable, OtherError, counted_errors
from model.standing import standing
from model.world import World
from tests.building import ZONE, node, pod


def decide(nodes: Iterable[Node], about: Pod, pods: Iterable[Pod] = (), **more: Any) -> Decision:
    return Reference().decide(Situation(Cluster(nodes=tuple(nodes), pods=tuple(pods)), about, **more))


# --- how many nodes are looked at -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("nodes", "percentage", "wanted"),
    [
        (99, 0, 99),
        (100, 0, 100),
        (200, 0, 100),
        (250, 0, 120),
        (1000, 0, 420),
        (2000, 0, 680),
        (5000, 0, 500),
        (5625, 0, 281),
        (6000, 0, 300),
        (1000, 10, 100),
        (20000, 1, 200),
        (150, 100, 150),
    ],
)
def test_the_sample_follows_from_cluster_size_and_percentage(nodes: int, percentage: int, wanted: int) -> None:
    """[A-022]"""
    assert num_feasible_nodes_to_find(nodes, percentage) == wanted


def test_the_surplus_feasible_node_is_taken_from_the_tree_and_dropped() -> None:
    """[A-023, A-024]"""
    names = [f"n{i:03}" for i in range(150)]
    situation = Situation(Cluster(nodes=tuple(map(node, names))), pod("p"))
    decision = Reference().decide(situation)
    assert decision.feasible == tuple(names[:100])
    assert decision.evaluated_nodes == 100
    assert decision.next_node == "n101"
    later = Reference().decide(evolve(situation, node_tree_skip=101))
    assert later.feasible == tuple(names[101:] + names[:51])


def test_exactly_as_many_feasible_nodes_as_wanted_do_not_stop_the_search() -> None:
    """[A-023]"""
    nodes = [node(f"n{i:03}", cpu="1" if i < 100 else "0") for i in range(150)]
    decision = decide(nodes, pod("p", cpu="1"))
    assert len(decision.feasible or ()) == 100
    assert decision.evaluated_nodes == 150


def tree_of(*zones_and_names: tuple[str, str]) -> NodeTree:
    tree = NodeTree()
    for zone, name in zones_and_names:
        tree = add(tree, node(name, labels={ZONE: zone}))
    return tree


def test_a_grown_tree_gives_a_node_twice_and_another_not_at_all() -> None:
    """[A-013, A-014]"""
    nodes = [("A", "a1"), ("B", "b1"), ("B", "b2"), ("B", "b3")]
    cluster = Cluster(nodes=tuple(node(name, labels={ZONE: zone}) for zone, name in (*nodes, ("A", "a2"))))
    situation = Situation(cluster, pod("p"))
    stand = standing(situation)
    attempt = with_metadata(Attempt(pod("p"), stand.snapshot, stand.world, v1_15_3(Configuration())))

    first = find_nodes_that_fit(attempt, tree_of(*nodes))
    assert first.feasible == ("a1", "b1", "b2", "b3")
    grown = add(first.tree, cluster.nodes[-1])
    second = find_nodes_that_fit(attempt, grown)
    assert second.feasible == ("a2", "a1", "b1", "a2", "b2")
    third = find_nodes_that_fit(attempt, second.tree)
    assert third.feasible == ("b3", "a1", "b1", "a2", "b2")
    assert walk(third.tree) == third.feasible

    mended = evolve(attempt, semantics=v1_15_3(Configuration(), Without(frozenset({"A-014"}))))
    assert find_nodes_that_fit(mended, grown).feasible == ("a2", "a1", "b1", "b2", "b3")


# --- what parallel workers may do -----------------------------------------------------------------


def run_workers(fits: list[bool], wanted: int, chance: random.Random) -> Sample:
    """Sixteen workers that finish in any order; a surplus feasible node stops the start of new pieces."""
    started, stopped = 0, False
    in_flight: list[int] = []
    accepted: list[str] = []
    failed: set[str] = set()
    while True:
        while len(in_flight) < WORKERS and started < len(fits) and not stopped:
            in_flight.append(started)
            started += 1
        if not in_flight:
            return Sample(accepted, failed, started)
        at = in_flight.pop(chance.randrange(len(in_flight)))
        if not fits[at]:
            failed.add(f"n{at}")
        elif len(accepted) == wanted:
            stopped = True
        else:
            accepted.append(f"n{at}")


@given(st.lists(st.booleans(), max_size=120), st.integers(0, 60), st.randoms(use_true_random=False))
def test_whatever_the_workers_do_is_permitted(fits: list[bool], wanted: int, chance: random.Random) -> None:
    """[A-025, L-066]"""
    sequence = [(f"n{at}", fit) for at, fit in enumerate(fits)]
    assert permits_sample(sequence, wanted, run_workers(fits, wanted, chance))


@pytest.mark.parametrize(
    ("accepted", "advanced", "permitted"),
    [
        (range(5), 6, True),
        (range(5), 21, True),
        (range(5), 5, False),
        (range(5), 22, False),
        (range(15, 20), 21, True),
        (range(16, 21), 21, False),
        (range(4), 6, False),
        ([0, 1, 2, 3, 3], 6, False),
        ([4, 2, 0, 1, 3], 6, True),
        ([0, 1, 2, 3, 7], 6, False),
    ],
)
def test_a_stopped_search_has_bounds(accepted: Iterable[int], advanced: int, permitted: bool) -> None:
    """Forty nodes that all fit, five wanted: some five of the first twenty are accepted.  [A-025, L-066]"""
    sequence = [(f"n{at}", True) for at in range(40)]
    sample = Sample([f"n{at}" for at in accepted], set(), advanced)
    assert permits_sample(sequence, 5, sample) is permitted


def test_a_whole_search_knows_all_failures() -> None:
    """[A-025]"""
    sequence = [("n0", True), ("n1", False), ("n2", True)]
    assert permits_sample(sequence, 3, Sample(["n2", "n0"], {"n1"}, 3))
    assert not permits_sample(sequence, 3, Sample(["n2", "n0"], set(), 3))
    assert not permits_sample(sequence, 3, Sample(["n2"], {"n1"}, 3))


def test_every_best_node_of_some_sample_may_become_the_host() -> None:
    """[A-043]"""
    nodes = [node("n0", cpu="1"), node("n1"), node("n2"), node("n3", cpu="0")]
    stand = standing(Situation(Cluster(nodes=tuple(nodes)), pod("p", cpu="1")))
    semantics = v1_15_3(Configuration(priorities=(PolicyEntry("LeastRequestedPriority"),)))
    attempt = with_metadata(Attempt(pod("p", cpu="1"), stand.snapshot, stand.world, semantics))
    assert [name for name in stand.world.nodes if permits_host(attempt, stand.tree, name)] == ["n1", "n2"]


def test_a_node_out_of_reach_of_the_workers_cannot_become_the_host() -> None:
    """[A-043]  The fullest node wins where up to fifteen better ones may be late, and the last node is too far."""
    nodes = [node(f"n{i:03}", cpu="20" if i < 16 else "10") for i in range(120)]
    stand = standing(Situation(Cluster(nodes=tuple(nodes)), pod("p", cpu="5")))
    semantics = v1_15_3(Configuration(priorities=(PolicyEntry("LeastRequestedPriority"),)))
    attempt = with_metadata(Attempt(pod("p", cpu="5"), stand.snapshot, stand.world, semantics))
    assert permits_host(attempt, stand.tree, "n015")
    assert not permits_host(attempt, stand.tree, "n016")
    assert not permits_host(attempt, stand.tree, "n119")


# --- choosing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("counter", [0, 1, 2, 5, 2**64 - 1])
def test_equal_nodes_take_turns(counter: int) -> None:
    """[A-042]"""
    decision = decide(map(node, "abc"), pod("p"), last_node_index=counter)
    assert decision.host == "abc"[counter % 3]
    assert decision.last_node_index == (counter + 1) % 2**64


def test_a_single_feasible_node_is_not_scored() -> None:
    """Scoring would end the process here.  [A-041, S-052]"""
    preferring = {
        "podAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {
                    "weight": 1,
                    "podAffinityTerm": {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "x"}}},
                }
            ]
        }
    }
    resident = pod("r", cpu="10", on="n1", affinity=preferring)
    nodes = [node(name, labels={ZONE: "z"}) for name in ("n1", "n2", "n3")]
    alone = decide(nodes[:2], pod("p", cpu="1", labels={"app": "x"}), [resident], last_node_index=7)
    assert (alone.host, alone.evaluated_nodes, alone.last_node_index, alone.crash) == ("n2", 2, 7, None)
    crashed = decide(nodes, pod("p", cpu="1", labels={"app": "x"}), [resident])
    assert crashed.host is None
    assert crashed.crash == "runtime error: invalid memory address or nil pointer dereference"


def test_without_priorities_all_nodes_are_equal() -> None:
    """[L-071]"""
    nodes = [node("n0", cpu="2"), node("n1", cpu="200")]
    decision = decide(nodes, pod("p", cpu="1"), configuration=Configuration(priorities=()))
    assert decision.totals == {"n0": 1, "n1": 1}
    assert decision.host == "n0"


def test_without_predicates_every_listed_node_is_feasible_and_the_tree_stays() -> None:
    """[A-020, L-063]"""
    configuration = Configuration()
    nodes = [node("n0", cpu="0"), node("n1", cpu="0")]
    semantics = evolve(v1_15_3(configuration), predicates=())
    decision = decided(Situation(Cluster(nodes=tuple(nodes)), pod("p", cpu="9"), configuration), semantics, {})
    assert decision.feasible == ("n0", "n1")
    assert decision.next_node == "n0"


# --- how an attempt fails -------------------------------------------------------------------------


def test_a_fit_error_sorts_counted_reasons_as_strings() -> None:
    """[A-036]"""
    failed = {f"n{i}": (Reason("x"),) for i in range(10)} | {"m": (Reason("y"), Reason("y"))}
    assert FitError(12, failed).text == "0/12 nodes are available: 10 x, 2 y."
    assert FitError(3, {}).text == "0/3 nodes are available: ."


def test_a_fit_error_tells_what_is_missing() -> None:
    """[A-036, A-038]"""
    nodes = [node("n0", cpu="1", labels={"disk": "ssd"}), node("n1")]
    decision = decide(nodes, pod("p", cpu="2", nodeSelector={"disk": "ssd"}))
    assert decision.error_type == "FitError"
    assert decision.error == "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match node selector."


def test_errors_of_nodes_are_counted() -> None:
    """[A-026]"""
    assert counted_errors(["b"]) == "b"
    assert counted_errors(["b", "b"]) == "b (repeated 2 times)"
    assert counted_errors(["b", "a", "b"]) == "[a, b (repeated 2 times)]"


def test_a_selector_that_cannot_be_built_fails_the_whole_attempt() -> None:
    """[A-026]"""
    term = {"topologyKey": "host", "labelSelector": {"matchExpressions": [{"key": "a", "operator": "Foo"}]}}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    nodes = [node(name, labels={"host": name}) for name in ("n1", "n2")]
    decision = decide(nodes, pod("in"), [pod("e", on="n1", affinity=affinity)])
    assert decision.error_type == "Other"
    assert decision.error == (
        "Failed to get all terms that match pod default/in: "
        '"Foo" is not a valid pod selector operator (repeated 2 times)'
    )
    assert decision.feasible is None


def claim(name: str, **metadata: str) -> PersistentVolumeClaim:
    return decode({"metadata": {"name": name, "namespace": "default", **metadata}}, PersistentVolumeClaim)


def test_claims_are_checked_first_and_in_order() -> None:
    """[A-003, A-004]"""
    going = claim("going", deletionTimestamp="2019-12-01T00:00:00Z")
    world = World(claims={"default/going": going, "default/there": claim("there")})
    assert basic_checks(pod("p"), world) == NoNodesAvailable()
    assert basic_checks(pod("p", claims=["there", "gone", "going"]), world) == OtherError(
        'persistentvolumeclaim "gone" not found'
    )
    assert basic_checks(pod("p", claims=["going", "gone"]), world) == OtherError(
        'persistentvolumeclaim "going" is being deleted'
    )
    there = World(nodes={"n0": node("n0")}, claims=world.claims)
    assert basic_checks(pod("p", claims=["there"]), there) is None


def test_an_empty_cluster_is_an_error_of_its_own() -> None:
    """[A-004]"""
    decision = decide([], pod("p"))
    assert (decision.error_type, decision.error) == ("NoNodesAvailable", "no nodes available to schedule pods")
