"""The optimized cache: recorded runs, and its node tree against that of the reference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.aggregate import Aggregate
from impl.cache_component import OptimizedCache
from impl.node_tree import NodeTree
from impl.pod_kind import PodKind
from model.cache import node_tree
from oracle.conform.cache import judge
from tests.building import ZONE, node, pod
from tests.samples import recorded


class Alone:
    canonical = True
    cache = OptimizedCache


@pytest.mark.parametrize("case", recorded("cache"))
def test_recorded_run(case):
    assert judge(case, Alone()) is None


NODES = [node(f"n{at}", labels={ZONE: f"z{at % 3}"} if at % 4 else None) for at in range(9)]


@given(st.lists(st.tuples(st.sampled_from(["add", "remove", "advance", "advance"]), st.integers(0, 20))))
def test_the_node_tree_jumps_to_where_single_steps_lead(steps):
    tree, reference = NodeTree(), node_tree.NodeTree()
    for what, number in steps:
        subject = NODES[number % len(NODES)]
        if what == "add":
            tree.add(subject)
            reference = node_tree.add(reference, subject)
        elif what == "remove":
            tree.remove(subject)
            try:
                reference = node_tree.remove(reference, subject)
            except node_tree.NodeTreeError:
                continue
        else:
            walked = []
            announced = tree.upcoming(number)
            for _ in range(number):
                reference, name = node_tree.next_node(reference)
                walked.append(name)
            order, start = tree.regular() or ((), 0)
            assert not order or [order[(start + at) % len(order)] for at in range(number)] == walked
            tree.advance(number)
            assert announced == walked
        zones = [(zone.zone, zone.nodes, zone.last_index) for zone in tree.zones()]
        assert zones == [(zone.key, zone.names, zone.last_index) for zone in reference.zones]
        assert (tree.zone_index, tree.count) == (reference.zone_index, reference.num_nodes)


def test_amounts_wrap_as_64_bit_numbers_do():
    aggregate = Aggregate("n1")
    for name in ("a", "b"):
        requests = {"requests": {"memory": str(2**62)}}
        large = pod(name, containers=[{"name": "c", "resources": requests}])
        aggregate.add_pod(large, PodKind(large))
    assert aggregate.memory == -(2**63)
