"""The scheduling queue of the reference: recorded runs, the specification's examples, and what always holds."""

from collections import Counter
from itertools import pairwise

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from model import queue as q
from model.api.clock import Instant
from model.api.components import Operation, Outcome
from model.api.decode import amended, decode
from model.api.objects import Pod
from model.api.protocol import Crash
from model.queue import Queue, QueueError, heap
from model.queue.component import ModelQueue, changed, observed
from model.queue.state import less_active
from model.quirks import Without
from model.rules import counting
from oracle.conform.queue import judge
from tests.samples import recorded


def pod(name, priority=0, version="1", **patch):
    document = {
        "metadata": {"name": name, "namespace": "ns", "uid": f"uid-{name}", "resourceVersion": version},
        "spec": {"priority": priority},
    }
    return amended(decode(document, Pod), patch)


def wanting(name, selector):
    term = {"labelSelector": selector, "topologyKey": "zone"}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    return pod(name, spec={"affinity": affinity})


def at(ms):
    return Instant(ms)


def without(*quirks):
    return Without(frozenset(quirks))


def names(entries):
    return [entry.pod.name for entry in entries]


class Alone:
    """An engine that offers a queue and nothing else."""

    def __init__(self, queue, canonical=True):
        self.queue = queue
        self.canonical = canonical


# --- recorded runs --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", recorded("queue"))
def test_recorded_run(case):
    assert judge(case, Alone(ModelQueue)) is None


class OtherOfTheTied(ModelQueue):
    """Takes, of several equal pods, the one that comes out last."""

    def apply(self, operation):
        if operation.name != "Pop" or not self._queue.active:
            return super().apply(operation)
        entries = self.state().active
        tied = [e for e in entries if (e.pod.priority, e.timestamp) == (entries[0].pod.priority, entries[0].timestamp)]
        active = heap.delete(self._queue.active, tied[-1].pod.key, less_active)
        self._queue = evolve(self._queue, active=active, cycle=self._queue.cycle + 1)
        return Outcome(result=tied[-1].pod)


class LastOfAll(OtherOfTheTied):
    """Takes whatever comes out last."""

    def apply(self, operation):
        if operation.name != "Pop" or not self._queue.active:
            return super().apply(operation)
        entry = self.state().active[-1]
        self._queue = evolve(
            self._queue,
            active=heap.delete(self._queue.active, entry.pod.key, less_active),
            cycle=self._queue.cycle + 1,
        )
        return Outcome(result=entry.pod)


def tally(cases, queue, canonical):
    return Counter(judge(case.values[0], Alone(queue, canonical)) is None for case in cases)


def test_judgement_is_as_strict_as_the_record_binds():
    cases = recorded("queue")
    assert not tally(cases, OtherOfTheTied, canonical=False)[False]
    assert tally(cases, OtherOfTheTied, canonical=True)[False]
    assert tally(cases, LastOfAll, canonical=False)[False]


QUIRKS_THE_SAMPLE_SHOWS = ["Q-025", "Q-033", "Q-038", "Q-051", "Q-056", "Q-061", "Q-066"]


@pytest.mark.parametrize("quirk", QUIRKS_THE_SAMPLE_SHOWS)
def test_recorded_runs_show_the_quirk(quirk):
    assert tally(recorded("queue"), lambda: ModelQueue(without(quirk)), canonical=True)[False]


# --- examples of the specification ----------------------------------------------------------------


def test_equal_pods_leave_in_the_heaps_own_order():
    """Q-013"""
    queue = Queue()
    for number in range(7):
        queue = q.add(queue, pod(f"p{number}"), at(0))
    assert names(heap.in_pop_order(queue.active, less_active)) == ["p0", "p6", "p5", "p4", "p3", "p2", "p1"]


def test_a_pod_retried_at_once_goes_through_the_backoffs_and_starts_over():
    """Q-020, Q-025"""
    assert durations() == [1, 2, 4, 8, 10, 1, 2, 4, 8, 10, 1]
    assert durations(quirks=without("Q-025")) == [1, 2, 4, 8, 10, 10, 10, 10, 10, 10, 10]


def durations(**quirks):
    """Seconds of backoff of a pod that fails as soon as it may be tried; each reading of the clock is later."""
    queue, now, seconds = Queue(), at(0), []
    for reading in range(11):
        now = Instant(now.ms, reading)
        queue = q.add_unschedulable_if_not_present(queue, pod("p"), queue.cycle, now, **quirks)
        until = observed(queue).unschedulable[0].backoff_until
        seconds.append((until.ms - now.ms) // 1000)
        queue, _ = q.pop(q.move_all_to_active(queue, until, **quirks))
        now = until
    return seconds


def test_a_move_request_finds_a_pod_backing_off_or_not():
    """Q-042, Q-060, Q-065, Q-081"""
    failed = q.add_unschedulable_if_not_present(Queue(), pod("p"), 0, at(0))
    assert names(failed.unschedulable.values()) == ["p"]
    early = q.move_all_to_active(failed, at(500))
    assert (len(early.backoff), len(early.active)) == (1, 0)
    assert len(q.flush_backoff(early, at(999)).active) == 0
    assert len(q.flush_backoff(early, at(1000)).active) == 1
    assert len(q.move_all_to_active(failed, at(1000)).active) == 1


def test_only_more_than_60_seconds_make_a_leftover():
    """Q-064"""
    failed = q.add_unschedulable_if_not_present(Queue(), pod("p"), 0, at(0))
    assert q.flush_leftover(failed, at(60_000)) == failed
    assert len(q.flush_leftover(failed, at(60_001)).active) == 1


def test_after_a_missed_move_request_a_pod_only_waits_for_its_backoff():
    """Q-042, Q-043"""
    moved = q.move_all_to_active(Queue(), at(0))
    assert len(q.add_unschedulable_if_not_present(moved, pod("p"), 0, at(1)).backoff) == 1
    assert len(q.add_unschedulable_if_not_present(moved, pod("p"), 1, at(1)).unschedulable) == 1


def test_any_update_ends_a_backoff():
    """Q-051"""
    waiting = q.add_unschedulable_if_not_present(q.move_all_to_active(Queue(), at(0)), pod("p"), 0, at(1))
    new = pod("p", version="2", status={"phase": "Pending"})
    updated = q.update(waiting, pod("p"), new, at(2))
    assert (len(updated.active), len(updated.backoff), len(updated.backoffs)) == (1, 0, 1)
    assert updated.active.entries["ns/p"] == q.Entry(new, at(1))
    kept = q.update(waiting, pod("p"), new, at(2), without("Q-051"))
    assert (len(kept.active), names(kept.backoff.entries.values())) == (0, ["p"])


def test_an_unschedulable_pod_becomes_active_by_a_change_of_spec_or_metadata_only():
    """Q-050, Q-052, Q-053"""
    waiting = q.add_unschedulable_if_not_present(Queue(), pod("p"), 0, at(1))
    told = pod("p", version="2", metadata={"generation": 2}, status={"phase": "Pending"})
    assert names(q.update(waiting, pod("p"), told, at(2)).unschedulable.values()) == ["p"]
    labelled = q.update(waiting, pod("p"), pod("p", metadata={"labels": {"a": "b"}}), at(2))
    assert (len(labelled.active), len(labelled.unschedulable), len(labelled.backoffs)) == (1, 0, 0)


def test_updating_nothing_into_an_unschedulable_pod_ends_the_process():
    """Q-033, Q-054"""
    waiting = q.add_unschedulable_if_not_present(Queue(), pod("p"), 0, at(1))
    with pytest.raises(Crash):
        q.update(waiting, None, pod("p"), at(2))
    assert len(q.update(waiting, None, pod("p"), at(2), without("Q-033")).active) == 1


def test_updating_nothing_into_a_pod_that_is_backing_off_doubles_it():
    """Q-054"""
    waiting = q.add_unschedulable_if_not_present(q.move_all_to_active(Queue(), at(0)), pod("p"), 0, at(1))
    doubled = q.update(waiting, None, pod("p"), at(2))
    assert (len(doubled.active), len(doubled.backoff)) == (1, 1)
    moved = q.update(waiting, None, pod("p"), at(2), without("Q-054"))
    assert (len(moved.active), len(moved.backoff)) == (1, 0)


def test_a_nomination_in_memory_is_lost_on_requeueing():
    """Q-032, Q-038"""
    queue = q.nominate(Queue(), pod("p"), "n1")
    unrelated = q.update(q.add(Queue(), pod("p"), at(0)), pod("p"), pod("p", version="2"), at(0))
    assert q.update(q.nominate(unrelated, pod("p"), "n1"), pod("p"), pod("p"), at(0)).nominated_by_node["n1"]
    assert q.add_unschedulable_if_not_present(queue, pod("p"), 0, at(0)).nominated_by_node == {}
    kept = q.add_unschedulable_if_not_present(queue, pod("p"), 0, at(0), without("Q-038"))
    assert kept.nominated_by_node == {"n1": (pod("p"),)}
    in_status = pod("p", status={"nominatedNodeName": "n2"})
    assert q.add(queue, in_status, at(0)).nominated_by_node == {"n2": (in_status,)}


def test_an_assigned_pod_moves_those_that_want_it():
    """Q-061, Q-062"""
    queue = q.add_unschedulable_if_not_present(Queue(), wanting("p", {"matchLabels": {"app": "db"}}), 0, at(0))
    queue = evolve(queue, cycle=3)
    stranger = q.assigned_pod_added(queue, pod("x", metadata={"labels": {"app": "web"}}), at(9_000))
    assert (len(stranger.unschedulable), stranger.move_cycle) == (1, 3)
    assert q.assigned_pod_added(queue, pod("x"), at(9_000), without("Q-061")) == queue
    assert len(q.assigned_pod_added(queue, pod("x", metadata={"labels": {"app": "db"}}), at(9_000)).active) == 1


def test_an_affinity_term_that_cannot_be_read():
    """Q-063"""
    broken = {"matchExpressions": [{"key": "app", "operator": "Like"}]}
    queue = q.add_unschedulable_if_not_present(Queue(), wanting("p", broken), 0, at(0))
    with pytest.raises(Crash):
        q.assigned_pod_added(queue, pod("x"), at(0))
    elsewhere = pod("x", metadata={"namespace": "other"})
    assert len(q.assigned_pod_added(queue, elsewhere, at(0)).unschedulable) == 1
    assert len(q.assigned_pod_added(queue, pod("x"), at(0), without("Q-063")).unschedulable) == 1


def test_a_deleted_pods_backoff():
    """Q-028, Q-055, Q-056"""
    queue = q.add_unschedulable_if_not_present(Queue(), pod("p"), 0, at(0))
    assert q.delete(queue, pod("p")).backoffs == {}
    active = q.move_all_to_active(queue, at(1000))
    assert list(q.delete(active, pod("p")).backoffs) == ["ns/p"]
    assert q.delete(active, pod("p"), without("Q-056")).backoffs == {}
    again = pod("p", metadata={"uid": "another"})
    for quirks, attempts in ((without(), 2), (without("Q-028"), 1)):
        left = q.delete(
            q.move_all_to_active(
                q.add_unschedulable_if_not_present(Queue(), pod("p"), 0, at(0), quirks), at(1001), quirks
            ),
            pod("p"),
            quirks,
        )
        failed = q.add_unschedulable_if_not_present(left, again, 0, at(1002), quirks)
        assert list(failed.backoffs.values())[-1].attempts == attempts


def test_a_closed_queue_still_delivers():
    """Q-045, Q-072"""
    queue = q.close(q.add(Queue(), pod("p"), at(0)))
    queue, taken = q.pop(queue)
    assert (taken, queue.cycle) == (pod("p"), 1)
    with pytest.raises(QueueError, match="scheduling queue is closed"):
        q.pop(queue)
    assert q.pop(Queue()) == (Queue(), None)


def test_what_waits_cannot_be_put_back():
    """Q-042"""
    active = q.add(Queue(), pod("p"), at(0))
    with pytest.raises(QueueError, match="pod is already present in the activeQ"):
        q.add_unschedulable_if_not_present(active, pod("p"), 0, at(0))


# --- what always holds ----------------------------------------------------------------------------

PODS = [pod(name, priority) for name, priority in (("a", 0), ("b", 0), ("c", 5), ("d", -1))]

operations = st.one_of(
    st.tuples(st.sampled_from(["add", "add_if_not_present", "fail", "update", "delete"]), st.sampled_from(PODS)),
    st.tuples(st.sampled_from(["pop", "move", "backoff", "leftover"]), st.none()),
)


def perform(queue, name, of, now):
    match name:
        case "add":
            return q.add(queue, of, now)
        case "add_if_not_present":
            return q.add_if_not_present(queue, of, now)
        case "fail":
            try:
                return q.add_unschedulable_if_not_present(queue, of, queue.cycle, now)
            except QueueError:
                return queue
        case "update":
            return q.update(queue, of, amended(of, {"metadata": {"labels": {"at": str(now.ms)}}}), now)
        case "delete":
            return q.delete(queue, of)
        case "pop":
            return q.pop(queue)[0]
        case "move":
            return q.move_all_to_active(queue, now)
        case "backoff":
            return q.flush_backoff(queue, now)
    return q.flush_leftover(queue, now)


@given(st.lists(st.tuples(operations, st.sampled_from([0, 1, 999, 1000, 9000, 60_001])), max_size=40))
def test_a_pod_waits_in_one_place_and_the_first_is_minimal(steps):
    """Q-002, Q-015"""
    queue, now = Queue(), at(0)
    for (name, of), later in steps:
        now = now.plus(later)
        queue = perform(queue, name, of, now)
        waiting = Counter(waiting.key for waiting in q.pending_pods(queue))
        assert not waiting or max(waiting.values()) == 1
        entries = heap.in_pop_order(queue.active, less_active)
        assert all(not less_active(later, earlier) for earlier, later in pairwise(entries))
        assert queue.move_cycle <= queue.cycle


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3)), max_size=30), st.data())
def test_a_heap_gives_back_what_was_put_in_smallest_first(additions, data):
    """Q-013"""
    kept = heap.add(heap.Heap(), additions, lambda a, b: a < b)
    left = dict(additions)
    if left:
        gone = data.draw(st.sampled_from(sorted(left)))
        kept = heap.delete(kept, gone, lambda a, b: a < b)
        del left[gone]
    assert heap.in_pop_order(kept, lambda a, b: a < b) == sorted(left.values())


def test_a_changed_label_wakes_those_who_want_to_be_near_and_not_those_who_want_to_be_apart():
    """Q-062"""
    term = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "zone"}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    queue, _ = q.pop(q.add(Queue(), pod("apart", spec={"affinity": affinity}), at(0)))
    queue = q.add_unschedulable_if_not_present(queue, pod("apart", spec={"affinity": affinity}), 1, at(0))
    changed_pod = pod("x", metadata={"labels": {"app": "y"}}, spec={"nodeName": "n1"})
    for quirks, waits in ((without(), True), (without("Q-062"), False)):
        assert ("apart_ns" in q.assigned_pod_updated(queue, changed_pod, at(0), quirks).unschedulable) == waits


def test_what_is_not_in_a_heap_cannot_be_deleted_from_it():
    """Q-014"""
    kept = heap.add(heap.Heap(), [("a", 1)], lambda a, b: a < b)
    with pytest.raises(heap.HeapError, match="object not found"):
        heap.delete(kept, "b", lambda a, b: a < b)
    assert heap.peek(kept) == 1
    assert heap.peek(heap.Heap()) is None


def test_transitions_are_counted():
    counts = Counter()
    with counting(counts):
        test_after_a_missed_move_request_a_pod_only_waits_for_its_backoff()
    assert counts["Q-042"] == 2
    assert counts["Q-043"] == 1


def test_an_operation_without_its_pod_is_refused():
    with pytest.raises(ValueError, match="Add"):
        changed(Queue(), Operation("Add", at(0)))
