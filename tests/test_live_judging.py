"""What a scheduler does to a served cluster gets the verdict it deserves."""

from typing import Any

import pytest

from model.api.decode import decode_any, encode
from oracle.judgement.judged import Outcome
from oracle.levels import Level
from oracle.live.binding_volumes import binding_volumes
from oracle.live.refusals import Refused
from oracle.live.world import World
from tests.building import apart, node, pod
from tests.served import PODS, ask, bind, decisions, delete, nominate, refuse, set_status, waiting

FAILED, PASSED, UNCERTAIN = Outcome.FAILED, Outcome.PASSED, Outcome.UNCERTAIN


def world_of(*things: object) -> World:
    world = World()
    for thing in things:
        world.create(thing)  # type: ignore[arg-type]
    return world


def verdicts(world: World, level: Level = Level.EXACT) -> list[tuple[str, Outcome, str]]:
    """Claim, outcome, and the sort of what is wrong."""
    return [(d.claim, d.outcome, d.wrong.tag if d.wrong else "") for d in decisions(world, level)]


# --- bindings -------------------------------------------------------------------------------------


def test_a_host_among_the_best_is_right() -> None:
    world = world_of(node("n1"), node("n2"), pod("old", cpu="5", on="n1"), waiting("p", cpu="1"))
    bind(world, "p", "n2")
    assert verdicts(world) == [("host", PASSED, "")]


def test_a_host_that_is_not_the_best_is_wrong_for_those_only_who_rank() -> None:
    world = world_of(node("n1"), node("n2"), pod("old", cpu="5", on="n1"), waiting("p", cpu="1"))
    bind(world, "p", "n1")
    assert verdicts(world, Level.FEASIBLE) == [("host", PASSED, "")]
    assert verdicts(world, Level.RANKED) == [("host", FAILED, "score")]


def test_a_host_without_room_is_wrong_at_every_level() -> None:
    world = world_of(node("n1", cpu="2"), pod("old", cpu="2", on="n1"), waiting("p", cpu="1"))
    bind(world, "p", "n1")
    assert verdicts(world, Level.FEASIBLE) == [("host", FAILED, "GeneralPredicates")]


def test_room_that_somebody_took_a_moment_ago_may_still_look_free() -> None:
    """The scheduler may not have seen the newest change; what it decides must be right in the old state then."""
    world = world_of(node("n1", cpu="2"), waiting("p", cpu="2"), waiting("q", cpu="2"))
    rest = world.revision
    with world.writing() as server:
        server.bind("default/q", "n1")
    bind(world, "p", "n1")
    assert [d.outcome for d in decisions(world, rests=(rest,))] == [PASSED]
    assert [d.outcome for d in decisions(world, rests=(rest, world.deeds[0].at))] == [FAILED]


def test_own_bindings_count_from_the_moment_of_the_decision() -> None:
    """The second pod was placed first, but its binding came later."""
    world = world_of(node("n1", cpu="4"), node("n2", cpu="4"), waiting("p", cpu="1"), waiting("q", cpu="1"))
    bind(world, "p", "n2")
    bind(world, "q", "n1")
    assert verdicts(world) == [("host", PASSED, ""), ("host", PASSED, "")]


def test_the_scheduler_may_remember_who_left() -> None:
    """One of two pods with the same host port went, and the port with it.  [E-066]"""
    asks: Any = {"containers": [{"name": "c", "ports": [{"hostPort": 80, "containerPort": 80, "protocol": "TCP"}]}]}
    world = world_of(node("n1"), pod("a", on="n1", **asks), pod("b", on="n1", **asks), waiting("p", **asks))
    world.delete_pod("default/a", graceful=False)
    bind(world, "p", "n1")
    assert verdicts(world) == [("host", PASSED, "")]


def test_two_pods_cannot_both_have_the_last_room() -> None:
    world = world_of(node("n1", cpu="1"), waiting("p", cpu="1"), waiting("q", cpu="1"))
    bind(world, "p", "n1")
    bind(world, "q", "n1")
    assert verdicts(world, Level.FEASIBLE) == [("host", PASSED, ""), ("host", FAILED, "GeneralPredicates")]


def test_a_pod_bound_twice() -> None:
    world = world_of(node("n1"), node("n2"), waiting("p"))
    bind(world, "p", "n1")
    with pytest.raises(Refused, match="already assigned"):
        bind(world, "p", "n2")
    assert verdicts(world) == [("host", PASSED, ""), ("host", FAILED, "again")]


def test_a_pod_that_somebody_else_bound_meanwhile_is_nobodys_fault() -> None:
    world = world_of(node("n1"), node("n2"), waiting("p"))
    rest = world.revision
    with world.writing() as server:
        server.bind("default/p", "n1")
    with pytest.raises(Refused):
        bind(world, "p", "n2")
    assert [d.outcome for d in decisions(world, rests=(rest,))] == [PASSED]
    assert [d.outcome for d in decisions(world, rests=(rest, world.revision))] == [FAILED]


def test_a_pod_that_never_was_and_one_that_left() -> None:
    world = world_of(node("n1"), waiting("p"))
    rest = world.revision
    world.delete_pod("default/p", graceful=False)
    for name in ("p", "ghost"):
        with pytest.raises(Refused, match="not found"):
            bind(world, name, "n1")
    assert [d.outcome for d in decisions(world, rests=(rest,))] == [PASSED, FAILED]


def test_a_pod_under_the_name_of_another() -> None:
    world = world_of(node("n1"), waiting("p"))
    with pytest.raises(Refused, match="uid"):
        bind(world, "p", "n1", uid="of-the-one-before")
    assert verdicts(world) == [("host", PASSED, "")]


def test_a_node_that_never_was() -> None:
    world = world_of(node("n1"), waiting("p"))
    bind(world, "p", "nowhere")
    assert verdicts(world, Level.FEASIBLE) == [("host", FAILED, "unknown-node")]


def test_a_pod_that_has_its_place_cannot_be_refused() -> None:
    world = world_of(node("n1"), waiting("p"))
    bind(world, "p", "n1")
    rest = world.revision
    refuse(world, "p", "0/1 nodes are available: 1 Insufficient cpu.")
    placed, refused = decisions(world, rests=(0, rest))
    assert placed.outcome is PASSED
    assert refused.wrong is not None
    assert refused.wrong.tag == "not-waiting"


def test_the_order_of_arrival_need_not_be_that_of_decision() -> None:
    """The second is right only for a scheduler that had decided about the first one already, and the reverse."""
    world = world_of(node("n1", cpu="4"), node("n2", cpu="4"), waiting("big", cpu="3"), waiting("small", cpu="1"))
    bind(world, "small", "n2")
    bind(world, "big", "n1")
    assert verdicts(world, Level.RANKED) == [("host", PASSED, ""), ("host", PASSED, "")]
    other = world_of(node("n1", cpu="4"), node("n2", cpu="2"), waiting("a", cpu="1"), waiting("b", cpu="4"))
    refuse(other, "b", "0/2 nodes are available: 2 Insufficient cpu.")
    bind(other, "a", "n1")
    assert verdicts(other, Level.FEASIBLE) == [("refusal", PASSED, ""), ("host", PASSED, "")]


def test_a_burst_may_arrive_backwards() -> None:
    nodes = [node(name, cpu="4") for name in ("n1", "n2", "n3")]
    world = world_of(*nodes, *(waiting(f"p{at}", cpu="1") for at in range(1, 6)))
    for name, host in (("p5", "n2"), ("p4", "n1"), ("p3", "n3"), ("p2", "n2"), ("p1", "n1")):
        bind(world, name, host)
    assert {outcome for _, outcome, _ in verdicts(world, Level.RANKED)} == {PASSED}
    crowded = world_of(*nodes, *(waiting(f"p{at}", cpu="1") for at in range(1, 4)))
    for name in ("p3", "p2", "p1"):
        bind(crowded, name, "n1")
    assert FAILED in {outcome for _, outcome, _ in verdicts(crowded, Level.RANKED)}


# --- refusals -------------------------------------------------------------------------------------


def test_a_refusal_with_the_words_of_kube_scheduler() -> None:
    world = world_of(node("n1", cpu="1"), waiting("p", cpu="2"))
    refuse(world, "p", "0/1 nodes are available: 1 Insufficient cpu.")
    assert verdicts(world) == [("refusal", PASSED, "")]


def test_a_refusal_in_other_words_is_wrong_only_for_those_who_are_exact() -> None:
    world = world_of(node("n1", cpu="1"), waiting("p", cpu="2"))
    refuse(world, "p", "no room")
    assert verdicts(world, Level.RANKED) == [("refusal", PASSED, "")]
    assert verdicts(world, Level.EXACT) == [("refusal", FAILED, "message")]


def test_several_errors_are_told_in_any_order() -> None:
    """By kube-scheduler, in fact: its nodes are looked at side by side."""
    broken = {"topologyKey": "rack", "labelSelector": {"matchExpressions": [{"key": "app", "operator": "Near"}]}}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [broken]}}
    world = world_of(node("n1"), node("n2"), pod("other", on="n1"), waiting("p", affinity=affinity))
    cause = '"Near" is not a valid pod selector operator'
    told = [f"Cannot schedule pod default/p onto node {name}, because of PodAffinity: {cause}" for name in ("n2", "n1")]
    refuse(world, "p", f"[{', '.join(told)}]")
    assert verdicts(world) == [("refusal", PASSED, "")]
    refuse(world, "p", f"[{told[0]}, {told[0]}]")
    assert verdicts(world)[1:] == [("refusal", FAILED, "message")]


def test_a_refusal_of_a_pod_that_fits() -> None:
    world = world_of(node("n1"), waiting("p", cpu="2"))
    refuse(world, "p", "0/1 nodes are available: 1 Insufficient cpu.")
    assert verdicts(world, Level.FEASIBLE) == [("refusal", FAILED, "overlooked")]


@pytest.mark.parametrize(("seconds", "outcome"), [(0.9, UNCERTAIN), (1.1, FAILED)])
def test_room_may_be_kept_for_a_pod_that_was_queued_again_while_it_was_bound(
    monkeypatch: pytest.MonkeyPatch, seconds: float, outcome: Outcome
) -> None:
    """What v1.15 reads after a failed attempt may reach its queue when the next attempt has bound the pod."""
    now = [0.0]
    monkeypatch.setattr("oracle.live.world.monotonic", lambda: now[0])
    world = world_of(node("n1", cpu="2"), waiting("p", cpu="1"), waiting("q", cpu="1"))
    nominate(world, "p", "n1")
    ask(world, "GET", f"{PODS}/p")
    now[0] += seconds
    bind(world, "p", "n1")
    refuse(world, "q", "0/1 nodes are available: 1 Insufficient cpu.")
    assert decisions(world)[-1].outcome is outcome


def test_a_node_that_goes_in_the_middle_of_an_attempt_may_be_counted_and_not_looked_at() -> None:
    """[A-002]"""
    world = world_of(node("n1", cpu="1"), node("n2", cpu="1"), waiting("p", cpu="2"))
    rest = world.revision
    with world.writing() as server:
        server.delete("Node", "n2")
    refuse(world, "p", "0/2 nodes are available: 1 Insufficient cpu.")
    assert [d.outcome for d in decisions(world, rests=(rest,))] == [PASSED]
    refuse(world, "p", "0/3 nodes are available: 1 Insufficient cpu.")
    assert decisions(world, rests=(rest,))[-1].outcome is FAILED


def test_a_claim_may_have_come_without_the_binder_having_heard() -> None:
    """[V-051]"""
    world = world_of(node("n1"))
    rest = world.revision
    world.create(decode_any({"kind": "PersistentVolumeClaim", "metadata": {"name": "c", "namespace": "default"}}))
    world.create(waiting("p", claims=["c"]))
    missing = 'v1.PersistentVolumeClaim "default/c"'
    refuse(world, "p", f'error getting PVC "default/c": could not find {missing}')
    assert [d.outcome for d in decisions(world, rests=(rest,))] == [PASSED]
    assert [d.outcome for d in decisions(world, rests=(world.revision - 1,))] == [FAILED]


@pytest.mark.parametrize("refused", [True, False])
def test_a_node_that_went_may_still_be_in_the_snapshot(refused: bool) -> None:
    """There is a pod on it whose anti-affinity nobody can read: each pod's own is judged by looking nodes up then.

    [C-043, P-098]
    """
    broken = {"topologyKey": "rack", "labelSelector": {"matchExpressions": [{"key": "app", "operator": "Near"}]}}
    unreadable = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [broken]}}
    stays = pod("stays", on="n1", labels={"app": "a"}, affinity=unreadable)
    world = world_of(node("n1"), node("n2"), stays, waiting("p", affinity=apart(("kubernetes.io/hostname", "a"))))
    with world.writing() as server:
        server.delete("Node", "n1")
    rest = world.revision
    if refused:
        specific = "1 node(s) didn't match pod affinity/anti-affinity, 1 node(s) didn't match pod anti-affinity rules"
        refuse(world, "p", f"0/1 nodes are available: {specific}.")
    else:
        bind(world, "p", "n2")
    assert [d.outcome for d in decisions(world, rests=(rest,))] == [PASSED]


def test_after_a_change_of_nodes_in_several_zones_one_may_have_been_overlooked() -> None:
    """[A-014]"""
    zone = "failure-domain.beta.kubernetes.io/zone"
    world = world_of(node("n1", labels={zone: "a"}, cpu="1"), waiting("p", cpu="2"))
    rest = world.revision
    world.create(node("n2", labels={zone: "b"}, cpu="4"))
    later = world.revision
    refuse(world, "p", "0/2 nodes are available: 1 Insufficient cpu.")
    assert [d.outcome for d in decisions(world, rests=(0, rest, later))] == [UNCERTAIN]


# --- preemption -----------------------------------------------------------------------------------

SMALL = "0/2 nodes are available: 2 Insufficient cpu."


def full() -> World:
    """Two nodes; on n1 the less important pod."""
    low, high = pod("low", cpu="2", priority=1, on="n1"), pod("high", cpu="2", priority=5, on="n2")
    return world_of(node("n1", cpu="2"), node("n2", cpu="2"), low, high, waiting("p", cpu="2", priority=10))


@pytest.mark.parametrize("order", ["nominate first", "delete first"])
def test_preemption_of_the_least_important(order: str) -> None:
    world = full()
    refuse(world, "p", SMALL)
    if order == "nominate first":
        nominate(world, "p", "n1")
    delete(world, "low")
    if order == "delete first":
        nominate(world, "p", "n1")
    assert verdicts(world) == [("refusal", PASSED, ""), ("room", PASSED, "")]


def test_preemption_on_another_node_than_the_best() -> None:
    world = full()
    refuse(world, "p", SMALL)
    nominate(world, "p", "n2")
    delete(world, "high")
    assert verdicts(world, Level.FEASIBLE) == [("refusal", PASSED, ""), ("room", PASSED, "")]
    assert verdicts(world, Level.RANKED)[1] == ("room", FAILED, "not-best")


def test_a_victim_that_is_no_less_important() -> None:
    world = full()
    world.create(pod("equal", cpu="0", priority=10, on="n1"))
    refuse(world, "p", SMALL)
    nominate(world, "p", "n1")
    delete(world, "low")
    delete(world, "equal")
    assert verdicts(world, Level.FEASIBLE)[-1] == ("deletion", FAILED, "no-victim")


def test_deleting_too_few_and_too_many() -> None:
    few = full()
    nominate(few, "p", "n1")
    assert verdicts(few, Level.RANKED) == [("room", FAILED, "victims")]
    many = full()
    many.create(pod("idle", cpu="0", priority=1, on="n1"))
    nominate(many, "p", "n1")
    delete(many, "low")
    delete(many, "idle")
    assert verdicts(many, Level.FEASIBLE) == [("room", FAILED, "excessive")]


def test_deleting_without_a_reason() -> None:
    world = full()
    delete(world, "low")
    with pytest.raises(Refused):
        delete(world, "ghost")
    assert verdicts(world) == [("deletion", FAILED, "no-victim"), ("deletion", FAILED, "unknown-pod")]


def test_room_that_could_be_made_and_is_not() -> None:
    world = full()
    refuse(world, "p", SMALL)
    assert verdicts(world, Level.FEASIBLE) == [("refusal", PASSED, "")]
    assert verdicts(world, Level.RANKED) == [("refusal", FAILED, "not-made")]


def test_victims_linger_when_they_are_deleted_gracefully() -> None:
    world = full()
    world.graceful = True
    delete(world, "low")
    lingering = next(pod for pod in world.pods() if pod.name == "low")
    assert lingering.is_terminating
    assert world.is_lingering


# --- what the record keeps ------------------------------------------------------------------------


def test_a_status_of_an_old_version_is_refused_and_on_record() -> None:
    world = world_of(node("n1"), waiting("p"))
    stale = encode(next(iter(world.pods())))
    set_status(world, "p", {"message": "changed"})
    with pytest.raises(Refused, match="modified"):
        ask(world, "PUT", f"{PODS}/p/status", stale)
    assert [deed.error is None for deed in world.deeds] == [True, False]


def test_a_pod_is_under_way_from_the_first_word_about_its_volumes_until_it_is_bound() -> None:
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"namespace": "default", "name": "c"}, "spec": {}}
    volume = {"kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": {}}
    uses: Any = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "c"}}]}
    world = world_of(node("n1"), decode_any(claim), decode_any(volume), waiting("p", **uses), waiting("q"))
    assert binding_volumes(world.pods(), world.deeds) == set()
    spec = {"claimRef": {"namespace": "default", "name": "c"}}
    ask(world, "PUT", "/api/v1/persistentvolumes/v", {**volume, "spec": spec})
    assert binding_volumes(world.pods(), world.deeds) == {"default/p"}
    bind(world, "q", "n1")
    assert binding_volumes(world.pods(), world.deeds) == {"default/p"}
    bind(world, "p", "n1")
    assert binding_volumes(world.pods(), world.deeds) == set()
