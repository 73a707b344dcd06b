"""The loop of the optimized scheduler: recorded runs, and an outside world that misbehaves."""

import pytest

from impl.engine import Optimized
from impl.scheduler import OptimizedScheduler
from model.api.configuration import Configuration
from model.api.decode import amended
from model.api.protocol import (
    PENDING,
    Added,
    ApiError,
    Bind,
    BindAnswered,
    DeletePod,
    FinishCycle,
    GetPod,
    RecordEvent,
    StartCycle,
    Tick,
    UpdatePodStatus,
    WakeAt,
)
from oracle.conform.e2e import judge
from tests.building import node, pod
from tests.samples import recorded


@pytest.mark.parametrize("case", recorded("e2e"))
def test_recorded_run(case):
    assert judge(case, Optimized()) is None


SERVER_TIMEOUT = ApiError("Timeout", "the server timed out")


class World:
    """A scheduler, and an API server of which a test says what it answers to a kind of request."""

    def __init__(self, *things, **settings):
        self.scheduler = OptimizedScheduler(Configuration(**settings))
        self.answers = {Bind: None, DeletePod: None}
        self.calls = []
        self.pods = {}
        for thing in things:
            self.add(thing)

    def call(self, request):
        self.calls.append(request)
        if type(request) in self.answers:
            return self.answers[type(request)]
        match request:
            case GetPod(_, name):
                return self.pods[name]
            case UpdatePodStatus(pod):
                return pod
        return None

    def add(self, thing):
        if thing.kind == "Pod":
            thing = amended(thing, {"spec": {"schedulerName": "default-scheduler"}})
            self.pods[thing.name] = thing
        self.scheduler.handle(Added(thing), self)

    def tell(self, *events):
        """The calls made on the way."""
        self.calls = []
        for event in events:
            self.scheduler.handle(event, self)
        return self.calls

    def cycle(self):
        return self.tell(StartCycle(), FinishCycle())

    def made(self, kind):
        return [call for call in self.calls if isinstance(call, kind)]

    @property
    def state(self):
        return self.scheduler.observe()


def test_a_failed_pod_is_read_again_after_growing_delays_until_the_server_answers():
    world = World(node("n1", cpu="1"), pod("p", cpu="2"))
    world.answers[GetPod] = SERVER_TIMEOUT
    world.cycle()
    assert world.made(WakeAt) == [WakeAt(200)]
    assert world.state.unschedulable == ()
    world.tell(Tick(200))
    assert world.made(WakeAt) == [WakeAt(600)]
    del world.answers[GetPod]
    world.tell(Tick(600))
    assert world.state.unschedulable == ("default/p",)
    assert not world.tell(Tick(1000))


def test_a_failed_pod_that_is_gone_or_bound_is_dropped():
    world = World(node("n1", cpu="1"), pod("p", cpu="2"), pod("q", cpu="2"))
    world.pods["q"] = pod("q", cpu="2", on="n1")
    world.answers[GetPod] = ApiError("NotFound", 'pods "p" not found')
    world.cycle()
    del world.answers[GetPod]
    world.cycle()
    assert world.state.unschedulable == world.state.active == world.state.backoff == ()


def test_answers_to_bind_requests_come_in_any_order():
    world = World(node("n1"), pod("p"), pod("q"))
    world.answers[Bind] = PENDING
    tickets = [world.cycle()[-1].ticket, world.cycle()[-1].ticket]
    assert world.state.pending_binds == ("default/p held", "default/q held")
    world.tell(BindAnswered(tickets[1], ApiError("Internal", "no luck")))
    assert [event.message for event in world.made(RecordEvent)] == ["Binding rejected: no luck"]
    assert world.state.assumed == ("default/p",)
    world.tell(BindAnswered(tickets[0], None))
    assert [event.message for event in world.made(RecordEvent)] == ["Successfully assigned default/p to n1"]
    assert world.state.pending_binds == ()
    with pytest.raises(ValueError, match="ticket"):
        world.tell(BindAnswered(tickets[0], None))


def test_a_pod_is_not_preempted_for_without_the_gate_or_when_disabled():
    def evictions(**settings):
        world = World(node("n1", cpu="2"), pod("low", cpu="2", on="n1"), pod("high", cpu="2", priority=5), **settings)
        world.cycle()
        return [call.pod.name for call in world.made(DeletePod)]

    assert evictions() == ["low"]
    assert evictions(disable_preemption=True) == []
    assert evictions(feature_gates={"PodPriority": False}) == []


def test_after_a_refused_eviction_the_nomination_stays_and_nothing_else_happens():
    world = World(
        node("n1", cpu="2"),
        pod("a", cpu="1", on="n1"),
        pod("b", cpu="1", on="n1", started="2019-12-01T00:00:01Z"),
        pod("high", cpu="2", priority=5),
    )
    world.answers[DeletePod] = SERVER_TIMEOUT
    world.cycle()
    assert [call.pod.name for call in world.made(DeletePod)] == ["a"]
    assert world.state.nominated == {"n1": ("default/high",)}


def test_an_assumption_ends_30_seconds_after_the_bind_request():
    world = World(node("n1"), pod("p"))
    world.cycle()
    world.tell(Tick(29_000))
    assert world.state.assumed == ("default/p",)
    world.tell(Tick(30_000))
    assert world.state.assumed == ()
    assert world.state.cache_nodes == {"n1": ()}
