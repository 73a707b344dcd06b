"""Faults as ordinary events: a scheduler that is restarted, requests that fail, watch events that come twice."""

import sys
from pathlib import Path
from typing import Any

import pytest

from impl.engine import Optimized
from model.api.decode import ManifestError, decode, encode
from model.api.objects import PersistentVolume, PersistentVolumeClaim
from model.api.protocol import (
    PENDING,
    Added,
    Api,
    ApiError,
    Bind,
    Call,
    DeletePod,
    Event,
    GetPod,
    StartCycle,
    Tick,
    TookPod,
    UpdateClaim,
    Updated,
    UpdatePodStatus,
    UpdateVolume,
    WakeAt,
)
from model.engine import Reference
from oracle.child import ChildEngine, Limits
from oracle.compare import compare
from oracle.conform import Case, judge
from oracle.environment import Environment, Settings, read_operations
from oracle.environment.operations import (
    Advance,
    Create,
    HoldWatch,
    Patch,
    Redeliver,
    ReleaseBind,
    ReleaseWatch,
    RestartScheduler,
    ScheduleOne,
)
from oracle.environment.settings import ApiFailures
from oracle.guard import guarded_scheduler
from oracle.judgement import Outcome, judge_trace
from oracle.judgement.settling import settled
from oracle.levels import Level
from oracle.report.words import event_words
from oracle.trace import play, read_trace
from tests.building import node, pod
from tests.scripted import world

FIRST_FIT = f"{sys.executable} {Path(__file__).parent / 'peers' / 'first_fit.py'}"


# --- a restart ------------------------------------------------------------------------------------


def test_a_new_process_is_told_the_time_and_lists_everything_in_the_order_of_the_start() -> None:
    environment, script = world(pod("p"), node("n1"))
    environment.step(HoldWatch("Pod"))
    environment.step(Create(pod("q")))
    environment.step(Advance(1500))
    step = environment.step(RestartScheduler())
    assert script.told[0] == Tick(1500)
    assert [event.object.name for event in script.told[1:] if isinstance(event, Added)] == ["n1", "p", "q"]
    assert len(script.told) == 4
    assert step.undelivered == 0
    environment.step(Create(pod("r")))
    assert isinstance(script.told[-1], Added)  # no watch is held any more


def test_what_the_old_process_wanted_to_be_woken_for_is_forgotten() -> None:
    environment, script = world(pod("p"), cycle=(TookPod(pod("p")), WakeAt(1300)))
    environment.step(ScheduleOne())
    environment.step(RestartScheduler())
    script.told.clear()
    environment.step(Advance(2000))
    assert script.told == [Tick(1000), Tick(2000)]


@pytest.mark.parametrize(("lost", "released"), [(False, 1), (True, 0)])
def test_a_bind_request_under_way_arrives_late_or_never_and_nobody_hears_of_it(lost: bool, released: int) -> None:
    environment, script = world(pod("p"), node("n1"), cycle=(TookPod(pod("p")), Bind(pod("p"), "n1", 1)))
    environment.step(ScheduleOne(hold_bind=True))
    assert script.answers[-1] is PENDING
    environment.step(RestartScheduler(lose_binds=lost))
    script.told.clear()
    step = environment.step(ReleaseBind("default/p"))
    assert (step.released, step.effects) == (released, ())
    assert [type(event) for event in script.told] == [Updated] * released


def test_the_request_of_a_process_that_has_ended_comes_first() -> None:
    environment, script = world(pod("p"), cycle=(TookPod(pod("p")), Bind(pod("p"), "n1", 1)))
    environment.step(ScheduleOne(hold_bind=True))
    environment.step(RestartScheduler())
    script.calls[StartCycle] = (TookPod(pod("p")), Bind(pod("p"), "n2", 1))
    environment.step(ScheduleOne(hold_bind=True))
    assert environment.step(ReleaseBind("default/p")).effects == ()
    refused = environment.step(ReleaseBind()).effects
    assert refused == ({"bindError": {"pod": "default/p", "node": "n2", "reason": "AlreadyAssigned"}},)


def test_a_scheduler_that_is_no_process_cannot_be_restarted() -> None:
    class Lasting:
        def handle(self, event: Event, api: Api) -> None: ...

        def observe(self) -> None: ...

    with pytest.raises(ManifestError, match="this scheduler cannot be restarted"):
        Environment(Lasting(), Settings()).step(RestartScheduler())


def test_a_scheduler_is_not_restarted_within_its_own_cycle() -> None:
    cycle = {"op": "scheduleOne", "during": [{"op": "kubeletSync"}, {"op": "restartScheduler"}]}
    with pytest.raises(ManifestError, match=r"events\[0\].during\[1\].op: a scheduler cannot be restarted within"):
        read_operations([cycle])


OURS: dict[str, Any] = {"cpu": "2", "schedulerName": "default-scheduler"}
PODS = [encode(pod(name, **OURS)) for name in ("p1", "p2", "p3")]
RESTARTED = {
    "kind": "e2e",
    "cluster": {"nodes": [encode(node(name, cpu="3")) for name in ("n1", "n2")], "pods": PODS},
    "config": {},
    "events": [
        {"op": "advance", "ms": 500},
        {"op": "scheduleOne", "holdBind": True},
        {"op": "drain", "max": 5},
        {"op": "restartScheduler"},
        {"op": "drain", "max": 5},
        {"op": "releaseBind"},
        {"op": "advance", "ms": 90_000},
        {"op": "drain", "max": 5},
    ],
}


@pytest.mark.parametrize("engine", [Reference(), Optimized()], ids=lambda engine: engine.name)
def test_what_was_assumed_is_open_again_after_a_restart(engine: Any) -> None:
    trace = read_trace(RESTARTED)
    shown = [step.observation for step in play(trace, guarded_scheduler(engine, trace.configuration))]
    before, after = shown[3], shown[4]
    assert before is not None
    assert after is not None
    assert (before.assumed, before.pending_binds) == (("default/p1",), ("default/p1 held",))
    assert before.unschedulable == ("default/p3",)
    assert (after.assumed, after.pending_binds, after.unschedulable) == ((), (), ())
    assert after.active == ("default/p1", "default/p3")
    assert (before.scheduling_cycle, after.scheduling_cycle) == (3, 0)


def test_both_do_the_same_after_a_restart() -> None:
    assert compare(RESTARTED, Optimized(), Reference()) is None


def test_a_record_of_a_restart_is_judged() -> None:
    trace = read_trace(RESTARTED)
    start, *steps = (step.document() for step in play(trace, Reference().scheduler(trace.configuration)))
    recorded = Case("restarted", "e2e", {**RESTARTED, "expect": {"initial": start, "steps": steps}})
    assert judge(recorded, Optimized()).difference is None


@pytest.mark.parametrize("engine", [Reference(), Optimized()], ids=lambda engine: engine.name)
def test_a_restart_is_no_excuse_and_no_fault(engine: Any) -> None:
    assert judge_trace(settled(RESTARTED), engine, Level.EXACT).outcome is Outcome.PASSED


def test_a_child_is_started_anew() -> None:
    engine = ChildEngine(FIRST_FIT, Limits())
    try:
        trace = read_trace(RESTARTED)
        seen = []
        for step in play(trace, guarded_scheduler(engine, trace.configuration)):
            seen.append((engine.pid, step.popped))
    finally:
        engine.close()
    assert len({pid for pid, _ in seen}) == 2
    assert set(seen[3][1] or ()) == {"default/p2", "default/p3"}
    assert set(seen[5][1] or ()) == {"default/p1", "default/p3"}
    assert seen[3][0] != seen[4][0]


# --- requests that fail ---------------------------------------------------------------------------


def test_requests_fail_as_often_as_they_are_listed_and_are_not_carried_out() -> None:
    volume = decode({"metadata": {"name": "v"}}, PersistentVolume)
    claim = decode({"metadata": {"name": "c", "namespace": "default"}}, PersistentVolumeClaim)
    requests: list[Call[Any]] = [GetPod("default", "p"), UpdatePodStatus(pod("p")), UpdateVolume(volume, claim)]
    requests += [UpdateClaim(claim), DeletePod(pod("p"))]
    listed = ("default/p",)
    failures = ApiFailures(listed, listed, listed, ("v",), ("default/c",))
    environment, script = world(pod("p"), volume, claim, settings=Settings(api_failures=failures), cycle=requests)
    failed = environment.step(ScheduleOne()).effects
    assert {type(answer) for answer in script.answers} == {ApiError}
    assert {answer.reason for answer in script.answers} == {"Internal"}
    assert [next(iter(effect)) for effect in failed] == [
        "statusError",
        "pvUpdateError",
        "pvcUpdateError",
        "deleteVictimError",
    ]
    assert script.told == [StartCycle()]  # nothing changed
    environment.step(ScheduleOne())
    assert not any(isinstance(answer, ApiError) for answer in script.answers[len(requests) :])


UNREADABLE = {
    **RESTARTED,
    "config": {"apiFailures": {"getPod": ["default/p3"] * 3}},
    "events": [
        {"op": "holdWatch", "kind": "Pod"},
        {"op": "drain", "max": 5},
        {"op": "advance", "ms": 599},
        {"op": "advance", "ms": 1},
    ],
}


@pytest.mark.parametrize("engine", [Reference(), Optimized()], ids=lambda engine: engine.name)
def test_a_pod_that_cannot_be_read_is_tried_again_until_it_can(engine: Any) -> None:
    """The first answer it misses, and one for preemption; then it asks after 200 ms, and 400 ms later.  [L-052]"""
    trace = read_trace(UNREADABLE)
    shown = [step.observation for step in play(trace, guarded_scheduler(engine, trace.configuration))]
    waiting = [each.backoff + each.unschedulable for each in shown if each is not None]
    assert waiting == [(), (), (), (), ("default/p3",)]
    assert compare(UNREADABLE, engine, Reference()) is None


@pytest.mark.parametrize(
    "failing",
    [
        {"getPod": ["default/p"] * 2},
        {"updateStatus": ["default/p"] * 2},
        {"deleteVictim": ["default/old"]},
    ],
)
@pytest.mark.parametrize("engine", [Reference(), Optimized()], ids=lambda engine: engine.name)
def test_who_is_kept_from_evicting_is_not_blamed(engine: Any, failing: dict[str, list[str]]) -> None:
    """The first failure meets what comes before preemption, the second preemption itself."""
    pods = [pod("old", on="n1", **OURS), pod("p", priority=10, **OURS)]
    cluster = {"nodes": [encode(node("n1", cpu="3"))], "pods": [encode(each) for each in pods]}
    case = {"kind": "e2e", "cluster": cluster, "config": {"apiFailures": failing}, "events": [{"op": "scheduleOne"}]}
    assert judge_trace(case, engine, Level.EXACT).outcome is Outcome.PASSED
    assert compare(case, engine, Reference()) is None


def test_an_unknown_request_cannot_fail() -> None:
    with pytest.raises(ManifestError, match=r"config\.apiFailures\.listNodes: unknown; known are getPod, update"):
        read_trace({"config": {"apiFailures": {"listNodes": ["n1"]}}})


# --- watch events that come twice -----------------------------------------------------------------


def test_an_event_comes_twice_and_never_after_a_newer_one() -> None:
    environment, script = world(pod("p"), pod("q"), node("n1"))
    environment.step(HoldWatch("Pod"))
    environment.step(Patch("Pod", "default/p", {"metadata": {"labels": {"v": "2"}}}))
    environment.step(Redeliver("Pod", "default/p"))
    environment.step(Redeliver("Pod", "default/nobody"))
    environment.step(ReleaseWatch("Pod"))
    told = [event for event in script.told if isinstance(event, Updated)]
    assert [(event.old.labels, event.new.labels) for event in told] == [({}, {}), ({}, {"v": "2"})]
    script.told.clear()
    environment.step(Redeliver("Pod"))
    assert [event.new.name for event in script.told if isinstance(event, Updated)] == ["q", "p"]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"op": "redeliver", "kind": "Node"}, "what was last told of kind Node is told once more"),
        ({"op": "redeliver", "kind": "Node", "key": "n1"}, "what was last told of Node n1 is told once more"),
        ({"op": "restartScheduler"}, "the scheduler is restarted, and lists everything"),
        (
            {"op": "restartScheduler", "loseBinds": True},
            "the scheduler is restarted, and lists everything; bind requests that are under way are lost",
        ),
    ],
)
def test_they_are_told_in_words(event: dict[str, Any], words: str) -> None:
    assert event_words(read_operations([event])[0]) == words
