"""The simulated world: API server, watches, clock, kubelet, PV controller, and the form of traces."""

import pytest

from model.api.cluster import Cluster
from model.api.decode import ManifestError, amended, decode
from model.api.objects import PersistentVolume, PersistentVolumeClaim, StorageClass
from model.api.protocol import (
    PENDING,
    Added,
    ApiError,
    Bind,
    BindAnswered,
    Crash,
    Deleted,
    DeletePod,
    FinishCycle,
    StartCycle,
    Tick,
    TookPod,
    Updated,
    UpdatePodStatus,
    UpdateVolume,
    WakeAt,
)
from oracle.environment import Environment, Settings
from oracle.environment.operations import (
    Advance,
    BindPod,
    Create,
    Delete,
    Drain,
    HoldWatch,
    KubeletSync,
    Patch,
    PvControllerSync,
    ReapTerminating,
    ReleaseBind,
    ReleaseWatch,
    Relist,
    ScheduleOne,
    Update,
)
from oracle.environment.wire import canonical, canonical_quantity
from oracle.trace import Trace, play, read_trace, write_trace
from tests.building import node, pod
from tests.samples import recorded
from tests.scripted import Script, world

# --- the API server -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("9000m", "9"),
        ("1500m", "1500m"),
        ("0.1", "100m"),
        ("12000", "12k"),
        ("1023", "1023"),
        ("1e3", "1e3"),
        ("0Mi", "0"),
        ("16384Mi", "16Gi"),
        ("0.5Gi", "512Mi"),
        ("1025Ki", "1025Ki"),
        ("0.5Ki", "512"),
    ],
)
def test_quantities_are_kept_in_canonical_spelling(written, kept):
    assert canonical_quantity(written) == kept


def test_what_go_omits_is_omitted_and_labels_stay():
    document = {"metadata": {"labels": {"a": ""}, "annotations": {}}, "spec": {"unschedulable": False, "priority": 0}}
    assert canonical(document) == {"metadata": {"labels": {"a": ""}}, "spec": {"priority": 0}}


def test_an_empty_selector_object_is_not_absent():
    assert canonical({"kind": "PodDisruptionBudget", "spec": {"selector": {}}})["spec"] == {"selector": {}}
    assert canonical({"kind": "Service", "spec": {"selector": {}, "ports": [{"port": 80}]}})["spec"].keys() == {"ports"}


def test_a_write_that_changes_nothing_is_none():
    environment, script = world(node("n1", cpu="4"))
    environment.step(Update(node("n1", cpu="4000m")))
    assert script.told == []
    environment.step(Update(node("n1", cpu="5")))
    assert [event.new.metadata.resource_version for event in script.told] == ["2"]


def test_an_update_keeps_status_node_and_deletion_it_does_not_mention():
    environment, script = world(pod("p", on="n1"))
    environment.step(Delete("Pod", "default/p", graceful=True))
    bare = decode(
        {"metadata": {"name": "p", "namespace": "default", "uid": "uid-p", "labels": {"new": "x"}}}, type(pod("p"))
    )
    environment.step(Update(bare))
    now = script.told[-1].new
    assert (now.spec.node_name, now.is_terminating, now.labels) == ("n1", True, {"new": "x"})
    assert now.status.start_time is not None


@pytest.mark.parametrize(
    ("operation", "error"),
    [
        (Create(pod("p")), "AlreadyExists"),
        (Update(pod("q")), "NotFound"),
        (Patch("Pod", "default/q", {}), "NotFound"),
        (Delete("Pod", "default/q"), "NotFound"),
        (BindPod("default/q", "n1"), "NotFound"),
        (BindPod("default/bound", "n1"), "AlreadyAssigned"),
        (BindPod("default/leaving", "n1"), "Terminating"),
        (BindPod("default/p", "nowhere"), None),
    ],
)
def test_refusals(operation, error):
    leaving = amended(pod("leaving"), {"metadata": {"deletionTimestamp": "2019-12-01T00:00:30Z"}})
    environment, script = world(pod("p"), pod("bound", on="n1"), leaving)
    assert environment.step(operation).error == error
    assert bool(script.told) == (error is None)


def test_a_patch_cannot_rename():
    environment, _ = world(pod("p"))
    with pytest.raises(ManifestError, match=r"Pod default/p: metadata\.name"):
        environment.step(Patch("Pod", "default/p", {"metadata": {"name": "q"}}))


def test_a_status_update_stores_the_status_only():
    sent = amended(pod("p"), {"spec": {"nodeName": "n1"}, "status": {"nominatedNodeName": "n2"}})
    environment, script = world(pod("p"), cycle=[TookPod(pod("p")), UpdatePodStatus(sent)])
    step = environment.step(ScheduleOne())
    assert step.effects == ({"nominate": {"pod": "default/p", "node": "n2"}},)
    (stored,) = script.answers[1:]
    assert (stored.spec.node_name, stored.status.nominated_node_name) == ("", "n2")


@pytest.mark.parametrize(("version", "reason"), [("1", None), ("0", "Conflict"), ("", None)])
def test_an_old_version_conflicts(version, reason):
    sent = amended(pod("p"), {"metadata": {"resourceVersion": version or None}, "status": {"phase": "Pending"}})
    environment, _ = world(pod("p"), cycle=[TookPod(pod("p")), UpdatePodStatus(sent)])
    effects = environment.step(ScheduleOne()).effects
    assert effects == (({"statusError": {"pod": "default/p", "reason": reason}},) if reason else ())


def test_a_computed_time_is_not_the_time_read_from_json():
    condition = {"type": "PodScheduled", "status": "False", "lastTransitionTime": "2019-12-01T00:00:00Z"}
    sent = amended(pod("p"), {"status": {"conditions": [condition]}})
    environment, script = world(pod("p"), cycle=[TookPod(pod("p")), UpdatePodStatus(sent)])
    environment.step(ScheduleOne())
    computed = script.told[-1].new
    environment.step(Patch("Pod", "default/p", {"metadata": {"annotations": {"a": "b"}}}))
    read = script.told[-1].new
    assert computed.status == read.status
    assert computed.document["status"] != read.document["status"]
    told = len(script.told)
    environment.step(Patch("Pod", "default/p", {"metadata": {"annotations": {"a": "b"}}}))
    assert len(script.told) == told


def test_bind_failures_come_first_and_are_used_up():
    bind = Bind(pod("p"), "n1", 1)
    settings = Settings(bind_failures=("default/p",))
    environment, script = world(pod("p"), settings=settings, cycle=[TookPod(pod("p")), bind, bind, bind])
    effects = environment.step(ScheduleOne()).effects
    assert [next(iter(effect)) for effect in effects] == ["bindError", "bind", "bindError"]
    assert [effect["bindError"]["reason"] for effect in effects[::2]] == ["injected", "AlreadyAssigned"]
    assert script.answers[1:3] == [ApiError("Internal", "Internal error occurred: injected bind failure"), None]
    assert script.told[-1].new.document["status"]["conditions"][0]["status"] == "True"


@pytest.mark.parametrize(("graceful", "left"), [(True, True), (False, False)])
def test_a_victim_lingers_only_if_victims_are_graceful(graceful, left):
    victim = pod("p", on="n1")
    calls = [TookPod(victim), DeletePod(victim), DeletePod(victim)]
    environment, script = world(victim, settings=Settings(graceful_victims=graceful), cycle=calls)
    effects = environment.step(ScheduleOne()).effects
    assert effects[0] == {"deleteVictim": "default/p"}
    assert ("deleteVictim" in effects[1]) == graceful
    assert [type(event) for event in script.told if not isinstance(event, StartCycle | FinishCycle)] == [
        Updated if left else Deleted
    ]
    assert environment.step(ReapTerminating()).error is None
    assert list(environment.store.all("Pod")) == []


def test_reaping_goes_by_creation_and_stops_at_max():
    leaving = {"metadata": {"deletionTimestamp": "2019-12-01T00:00:30Z"}}
    environment, script = world(*(amended(pod(name), leaving) for name in "bca"), pod("stays"))
    environment.step(ReapTerminating(2))
    assert [event.object.name for event in script.told] == ["b", "c"]


# --- watches --------------------------------------------------------------------------------------


def test_finished_pods_are_not_selected():
    environment, script = world(amended(pod("done"), {"status": {"phase": "Failed"}}), pod("p", labels={"v": "1"}))
    assert script.told == []
    environment.step(Patch("Pod", "default/p", {"metadata": {"labels": {"v": "2"}}, "status": {"phase": "Succeeded"}}))
    environment.step(Delete("Pod", "default/p"))
    environment.step(Patch("Pod", "default/done", {"status": {"phase": "Pending"}}))
    gone, back = script.told
    assert isinstance(gone, Deleted)
    assert gone.object.labels == {"v": "1"}
    assert isinstance(back, Added)
    assert back.object.name == "done"


def test_held_watches_wait_and_others_overtake():
    environment, script = world(node("n1"))
    environment.step(HoldWatch("Pod"))
    assert environment.step(Create(pod("p"))).undelivered == 1
    environment.step(Create(node("n2")))
    assert environment.step(Delete("Pod", "default/p")).undelivered == 2
    assert [event.object.name for event in script.told] == ["n2"]
    assert environment.step(ReleaseWatch("Pod")).undelivered == 0
    assert [type(event) for event in script.told[1:]] == [Added, Deleted]


def test_after_a_broken_watch_everything_comes_again_or_is_gone():
    environment, script = world(pod("a"), pod("b"), node("n1"))
    environment.step(HoldWatch("Pod"))
    environment.step(Delete("Pod", "default/a"))
    environment.step(Create(pod("c")))
    environment.step(Patch("Pod", "default/b", {"metadata": {"labels": {"v": "1"}}}))
    environment.step(Relist("Pod"))
    environment.step(ReleaseWatch("Pod"))
    gone, changed, new = script.told
    assert (gone, new) == (Deleted(gone.object), Added(new.object))
    assert (gone.object.name, changed.old.labels, changed.new.labels, new.object.name) == ("a", {}, {"v": "1"}, "c")
    script.told.clear()
    environment.step(Relist("Node"))
    (unchanged,) = script.told
    assert unchanged.old == unchanged.new


# --- time -----------------------------------------------------------------------------------------


def test_time_passes_second_by_second_and_stops_where_asked():
    environment, script = world(pod("p"), cycle=[TookPod(pod("p")), WakeAt(1300)])
    environment.step(Advance(300))
    environment.step(ScheduleOne())
    environment.step(Advance(1900))
    assert [event.ms for event in script.told if isinstance(event, Tick)] == [300, 1000, 1300, 2000, 2200]
    assert environment.clock == 2200


# --- the cycle ------------------------------------------------------------------------------------


def test_an_empty_queue_makes_an_empty_step_and_nothing_happens_meanwhile():
    environment, script = world(node("n1"))
    step = environment.step(ScheduleOne(during=(Delete("Node", "n1"),)))
    assert step.document() == {"clock": 0, "effects": [], "empty": True}
    assert environment.step(Drain(5)).document()["empty"] is True
    assert script.told == [StartCycle(), StartCycle()]


def test_the_cluster_changes_between_decision_and_deed():
    environment, script = world(node("n1"), pod("p"), cycle=[TookPod(pod("p"))])
    step = environment.step(ScheduleOne(during=(Delete("Node", "n1"), Delete("Node", "n1"))))
    assert step.during_errors == ("", "NotFound")
    assert [type(event) for event in script.told] == [StartCycle, Deleted, FinishCycle]


def test_nothing_happens_meanwhile_when_there_is_no_decision():
    leaving = amended(pod("p"), {"metadata": {"deletionTimestamp": "2019-12-01T00:00:30Z"}})
    environment, _ = world(node("n1"), leaving, cycle=[TookPod(leaving)])
    assert environment.step(ScheduleOne(during=(Delete("Node", "n1"),))).during_errors == ()


def test_held_binds_wait_for_their_release():
    first, second = Bind(pod("p"), "n1", 7), Bind(pod("q"), "n2", 8)
    environment, script = world(pod("p"), pod("q"), cycle=[TookPod(pod("p")), first, second])
    assert environment.step(ScheduleOne(hold_bind=True)).effects == ()
    assert script.answers[1:] == [PENDING, PENDING]
    step = environment.step(ReleaseBind("default/q"))
    assert (step.released, step.effects) == (1, ({"bind": {"pod": "default/q", "node": "n2"}},))
    assert BindAnswered(8, None) in script.told
    assert environment.step(ReleaseBind()).released == 1
    assert environment.step(ReleaseBind()).released == 0


def test_a_crash_is_the_last_step():
    script = Script({StartCycle: [TookPod(pod("p")), Crash("nil pointer")]})
    steps = list(play(Trace(cluster=Cluster.of([pod("p")]), events=(ScheduleOne(), Advance(1000))), script))
    assert [step.document() for step in steps[1:]] == [{"crash": "nil pointer", "effects": [], "popped": ["default/p"]}]


def test_a_call_that_is_none_is_an_error():
    environment, _ = world(cycle=["bind, please"])
    with pytest.raises(TypeError, match="not a call of the protocol"):
        environment.step(ScheduleOne())


# --- kubelet and PV controller --------------------------------------------------------------------


def test_the_kubelet_starts_bound_pods_by_itself_or_on_request():
    waiting, bound = pod("waiting", started=""), pod("bound", on="n1", started="")
    by_itself, _ = world(waiting, bound, settings=Settings(kubelet=True))
    on_request, script = world(waiting, bound)
    assert by_itself.store.get("Pod", "default/bound").status.phase == "Running"
    on_request.step(Advance(1500))
    on_request.step(KubeletSync())
    assert script.told[-1].new.document["status"] == {"phase": "Running", "startTime": "2019-12-01T00:00:01Z"}
    assert on_request.store.get("Pod", "default/waiting").status.phase == ""


def volume(name, size, ref=None, storage_class="fast"):
    spec = {"capacity": {"storage": size}, "storageClassName": storage_class, "claimRef": ref}
    return decode({"metadata": {"name": name}, "spec": spec}, PersistentVolume)


def claim(name, size="1Gi", storage_class="fast", **annotations):
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}", "annotations": annotations}
    spec = {"storageClassName": storage_class, "resources": {"requests": {"storage": size}}}
    return decode({"metadata": metadata, "spec": spec}, PersistentVolumeClaim)


def storage_class(name, provisioner="", waits=False):
    mode = "WaitForFirstConsumer" if waits else "Immediate"
    return decode({"metadata": {"name": name}, "provisioner": provisioner, "volumeBindingMode": mode}, StorageClass)


NODE_SELECTED = {"volume.kubernetes.io/selected-node": "n1"}


@pytest.mark.parametrize(
    ("things", "bound_to"),
    [
        ([volume("big", "3Gi"), volume("b", "2Gi"), volume("a", "2Gi"), volume("small", "1Mi")], "a"),
        ([volume("other", "2Gi", storage_class="slow")], ""),
        ([volume("v", "2Gi", ref={"namespace": "default", "name": "c"}), volume("a", "1Gi")], "v"),
        ([volume("v", "2Gi", ref={"namespace": "default", "name": "c", "uid": "another"})], ""),
        ([volume("a", "2Gi"), storage_class("fast", waits=True)], ""),
        ([storage_class("fast", provisioner="p")], "pvc-uid-c"),
        ([storage_class("fast", provisioner="kubernetes.io/no-provisioner")], ""),
        ([storage_class("fast", provisioner="p", waits=True)], ""),
        ([storage_class("fast", provisioner="p", waits=True), claim("c", **NODE_SELECTED)], "pvc-uid-c"),
    ],
)
def test_the_pv_controller_binds_claims(things, bound_to):
    claims = [] if any(isinstance(thing, PersistentVolumeClaim) for thing in things) else [claim("c")]
    environment, script = world(*things, *claims)
    environment.step(PvControllerSync())
    stored = environment.store.get("PersistentVolumeClaim", "default/c")
    assert stored.spec.volume_name == bound_to
    assert ("pv.kubernetes.io/bind-completed" in stored.annotations) == bool(bound_to)
    kinds = [(event.new if isinstance(event, Updated) else event.object).kind for event in script.told]
    assert kinds == (["PersistentVolume", "PersistentVolumeClaim"] if bound_to else [])
    if bound_to:
        found = environment.store.get("PersistentVolume", bound_to)
        assert (found.spec.claim_ref.uid, found.status.phase) == ("uid-c", "Bound")


def test_a_volume_update_keeps_the_stored_status():
    held = amended(volume("v", "1Gi"), {"status": {"phase": "Available"}})
    sent = amended(volume("v", "1Gi"), {"spec": {"claimRef": {"name": "c"}}, "status": {"phase": "Bound"}})
    environment, script = world(held, pod("p"), cycle=[TookPod(pod("p")), UpdateVolume(sent, claim("c"))])
    assert environment.step(ScheduleOne()).effects == ({"pvUpdate": {"pv": "v", "claim": "default/c"}},)
    assert script.answers[1].status.phase == "Available"


# --- traces ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", recorded("e2e")[::10])
def test_a_trace_is_read_and_written(case):
    trace = read_trace(case)
    assert read_trace(write_trace(trace)) == trace


def test_what_a_trace_leaves_out():
    trace = read_trace({})
    assert write_trace(trace) == {"kind": "e2e", "cluster": {}, "config": {}, "events": []}
    configuration = trace.configuration
    assert (configuration.percentage_of_nodes_to_score, configuration.bind_timeout_seconds) == (100, 100)


def test_a_policy_survives():
    config = {"predicates": ["HostName", {"name": "Zone", "argument": {"serviceAffinity": {"labels": ["zone"]}}}]}
    trace = read_trace({"config": {**config, "hardPodAffinitySymmetricWeight": 7}})
    assert [entry.name for entry in trace.configuration.predicates] == ["HostName", "Zone"]
    assert trace.configuration.hard_pod_affinity_weight == 7
    assert read_trace(write_trace(trace)) == trace


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "trace: expected an object"),
        ({"events": 3}, "events: expected a list"),
        ({"events": [3]}, r"events\[0\]: expected an object"),
        ({"events": [{"op": "zap"}]}, r"events\[0\].op: unknown operation 'zap'"),
        ({"events": [{"op": "drain", "max": 1}, {"op": "advance"}]}, r"events\[1\].ms: required, but missing"),
        ({"events": [{"op": "advance", "ms": "x"}]}, r"events\[0\].ms: expected an integer, got 'x'"),
        ({"events": [{"op": "delete", "kind": "Foo", "key": "x"}]}, r"events\[0\].kind: unknown kind 'Foo'"),
        ({"events": [{"op": "create", "kind": "Pod", "object": {"spec": 3}}]}, r"events\[0\].object: Pod .unnamed."),
        ({"events": [{"op": "create", "kind": "Pod"}]}, r"events\[0\].object: expected an object"),
        (
            {"events": [{"op": "scheduleOne", "during": [{"op": "bind", "key": "x"}]}]},
            r"events\[0\].during\[0\].node: required",
        ),
        ({"config": {"foo": 1}}, "config.foo: unknown"),
        ({"config": {"kubelet": 3}}, "config.kubelet: expected a boolean, got 3"),
        ({"config": 3}, "config: expected an object"),
        ({"cluster": {"pods": [{"metadata": {"name": "p"}, "spec": {"priority": "x"}}]}}, "Pod p: spec.priority"),
    ],
)
def test_a_malformed_trace_gives_one_clear_error(document, message):
    with pytest.raises(ManifestError, match=message):
        read_trace(document)


def test_a_cluster_with_duplicates_is_refused():
    with pytest.raises(ManifestError, match='cluster: pods "p" already exists'):
        Environment(Script(), Settings()).start(Cluster.of([pod("p"), pod("p")]))
