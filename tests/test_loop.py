"""The control loop: recorded runs, and what no recorded run shows."""

import pytest

from model.api.cluster import Cluster
from model.api.configuration import Configuration, Extender
from model.api.decode import amended, decode
from model.api.objects import CSINode, PodDisruptionBudget, PriorityClass, ReplicaSet
from model.api.protocol import (
    Added,
    ApiError,
    AskExtender,
    Deleted,
    DeletePod,
    FinishCycle,
    GetPod,
    RecordEvent,
    StartCycle,
    Tick,
    TookPod,
    Updated,
    UpdatePodStatus,
    WakeAt,
)
from model.engine import Reference
from model.loop.conditions import NotScheduled, with_condition
from model.loop.handlers import scheduling_properties_changed
from model.quirks import EVERY, Without
from model.volumes.binder import Binder, after_failure, assume_pod_volumes, put, record_decision
from model.volumes.find import VolumeFit
from oracle.conform.e2e import judge
from oracle.environment import Environment, Settings
from oracle.environment.operations import Advance, Create, Delete, Drain, Patch, ReleaseBind, ScheduleOne
from oracle.trace import play, read_trace
from tests.attempts import claim, volume
from tests.building import node, pod
from tests.samples import recorded

TIMEOUT = ApiError("Timeout", "the server timed out")


def ours(name, **fields):
    """A pod that asks for this scheduler and has not run yet."""
    return pod(name, started="", schedulerName="default-scheduler", **fields)


def world(*things, quirk=None, extender=None, settings=None, **configuration):
    """An environment around the model, `quirk` mended, that has seen these objects."""
    engine = Reference() if quirk is None else Reference().without(quirk)
    scheduler = engine.scheduler(Configuration(**configuration))
    more = {} if extender is None else {"extender": extender}
    environment = Environment(scheduler, settings or Settings(), **more)
    environment.start(Cluster.of(things))
    return environment


def names(step):
    return [next(iter(effect)) for effect in step.effects]


class Api:
    """An API server of which a test says what it answers to a kind of call: one answer, or one after the other."""

    def __init__(self, **answers):
        self.answers = answers
        self.calls = []

    def call(self, request):
        self.calls.append(request)
        answer = self.answers.get(type(request).__name__)
        return answer.pop(0) if isinstance(answer, list) else answer


def told(*events, scheduler=None, **answers):
    """The scheduler and the calls it made on being told these events."""
    scheduler = scheduler or Reference().scheduler(Configuration())
    api = Api(**answers)
    for event in events:
        scheduler.handle(event, api)
    return scheduler, api.calls


# --- recorded runs --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", recorded("e2e"))
def test_recorded_runs(case):
    assert judge(case, Reference()) is None


def by_id(case_id):
    return next(case.values[0] for case in recorded("e2e") if case.id == case_id)


def test_a_recorded_crash():
    case = by_id("public-e2e-0761")
    trace = read_trace(case)
    steps = list(play(trace, Reference().scheduler(trace.configuration)))
    assert steps[-1].crash is not None
    assert len(steps) - 2 == case["expect"]["crashAt"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda expect: expect["initial"].update(clock=1), "initial.clock"),
        (lambda expect: expect["steps"][2]["effects"].pop(), "steps[2].effects[1]"),
        (lambda expect: expect["steps"][2].update(active=[]), "steps[2].active"),
        (lambda expect: expect["steps"][2].update(ghostNodes=["n9"]), "steps[2].ghostNodes"),
        (lambda expect: expect["steps"][2]["cacheNodes"].pop("n1"), "steps[2].cacheNodes[n1]"),
    ],
)
def test_a_changed_record_is_noticed(change, where):
    case = by_id("public-e2e-0074")
    assert judge(case, Reference()) is None
    change(case["expect"])
    difference = judge(case, Reference())
    assert difference is not None
    assert difference.where == where


# --- failure --------------------------------------------------------------------------------------


def test_the_requeue_is_retried_with_growing_delays_while_the_api_fails():
    """[L-052]"""
    waiting = ours("p")
    scheduler, calls = told(Added(waiting), StartCycle(), FinishCycle(), GetPod=TIMEOUT)
    assert [call for call in calls if isinstance(call, WakeAt)] == [WakeAt(200)]
    for due, then in ((200, 600), (600, 1400)):
        _, calls = told(Tick(due - 1), Tick(due), scheduler=scheduler, GetPod=TIMEOUT)
        assert calls == [GetPod("default", "p"), WakeAt(then)]
    assert scheduler.observe().unschedulable == ()
    told(Tick(1400), scheduler=scheduler, GetPod=waiting)
    assert scheduler.observe().unschedulable == ("default/p",)


@pytest.mark.parametrize(
    ("answer", "queued"),
    [
        (ours("p"), True),
        (ours("p", on="n1"), False),
        (ApiError("NotFound", 'pods "p" not found'), False),
    ],
)
def test_what_is_requeued_is_what_the_api_answers(answer, queued):
    scheduler, _ = told(Added(ours("p")), StartCycle(), FinishCycle(), GetPod=answer)
    assert bool(scheduler.observe().unschedulable) == queued


@pytest.mark.parametrize(
    "other",
    [
        {"metadata": {"uid": "another"}},
        {"metadata": {"deletionTimestamp": "2019-12-01T00:00:30Z"}},
        {"spec": {"schedulerName": "another"}},
    ],
)
def test_requeued_though_it_is_another_pod_by_now(other):
    """[L-053]"""
    for engine, queued in ((Reference(), True), (Reference().without("L-053"), False)):
        scheduler = engine.scheduler(Configuration())
        told(Added(ours("p")), StartCycle(), FinishCycle(), scheduler=scheduler, GetPod=amended(ours("p"), other))
        assert bool(scheduler.observe().unschedulable) == queued


SAID = NotScheduled("Unschedulable", "no room")


def test_a_condition_is_written_once():
    """[L-055]"""
    first = with_condition(ours("p"), SAID, 1_700)
    assert first is not None
    (written,) = first.document["status"]["conditions"]
    assert written["lastTransitionTime"] == "2019-12-01T00:00:01Z"
    assert with_condition(first, SAID, 9_000) is None
    again = with_condition(first, NotScheduled("Unschedulable", "still no room"), 9_000)
    assert again is not None
    assert again.document["status"]["conditions"] == [{**written, "message": "still no room"}]
    bound = amended(
        ours("p"), {"status": {"conditions": [{"type": "PodScheduled", "status": "True"}, {"type": "Ready"}]}}
    )
    turned = with_condition(bound, SAID, 9_000)
    assert turned is not None
    assert [c.get("lastTransitionTime") for c in turned.document["status"]["conditions"]] == [
        "2019-12-01T00:00:09Z",
        None,
    ]
    timeless = amended(ours("p"), {"status": {"conditions": [{"type": "PodScheduled", "status": "False"}]}})
    assert with_condition(timeless, SAID, 9_000) is not None


def test_an_internal_error_is_called_unschedulable():
    """[L-054]"""
    for quirk, reason in ((None, "Unschedulable"), ("L-054", "SchedulerError")):
        step = world(ours("p"), quirk=quirk).step(ScheduleOne())
        assert step.effects[1]["condition"]["reason"] == reason


# --- updates of pods that are on their way --------------------------------------------------------


def test_a_pod_that_changes_after_its_assumption_is_tried_again():
    """[L-030, L-031, L-091]"""
    for quirk, active in ((None, ("default/p",)), ("L-031", ())):
        environment = world(node("n1"), ours("p"), quirk=quirk)
        environment.step(ScheduleOne(hold_bind=True))
        assert (
            environment.step(Patch("Pod", "default/p", {"metadata": {"annotations": {"a": "b"}}})).observation.active
            == ()
        )
        step = environment.step(Patch("Pod", "default/p", {"metadata": {"labels": {"a": "b"}}}))
        assert step.observation.active == active
        if active:
            event = environment.step(ScheduleOne()).effects[0]["event"]
            assert event["message"] == "AssumePod failed: pod uid-p is in the cache, so can't be assumed"


def test_room_given_back_by_a_refused_binding_wakes_nobody():
    """[L-059]"""
    for quirk, waiting in ((None, ("default/big",)), ("L-059", ())):
        settings = Settings(bind_failures=("default/p",))
        environment = world(
            node("n1", cpu="4"), ours("p", cpu="3"), ours("big", cpu="4"), quirk=quirk, settings=settings
        )
        environment.step(ScheduleOne(hold_bind=True))
        environment.step(ScheduleOne())
        environment.step(ReleaseBind())
        assert ("default/big" in environment.step(Advance(0)).observation.unschedulable) == bool(waiting)


def test_another_schedulers_pod_counts_but_does_not_queue():
    """[L-021, L-025]"""
    others = amended(pod("p"), {"spec": {"schedulerName": "another"}})
    scheduler, _ = told(Added(node("n1")), Added(others), Updated(others, pod("p", on="n1")))
    assert scheduler.observe().active == ()
    assert scheduler.observe().cache_nodes == {"n1": ("default/p",)}
    told(Deleted(pod("p", on="n1")), scheduler=scheduler)
    assert scheduler.observe().cache_nodes == {"n1": ()}


@pytest.mark.parametrize(
    ("change", "matters"),
    [
        ({"spec": {"unschedulable": True}}, False),
        ({"status": {"allocatable": {"cpu": "9"}}}, True),
        ({"metadata": {"labels": {"zone": "a"}}}, True),
        ({"metadata": {"annotations": {"zone": "a"}}}, False),
        ({"spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]}}, True),
        ({"status": {"conditions": [{"type": "Ready", "status": "False"}]}}, True),
        ({"status": {"images": [{"names": ["a"]}], "capacity": {"cpu": "9"}}}, False),
    ],
)
def test_which_changes_of_a_node_matter(change, matters):
    """[L-043]"""
    old = node("n1")
    assert scheduling_properties_changed(old, amended(old, change)) == matters
    assert scheduling_properties_changed(amended(old, {"spec": {"unschedulable": True}}), old)


# --- preemption -----------------------------------------------------------------------------------


FULL = (node("n1", cpu="4"), pod("a", cpu="2", on="n1"), pod("b", cpu="2", on="n1"))
URGENT = ours("urgent", cpu="4", priority=9)


def test_preemption_can_be_disabled():
    """[L-100]"""
    assert "nominate" in names(world(*FULL, URGENT).step(ScheduleOne()))
    assert names(world(*FULL, URGENT, disable_preemption=True).step(ScheduleOne())) == ["event", "condition"]


def test_a_refused_nomination_ends_the_preemption():
    """[L-110]"""
    statuses = [URGENT, ApiError("Conflict", "modified")]
    events = (*(Added(thing) for thing in (*FULL, URGENT)), StartCycle(), FinishCycle())
    scheduler, calls = told(*events, GetPod=URGENT, UpdatePodStatus=statuses)
    assert [type(call) for call in calls] == [
        TookPod,
        GetPod,
        RecordEvent,
        UpdatePodStatus,
        GetPod,
        UpdatePodStatus,
    ]
    assert scheduler.observe().nominated == {}


def test_a_victim_that_cannot_be_deleted_ends_the_preemption():
    """[L-110]"""
    for engine, deletions in ((Reference(), 1), (Reference().without("L-110"), 2)):
        scheduler = engine.scheduler(Configuration())
        events = (*(Added(thing) for thing in (*FULL, URGENT)), StartCycle(), FinishCycle())
        answers = {"GetPod": URGENT, "UpdatePodStatus": URGENT, "DeletePod": ApiError("NotFound", "gone")}
        _, calls = told(*events, scheduler=scheduler, **answers)
        assert sum(isinstance(call, DeletePod) for call in calls) == deletions
        assert not any(isinstance(call, RecordEvent) and call.reason == "Preempted" for call in calls)
        assert scheduler.observe().nominated == {"n1": ("default/urgent",)}


def test_a_preemptor_that_is_gone_preempts_nobody():
    environment = world(*FULL, URGENT)
    step = environment.step(ScheduleOne(during=(Delete("Pod", "default/urgent"),)))
    assert names(step) == ["event", "statusError"]


# --- binding --------------------------------------------------------------------------------------


BINDER = Extender(url_prefix="http://binder/", bind_verb="bind")


def test_an_extender_that_binds_is_asked_instead_of_the_api():
    """[L-099]"""
    asked = []

    def extender(request):
        asked.append(request)
        return {"error": ""}

    step = world(node("n1"), ours("p"), extender=extender, extenders=(BINDER,)).step(ScheduleOne())
    body = {"PodName": "p", "PodNamespace": "default", "PodUID": "uid-p", "Node": "n1"}
    assert asked == [AskExtender("http://binder", "bind", body)]
    assert names(step) == ["event"]
    assert step.observation.assumed == ("default/p",)


def test_an_extender_that_refuses_rejects_the_binding():
    step = world(node("n1"), ours("p"), extenders=(BINDER,)).step(ScheduleOne())
    assert step.effects[0]["event"]["message"] == "Binding rejected: Post http://binder/bind: connection refused"
    assert step.observation.unschedulable == ("default/p",)


def test_an_assumption_ends_30_s_after_the_binding_unless_the_informer_confirms_it():
    """[L-098]"""
    environment = world(node("n1"), ours("p"), extender=lambda _: {}, extenders=(BINDER,))
    environment.step(ScheduleOne())
    assert environment.step(Advance(29_999)).observation.assumed == ("default/p",)
    assert environment.step(Advance(1)).observation.assumed == ()


def test_a_created_node_wakes_the_unschedulable():
    """[L-034, Q-060]"""
    environment = world(ours("p"))
    environment.step(Drain(9))
    assert environment.step(Create(node("n1"))).observation.backoff == ("default/p",)
    assert environment.step(Advance(1_000)).observation.active == ("default/p",)
    assert names(environment.step(Drain(9))) == ["bind", "event"]


@pytest.mark.parametrize("kind", [PodDisruptionBudget, ReplicaSet, CSINode, PriorityClass])
def test_nothing_wakes_pods_when_a_kind_without_handler_changes(kind):
    """L-039, L-040"""
    thing = decode({"metadata": {"name": "x", "namespace": "default"}}, kind)
    scheduler, _ = told(Added(ours("p")), StartCycle(), FinishCycle())
    before = scheduler.observe()
    told(Added(thing), Deleted(thing), scheduler=scheduler)
    assert scheduler.observe() == before


@pytest.mark.parametrize(("quirk", "woken"), [(None, ()), ("L-036", ("default/p",))])
def test_a_node_that_goes_wakes_nobody(quirk, woken):
    """[L-036]"""
    environment = world(node("n1", cpu="1"), node("n2", cpu="1"), ours("p", cpu="2"), quirk=quirk)
    environment.step(Drain(9))
    assert environment.step(Delete("Node", "n2")).observation.backoff == woken


@pytest.mark.parametrize(("quirk", "held"), [(None, ("default/p",)), ("L-032", ())])
def test_a_pod_deleted_while_it_is_bound_keeps_its_room(quirk, held):
    """[L-032]"""
    environment = world(node("n1"), ours("p"), quirk=quirk)
    environment.step(ScheduleOne(hold_bind=True))
    assert environment.step(Delete("Pod", "default/p")).observation.cache_nodes["n1"] == held
    assert environment.step(ReleaseBind()).observation.cache_nodes["n1"] == ()


@pytest.mark.parametrize(("quirk", "held"), [(None, True), ("V-036", False)])
def test_what_was_assumed_for_a_pod_stays_assumed_when_it_fails(quirk, held):
    """[V-036]"""
    pod, binder = assumed_with_a_volume()
    quirks = EVERY if quirk is None else Without(frozenset({quirk}))
    volume = after_failure(binder, pod, quirks).volumes["pv"].latest
    assert (volume.spec.claim_ref is not None) == held


def assumed_with_a_volume():
    """A pod on n1 and the binder that has assumed `pv` for its claim."""
    subject, wanted, free = pod("p", claims=["c"], on="n1"), claim("c"), volume("pv")
    binder = put(put(Binder(), wanted), free)
    binder = record_decision(binder, subject, "n1", VolumeFit(bindings=((free, wanted),)))
    return subject, assume_pod_volumes(binder, subject)[0]
