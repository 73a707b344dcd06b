"""The scheduler cache of the reference: recorded runs, the specification's examples, and what always holds."""

from collections import Counter

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from model import cache as c
from model.api.clock import Instant
from model.api.components import Operation, Outcome
from model.api.decode import amended, decode
from model.api.objects import Node, Pod
from model.api.protocol import Crash
from model.api.resources import container_sum
from model.cache import Cache, CacheError, NodeTree, Snapshot, node_tree
from model.cache.component import ModelCache, changed
from model.node_info import NodeInfo, filter_out_pods, holds, set_node
from model.quirks import Without
from oracle.conform.cache import judge
from tests.samples import recorded


def pod(name, node="n1", uid="", **patch):
    document = {
        "metadata": {"name": name, "namespace": "ns", "uid": uid or f"uid-{name}"},
        "spec": {
            "nodeName": node,
            "containers": [
                {"name": "c", "resources": {"requests": {"cpu": "100m"}}, "ports": [{"hostPort": 80}]},
            ],
        },
    }
    return amended(decode(document, Pod), patch)


def node(name, zone="", **patch):
    labels = {"failure-domain.beta.kubernetes.io/zone": zone} if zone else {}
    return amended(decode({"metadata": {"name": name, "labels": labels}}, Node), patch)


def with_image(name, size):
    return node(name, status={"images": [{"names": ["img"], "sizeBytes": size}]})


def at(ms):
    return Instant(ms)


def without(*quirks):
    return Without(frozenset(quirks))


class Alone:
    """An engine that offers a cache and nothing else."""

    def __init__(self, cache, canonical=True):
        self.cache = cache
        self.canonical = canonical


# --- recorded runs --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", recorded("cache"))
def test_recorded_run(case):
    assert judge(case, Alone(ModelCache)) is None


class ExpiringBackwards(ModelCache):
    """Expires assumed pods in descending order of their UIDs."""

    def apply(self, operation):
        if operation.name != "CleanupExpired":
            return super().apply(operation)
        for uid in sorted(self._cache.assumed, reverse=True):
            others = self._cache.assumed - {uid}
            expired = c.expire(evolve(self._cache, assumed=frozenset({uid})), operation.now)
            self._cache = evolve(expired, assumed=expired.assumed | others)
        return Outcome()


class ForgettingPorts(ModelCache):
    """Loses the host ports of every node that a pod leaves."""

    def apply(self, operation):
        outcome = super().apply(operation)
        if operation.name == "RemovePod":
            nodes = {name: evolve(info, used_ports=frozenset()) for name, info in self._cache.nodes.items()}
            self._cache = evolve(self._cache, nodes=nodes)
        return outcome


def tally(cases, cache, canonical=True):
    return Counter(judge(case.values[0], Alone(cache, canonical)) is None for case in cases)


def test_judgement_is_as_strict_as_the_record_binds():
    cases = recorded("cache")
    assert not tally(cases, ExpiringBackwards, canonical=False)[False]
    assert tally(cases, ExpiringBackwards, canonical=True)[False]
    assert tally(cases, ForgettingPorts, canonical=False)[False]


QUIRKS = ["C-015", "C-018", "C-020", "C-033", "C-043", "C-053", "C-062", "C-064", "C-069", "O-093", "O-094", "O-096"]


@pytest.mark.parametrize("quirk", QUIRKS)
def test_recorded_runs_show_the_quirk(quirk):
    assert tally(recorded("cache"), lambda ttl_ms: ModelCache(ttl_ms, without(quirk)))[False]


# --- examples of the specification ----------------------------------------------------------------


def test_a_pass_takes_one_node_of_each_zone_in_turn():
    """C-067, C-068"""
    assert given_names(tree_of("A:a1", "A:a2", "A:a3", "B:b1", "C:c1"), 10)[1] == "a1 b1 c1 a2 a3 a1 b1 c1 a2 a3"


def test_a_node_taken_out_during_a_pass():
    """C-069"""
    tree, _ = given_names(tree_of("A:a1", "A:a2", "A:a3", "B:b1", "C:c1"), 2)
    assert given_names(node_tree.remove(tree, node("a1", "A")), 8)[1] == "c1 a3 a2 b1 c1 a3 a2 b1"
    mended = node_tree.remove(tree, node("a1", "A"), without("C-069"))
    assert given_names(mended, 6)[1] == "c1 a2 a3 a2 b1 c1"


def test_a_node_is_found_only_in_the_zone_it_says():
    """C-062, C-063, C-064"""
    tree = tree_of("A:n1")
    twice = node_tree.add(tree, node("n1", "B"))
    assert (given_names(twice, 2)[1], twice.num_nodes) == ("n1 n1", 2)
    assert node_tree.add(tree, node("n1", "B"), without("C-062")).num_nodes == 1
    with pytest.raises(node_tree.NodeTreeError, match="node n1 in group  was not found"):
        node_tree.remove(tree, node("n1"))
    assert node_tree.update(NodeTree(), node("n1", "A"), node("n1", "A")) == NodeTree()
    with pytest.raises(Crash):
        node_tree.update(NodeTree(), None, node("n1", "A"))
    assert node_tree.update(NodeTree(), None, node("n1", "A"), without("C-064")) == tree


def tree_of(*nodes):
    tree = NodeTree()
    for zone, name in (text.split(":") for text in nodes):
        tree = node_tree.add(tree, node(name, zone))
    return tree


def given_names(tree, count):
    names = []
    for _ in range(count):
        tree, name = node_tree.next_node(tree)
        names.append(name)
    return tree, " ".join(names)


def test_a_node_counts_the_holders_of_its_images_when_it_changes():
    """C-051, C-053"""
    first, second = with_image("n1", 10), with_image("n2", 20)
    cache = c.add_node(c.add_node(Cache(), first), second)
    assert counts(cache) == {"n1": (10, 1), "n2": (10, 2)}
    assert counts(c.update_node(cache, first, first)) == {"n1": (10, 2), "n2": (10, 2)}
    assert counts(c.add_node(c.add_node(Cache(), first), second, without("C-053"))) == {"n1": (10, 2), "n2": (10, 2)}


def counts(cache):
    states = {name: info.image_states["img"] for name, info in cache.nodes.items()}
    return {name: (state.size, state.num_nodes) for name, state in states.items()}


def test_a_confirmed_pod_is_counted_as_it_was_assumed():
    """C-018"""
    assumed, grown = pod("p"), pod("p", metadata={"labels": {"grown": "yes"}})
    cache = c.assume_pod(Cache(), assumed)
    added = c.add_pod(cache, grown)
    assert added.nodes["n1"].pods == (assumed,)
    assert c.get_pod(added, assumed) == grown
    assert added.generation == cache.generation
    assert c.add_pod(cache, grown, without("C-018")).nodes["n1"].pods == (grown,)
    moved = c.add_pod(cache, pod("p", node="n2"))
    assert (list(moved.nodes), moved.assumed) == (["n2"], frozenset())


def test_a_pod_recreated_in_one_update_stays_under_its_old_uid():
    """C-020"""
    old, new = pod("p"), pod("p", uid="another")
    updated = c.update_pod(c.add_pod(Cache(), old), old, new)
    with pytest.raises(CacheError, match="pod another is not found in scheduler cache, so cannot be removed from it"):
        c.remove_pod(updated, new)
    assert c.remove_pod(updated, old).nodes == {}
    mended = c.update_pod(c.add_pod(Cache(), old), old, new, without("C-020"))
    assert c.remove_pod(mended, new).pods == {}


def test_a_pod_on_another_node_means_that_the_cache_is_corrupt():
    """C-019, C-021"""
    cache = c.add_pod(Cache(), pod("p"))
    for operation in (
        lambda: c.update_pod(cache, pod("p"), pod("p", node="n2")),
        lambda: c.remove_pod(cache, pod("p", node="n2")),
    ):
        with pytest.raises(Crash, match="Schedulercache is corrupted and can badly affect scheduling decisions"):
            operation()


def test_what_is_refused():
    """C-003, C-012, C-015, C-016, C-018, C-019, C-022, C-032"""
    assumed, added = c.assume_pod(Cache(), pod("p")), c.add_pod(Cache(), pod("p"))
    nameless = decode({"metadata": {"name": "p"}}, Pod)
    refusals = {
        "Cannot get cache key for pod with empty UID": lambda: c.assume_pod(Cache(), nameless),
        "pod uid-p is in the cache, so can't be assumed": lambda: c.assume_pod(assumed, pod("p")),
        "pod uid-p was assumed on n2 but assigned to n1": lambda: c.forget_pod(assumed, pod("p", node="n2")),
        "pod uid-p wasn't assumed so cannot be forgotten": lambda: c.forget_pod(added, pod("p")),
        "pod uid-p was already in added state": lambda: c.add_pod(added, pod("p")),
        "pod uid-p is not added to scheduler cache, so cannot be updated": lambda: c.update_pod(
            assumed, pod("p"), pod("p")
        ),
        "pod uid-p does not exist in scheduler cache": lambda: c.get_pod(Cache(), pod("p")),
        "node n1 is not found": lambda: c.remove_node(Cache(), node("n1")),
    }
    for text, refused in refusals.items():
        with pytest.raises(CacheError) as caught:
            refused()
        assert str(caught.value) == text


def test_an_assumption_ends_after_its_deadline_only():
    """C-013, C-023"""
    assumed = c.assume_pod(Cache(), pod("p"))
    assert c.expire(assumed, at(10**9)) == assumed
    finished = c.finish_binding(assumed, pod("p"), at(5))
    assert c.expire(finished, at(30_005)) == finished
    expired = c.expire(finished, at(30_006))
    assert (expired.nodes, expired.pods, expired.assumed) == ({}, {}, frozenset())


def test_the_snapshot_keeps_a_node_that_is_gone_while_pods_remain_on_it():
    """C-032, C-042, C-043"""
    cache = c.add_pod(c.add_node(Cache(), node("n1")), pod("p"))
    taken = c.take_snapshot(Snapshot(), cache)
    gone = c.remove_node(cache, node("n1"))
    assert gone.nodes["n1"].node is None
    assert c.walk(gone.tree) == ()
    assert c.take_snapshot(taken, gone).nodes["n1"].node == node("n1")
    assert c.take_snapshot(taken, gone, without("C-043")).nodes == {}
    assert c.take_snapshot(taken, c.remove_pod(gone, pod("p"))).nodes == {}


def test_a_node_removed_by_name_only_stays_in_the_tree():
    """C-033"""
    cache = c.add_node(Cache(), node("n1", "A"))
    assert c.remove_node(cache, node("n1")).tree.num_nodes == 1
    assert c.remove_node(cache, node("n1"), without("C-033")).tree.num_nodes == 0


def test_a_pressure_no_longer_reported_stays():
    """O-094"""
    pressed = node("n1", status={"conditions": [{"type": "MemoryPressure", "status": "True"}]})
    info = set_node(set_node(NodeInfo(), pressed), node("n1"))
    assert (info.memory_pressure, info.disk_pressure) == ("True", "")
    assert set_node(info, node("n1"), without("O-094")).memory_pressure == ""


def test_a_port_of_two_pods_is_free_when_one_leaves():
    """O-096"""
    cache = c.add_pod(c.add_pod(Cache(), pod("p")), pod("q"))
    assert c.remove_pod(cache, pod("p")).nodes["n1"].used_ports == frozenset()
    assert len(c.remove_pod(cache, pod("p"), without("O-096")).nodes["n1"].used_ports) == 1


def test_pods_that_an_aggregate_no_longer_holds_are_filtered_out():
    """O-100"""
    info = c.add_pod(c.add_node(Cache(), node("n1")), pod("p")).nodes["n1"]
    listed = [pod("p"), pod("q"), pod("r", node="n2")]
    assert [holds(info, each) for each in listed] == [True, False, True]
    assert filter_out_pods(info, listed) == (listed[0], listed[2])
    assert filter_out_pods(evolve(info, node=None), listed) == tuple(listed)


def test_an_operation_without_its_object_is_refused():
    with pytest.raises(ValueError, match="AddNode"):
        changed(Cache(), Operation("AddNode", at(0)), 0)


# --- what always holds ----------------------------------------------------------------------------

PODS = [pod(name, node=place) for name, place in (("a", "n1"), ("b", "n1"), ("c", "n2"), ("d", "ghost"))]
NODES = [node("n1", "A"), node("n2", "B"), node("n2", "A")]

operations = st.one_of(
    st.tuples(st.sampled_from([c.assume_pod, c.forget_pod, c.add_pod, c.remove_pod]), st.sampled_from(PODS)),
    st.tuples(st.sampled_from([c.add_node, c.remove_node]), st.sampled_from(NODES)),
)


@given(st.lists(operations, max_size=40))
def test_aggregates_are_the_sums_of_their_pods_in_the_order_of_their_changes(steps):
    """C-011, C-040, O-092, O-093"""
    cache, snapshot = Cache(), Snapshot()
    for operation, thing in steps:
        try:
            cache = operation(cache, thing)
        except CacheError:
            continue
        generations = [info.generation for info in cache.nodes.values()]
        assert generations == sorted(set(generations))
        for name, info in cache.nodes.items():
            assert info.pods or info.node
            assert {held.uid for held in info.pods} == {
                uid for uid, state in cache.pods.items() if state.pod.spec.node_name == name
            }
            assert info.requested.milli_cpu == sum(container_sum(held).milli_cpu for held in info.pods)
        snapshot = c.take_snapshot(snapshot, cache)
        assert all(snapshot.nodes[name] is info for name, info in cache.nodes.items() if info.node)
        assert cache.assumed <= cache.pods.keys()
