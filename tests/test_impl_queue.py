"""The optimized scheduling queue: recorded runs, and its heap against a sorted list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.backoff import BackoffMap
from impl.heap import Heap
from impl.queue import Entry, Queue
from impl.queue_component import OptimizedQueue
from model.api.clock import Instant
from oracle.conform.queue import judge
from tests.building import near, pod
from tests.samples import recorded


class Alone:
    canonical = True
    queue = OptimizedQueue


@pytest.mark.parametrize("case", recorded("queue"))
def test_recorded_run(case):
    assert judge(case, Alone()) is None


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-3, 3), st.booleans())))
def test_a_heap_gives_out_the_most_urgent_first_whatever_was_replaced_or_deleted(changes):
    heap = Heap(lambda a, b: a.rank < b.rank)
    kept = {}
    for at, (name, priority, delete) in enumerate(changes):
        entry = Entry(pod(f"p{name}", priority=priority), Instant(at))
        if delete:
            assert heap.delete(entry.key) is kept.pop(entry.key, None)
        else:
            heap.add(entry)
            kept[entry.key] = entry
    assert [heap.pop() for _ in kept] == sorted(kept.values(), key=lambda entry: entry.rank)


def test_the_pop_order_shown_is_the_pop_order_also_among_equals():
    queue = Queue()
    for at in range(7):
        queue.add(pod(f"p{at}"), Instant(0))
    shown = [entry.pod.name for entry in queue.in_pop_order()]
    assert shown == [queue.pop().name for _ in range(7)] == ["p0", "p6", "p5", "p4", "p3", "p2", "p1"]


def test_a_failure_drops_every_backoff_older_than_the_longest():
    backoff = BackoffMap()
    for name, ms in (("a", 0), ("b", 1), ("c", 10_001)):
        backoff.start(pod(name), Instant(ms))
    assert [key for key, _ in backoff.items()] == ["default/b", "default/c"]


def test_pods_that_wait_for_others_are_woken_by_what_they_look_for_now():
    """Also when one was replaced by another version that looks for something else.  [Q-054, Q-062]"""
    queue = Queue()
    for name in ("b", "a", "c"):
        queue.add(pod(name, affinity=near(("zone", "x"))), Instant(0))
        queue.add_unschedulable_if_not_present(queue.pop(), queue.cycle, Instant(0))
    changed = pod("c", affinity=near(("zone", "y")))
    queue.update(changed, changed, Instant(1))
    for app, woken in (("z", []), ("x", ["a", "b"]), ("y", ["a", "b", "c"])):
        queue.assigned_pod_added(pod(f"bound-{app}", on="n1", labels={"app": app}), Instant(20_000))
        assert sorted(entry.pod.name for entry in queue.in_pop_order()) == woken
    assert not queue.unschedulable
