"""Volume binding, statement by statement: finding, assuming, having it bound."""

from collections.abc import Callable, Generator
from typing import Any

import pytest
from attrs import evolve

from model.api.decode import amended
from model.api.objects import KubernetesObject, Node, PersistentVolume, PersistentVolumeClaim
from model.api.protocol import ApiError, UpdateClaim, UpdateVolume
from model.fit import PredicateError
from model.quirks import EVERY, Quirks, Without
from model.volumes import assume_cache
from model.volumes.assume_cache import AssumeError
from model.volumes.bind import bind_api_update, check_bindings
from model.volumes.binder import (
    Binder,
    Decision,
    VolumeError,
    assume_pod_volumes,
    bound_to,
    decision_of,
    delete_decisions,
    drop,
    put,
    record_decision,
)
from model.volumes.find import VolumeFit, find_pod_volumes
from model.world import World
from tests.attempts import attempt, bound_claim, claim, mounts, node, pod, reasons, storage_class, volume

HERE = node("n1", {"host": "n1"})
UNBOUND_IMMEDIATE = "pod has unbound immediate PersistentVolumeClaims"
PROVISIONER = {"provisioner": "example.com/disks"}


def world(*objects: KubernetesObject) -> World:
    return attempt(pod(), *objects).world


def found(*objects: KubernetesObject, on: Node = HERE, quirks: Quirks = EVERY) -> VolumeFit:
    """For a pod that mounts all the claims, in order."""
    names = [thing.name for thing in objects if isinstance(thing, PersistentVolumeClaim)]
    return find_pod_volumes(pod(volumes=mounts(*names)), on, world(on, *objects), quirks)


def pairs(fit: VolumeFit) -> list[tuple[str, str]]:
    return [(volume.name, claim.name) for volume, claim in fit.bindings]


def provisioned(fit: VolumeFit) -> list[str]:
    return [claim.name for claim in fit.provisionings]


# --- the claims of a pod  [V-015..V-017, V-020] -----------------------------------------------------


def test_a_claim_that_is_mounted_twice_is_looked_for_twice() -> None:
    """V-017"""
    twice = pod(volumes=mounts("c", "c"))
    here = world(HERE, storage_class("local"), claim("c"), volume("pv"))
    assert not find_pod_volumes(twice, HERE, here).unbound_ok
    assert find_pod_volumes(twice, HERE, here, Without(frozenset({"V-017"}))).unbound_ok


def test_a_missing_claim_is_an_error() -> None:
    fit = find_pod_volumes(pod(volumes=mounts("c")), HERE, world(HERE))
    assert fit.error == 'error getting PVC "default/c": could not find v1.PersistentVolumeClaim "default/c"'


@pytest.mark.parametrize(
    "objects",
    [
        (storage_class("local", "Immediate"), claim("c")),
        (claim("c"),),
        (storage_class("local"), claim("c", storageClassName=None)),
        (storage_class("local"), claim("c", volumeName="pv"), volume("pv")),
        (storage_class("local"), claim("c", annotations={"volume.beta.kubernetes.io/storage-class": ""})),
    ],
    ids=["immediate class", "unknown class", "no class", "named volume but incomplete", "annotation says none"],
)
def test_an_unbound_claim_that_does_not_wait_is_an_error(objects: tuple[KubernetesObject, ...]) -> None:
    assert found(*objects).error == UNBOUND_IMMEDIATE


def test_a_class_must_say_when_it_binds() -> None:
    fit = found(storage_class("local", None), claim("c"))
    assert fit.error == 'VolumeBindingMode not set for StorageClass "local"'


def test_a_completed_claim_is_bound_whatever_its_phase_or_class() -> None:
    assert found(bound_claim("c", "pv"), volume("pv", phase="Released")) == VolumeFit()


# --- bound claims  [V-021, V-025, V-028] ------------------------------------------------------------


def test_the_volume_of_a_bound_claim_must_be_known_and_reach_the_node() -> None:
    assert found(bound_claim("c", "pv")).error == 'could not find v1.PersistentVolume "pv"'
    assert found(bound_claim("c", "pv"), volume("pv", only_on="n1")).bound_ok
    assert not found(bound_claim("c", "pv"), volume("pv", only_on="n2")).bound_ok


def test_an_affinity_without_terms_reaches_no_node() -> None:
    nowhere = volume("pv", nodeAffinity={"required": {"nodeSelectorTerms": []}})
    everywhere = volume("pv", nodeAffinity={})
    assert not found(bound_claim("c", "pv"), nowhere).bound_ok
    assert found(bound_claim("c", "pv"), everywhere).bound_ok


def test_the_first_volume_out_of_reach_ends_the_check() -> None:
    objects = (bound_claim("c", "pv"), bound_claim("lost", "gone"), volume("pv", only_on="n2"))
    assert found(*objects).error is None
    assert not found(*objects).bound_ok


def test_both_reasons_in_order() -> None:
    objects = (storage_class("local"), bound_claim("b", "pv"), volume("pv", only_on="n2"), claim("c"), HERE)
    tried = attempt(pod(volumes=mounts("b", "c")), *objects)
    assert reasons(tried, "CheckVolumeBinding", "n1") == (
        "node(s) had volume node affinity conflict",
        "node(s) didn't find available persistent volumes to bind",
    )


def test_an_error_of_finding_is_the_predicates() -> None:
    tried = attempt(pod(volumes=mounts("c")), claim("c"), HERE)
    with pytest.raises(PredicateError, match=UNBOUND_IMMEDIATE):
        reasons(tried, "CheckVolumeBinding", "n1")


# --- matching  [V-022..V-024, V-029] ----------------------------------------------------------------

WAITING = storage_class("local")


def test_the_smallest_sufficient_volume_is_chosen() -> None:
    volumes = [volume("a", "3Gi"), volume("b", "2Gi"), volume("c", "512Mi"), volume("d", "1Gi", only_on="n2")]
    assert pairs(found(WAITING, claim("c", "1Gi"), *volumes)) == [("b", "c")]


def test_of_equal_volumes_the_first_by_name_is_chosen() -> None:
    assert pairs(found(WAITING, claim("c"), volume("z"), volume("a"))) == [("a", "c")]


def test_smaller_claims_choose_first_and_nothing_is_reconsidered() -> None:
    fit = found(WAITING, claim("big", "2Gi"), claim("small", "1Gi"), volume("a", "2Gi"), volume("b", "3Gi"))
    assert pairs(fit) == [("a", "small"), ("b", "big")]


@pytest.mark.parametrize(
    "unfit",
    [
        volume("pv", phase="Released"),
        volume("pv", claimRef={"namespace": "default", "name": "other"}),
        volume("pv", "1Mi"),
        volume("pv", only_on="n2"),
        volume("pv", volumeMode="Block"),
        volume("pv", storageClassName="other"),
        volume("pv", metadata={"deletionTimestamp": "2019-12-01T00:00:00Z"}),
        volume("pv", metadata={"annotations": {"volume.beta.kubernetes.io/storage-class": "other"}}),
        volume("pv", accessModes=["ReadOnlyMany"]),
        volume("pv", metadata={"labels": {"disk": "hdd"}}),
    ],
    ids=["phase", "claimed", "size", "reach", "mode", "class", "terminating", "annotated class", "access", "labels"],
)
def test_what_a_volume_must_satisfy(unfit: PersistentVolume) -> None:
    modes: dict[str, Any] = {"accessModes": ["ReadWriteOnce"], "selector": {"matchLabels": {"disk": "ssd"}}}
    good = volume("pv", accessModes=["ReadWriteOnce", "ReadOnlyMany"], metadata={"labels": {"disk": "ssd"}})
    missing = {k: v for k, v in good.document["spec"].items() if k not in unfit.document["spec"]}
    labelled = unfit if unfit.labels else amended(unfit, {"metadata": {"labels": {"disk": "ssd"}}})
    assert pairs(found(WAITING, claim("c", **modes), good)) == [("pv", "c")]
    fit = found(WAITING, claim("c", **modes), amended(labelled, {"spec": missing}))
    assert (pairs(fit), fit.unbound_ok) == ([], False)


def test_a_volume_bound_in_advance_is_taken_whatever_its_phase() -> None:
    mine = {"namespace": "default", "name": "c"}
    prebound = volume("pv", "9Gi", phase="Released", claimRef=mine)
    assert pairs(found(WAITING, claim("c"), prebound, volume("a-free-one"))) == [("pv", "c")]
    assert pairs(found(WAITING, claim("c"), prebound)) == [("pv", "c")]
    assert pairs(found(WAITING, claim("c"), volume("pv", claimRef={**mine, "uid": "uid-c"}))) == [("pv", "c")]
    assert pairs(found(WAITING, claim("c"), volume("pv", claimRef={**mine, "uid": "of another life"}))) == []


def test_a_volume_bound_in_advance_but_out_of_reach_leaves_no_match() -> None:
    mine = {"namespace": "default", "name": "c"}
    away = volume("pv", only_on="n2", claimRef=mine)
    assert pairs(found(WAITING, claim("c"), away, volume("zz"))) == []
    too_small = volume("pv", "1Mi", only_on="n2", claimRef=mine)
    assert pairs(found(WAITING, claim("c"), too_small, volume("zz"))) == [("zz", "c")]


def test_volumes_are_listed_by_the_class_in_their_spec() -> None:
    annotated = claim("c", annotations={"volume.beta.kubernetes.io/storage-class": "local"}, storageClassName=None)
    assert pairs(found(WAITING, annotated, volume("pv"))) == []
    assert pairs(found(WAITING, annotated, volume("pv"), quirks=Without(frozenset({"V-029"})))) == [("pv", "c")]


def test_a_selector_that_cannot_be_built_is_an_error() -> None:
    selector = {"matchExpressions": [{"key": "a", "operator": "Foo"}]}
    fit = found(WAITING, claim("c", selector=selector), volume("pv"))
    assert fit.error == (
        'error creating internal label selector for claim: default/c: "Foo" is not a valid pod selector operator'
    )


# --- provisioning  [V-020.4, V-026, V-027] ----------------------------------------------------------


def test_what_matches_nothing_is_provisioned() -> None:
    fit = found(storage_class("local", **PROVISIONER), claim("a", "1Gi"), claim("b", "9Gi"), volume("pv"))
    assert (fit.unbound_ok, pairs(fit), provisioned(fit)) == (True, [("pv", "a")], ["b"])


@pytest.mark.parametrize("provisioner", ["", "kubernetes.io/no-provisioner"])
def test_a_class_without_provisioner_keeps_what_was_matched(provisioner: str) -> None:
    fit = found(storage_class("local", provisioner=provisioner), claim("a", "1Gi"), claim("b", "9Gi"), volume("pv"))
    assert (fit.unbound_ok, pairs(fit), provisioned(fit)) == (False, [("pv", "a")], [])


def test_allowed_topologies_must_include_the_node() -> None:
    def topology(*hosts: str) -> list[Any]:
        return [{"matchLabelExpressions": [{"key": "host", "values": list(hosts)}]}]

    there = storage_class("local", allowedTopologies=topology("n1", "n3"), **PROVISIONER)
    away = storage_class("local", allowedTopologies=topology("n2"), **PROVISIONER)
    assert provisioned(found(there, claim("c"))) == ["c"]
    assert not found(away, claim("c")).unbound_ok


def test_a_selected_node_is_kept_to() -> None:
    selected = claim("c", annotations={"volume.kubernetes.io/selected-node": "n1"})
    dynamic = storage_class("local", **PROVISIONER)
    fit = found(dynamic, selected, volume("pv"))
    assert (pairs(fit), provisioned(fit)) == ([], ["c"])
    fit = found(dynamic, selected, on=node("n2", {"host": "n2"}))
    assert fit == VolumeFit(unbound_ok=False)


# --- the assume cache  [V-002..V-007] ---------------------------------------------------------------


def version(thing: PersistentVolume, number: str) -> PersistentVolume:
    return amended(thing, {"metadata": {"resourceVersion": number}})


def test_only_a_newer_object_overrides_an_assumption() -> None:
    old = volume("pv")
    assumed = amended(old, {"metadata": {"annotations": {"mark": "yes"}}})
    cache = assume_cache.assume(assume_cache.put({}, old), assumed)
    assert cache["pv"] == assume_cache.Entry(old, assumed)
    for ignored in ("6", "7", "not a number"):
        assert assume_cache.put(cache, version(old, ignored)) == cache
    newer = version(old, "8")
    assert assume_cache.put(cache, newer)["pv"] == assume_cache.Entry(newer, newer)
    assert assume_cache.restore(cache, "pv")["pv"] == assume_cache.Entry(old, old)
    assert assume_cache.drop(cache, "pv") == {}
    assert assume_cache.restore({}, "pv") == {}


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("6", 'v1.PersistentVolume "pv" is out of sync (stored: 7, assume: 6)'),
        (
            "x",
            'error parsing ResourceVersion "x" for v1.PersistentVolume "pv": '
            'strconv.ParseInt: parsing "x": invalid syntax',
        ),
        (
            "99999999999999999999",
            'error parsing ResourceVersion "99999999999999999999" for v1.PersistentVolume "pv": '
            'strconv.ParseInt: parsing "99999999999999999999": value out of range',
        ),
        (
            "+-7",
            'error parsing ResourceVersion "+-7" for v1.PersistentVolume "pv": '
            'strconv.ParseInt: parsing "+-7": invalid syntax',
        ),
    ],
)
def test_what_cannot_be_assumed(number: str, text: str) -> None:
    with pytest.raises(AssumeError) as raised:
        assume_cache.assume(assume_cache.put({}, volume("pv")), version(volume("pv"), number))
    assert str(raised.value) == text


def test_an_unknown_claim_cannot_be_assumed() -> None:
    with pytest.raises(AssumeError) as raised:
        assume_cache.assume({}, claim("c"))
    assert str(raised.value) == 'could not find v1.PersistentVolumeClaim "default/c"'


# --- decisions  [V-010..V-014] ----------------------------------------------------------------------


def fed(*objects: KubernetesObject) -> Binder:
    binder = Binder()
    for thing in objects:
        binder = put(binder, thing)
    return binder


def test_decisions_are_kept_by_name_and_node() -> None:
    pair = (volume("pv"), claim("c"))
    binder = record_decision(Binder(), pod(), "n1", VolumeFit(bindings=(pair,)))
    assert decision_of(binder, pod(), "n1") == Decision((pair,), None)
    assert decision_of(binder, pod(), "n2") == decision_of(binder, pod("other"), "n1") == Decision(None, None)
    again = amended(pod(), {"metadata": {"uid": "another life"}})
    assert decision_of(binder, again, "n1") == Decision((pair,), None)


def test_nothing_found_clears_the_node_but_leaves_the_pods_entry() -> None:
    binder = record_decision(Binder(), pod(), "n1", VolumeFit(provisionings=(claim("c"),)))
    cleared = record_decision(binder, pod(), "n1", VolumeFit())
    assert cleared.decisions == {"default/in": {}}
    assert record_decision(Binder(), pod(), "n1", VolumeFit()) == Binder()
    assert delete_decisions(cleared, pod()) == Binder()


# --- assuming  [V-030..V-037] -----------------------------------------------------------------------

MOUNTING = pod(volumes=mounts("a", "b"), nodeName="n1")


def assumed(*objects: KubernetesObject) -> Binder:
    """What finding decides for n1 is assumed."""
    binder = decided(*objects)
    binder, all_bound = assume_pod_volumes(binder, MOUNTING)
    assert not all_bound
    return binder


def decided(*objects: KubernetesObject) -> Binder:
    fit = find_pod_volumes(MOUNTING, HERE, world(HERE, *objects))
    return record_decision(fed(*objects), MOUNTING, "n1", fit)


DYNAMIC = (storage_class("local", **PROVISIONER), claim("a", "1Gi"), claim("b", "9Gi"), volume("pv"))


def test_bound_claims_need_nothing() -> None:
    binder = fed(bound_claim("a", "x"), bound_claim("b", "y"))
    assert assume_pod_volumes(binder, MOUNTING) == (binder, True)
    assert assume_pod_volumes(Binder(), pod(nodeName="n1")) == (Binder(), True)


def test_a_claim_gone_missing_leaves_empty_lists() -> None:
    binder, all_bound = assume_pod_volumes(Binder(), MOUNTING)
    assert not all_bound
    assert decision_of(binder, MOUNTING, "n1") == Decision((), ())
    assert finished(bind_api_update(binder, MOUNTING)) == binder
    assert check_bindings(binder, MOUNTING, Decision((), ()), world(HERE))


def test_assuming_binds_the_volume_and_selects_the_node() -> None:
    binder = assumed(*DYNAMIC)
    taken = binder.volumes["pv"]
    assert taken.api == volume("pv")
    assert taken.latest.document["spec"]["claimRef"] == {
        "kind": "PersistentVolumeClaim",
        "apiVersion": "v1",
        "namespace": "default",
        "name": "a",
        "uid": "uid-a",
        "resourceVersion": "5",
    }
    assert taken.latest.annotations == {"pv.kubernetes.io/bound-by-controller": "yes"}
    assert binder.claims["default/b"].latest.annotations == {"volume.kubernetes.io/selected-node": "n1"}
    assert binder.claims["default/b"].api == claim("b", "9Gi")
    decision = decision_of(binder, MOUNTING, "n1")
    assert decision == Decision(((taken.latest, claim("a")),), (binder.claims["default/b"].latest,))


def test_what_is_assumed_is_seen_by_the_pods_to_come() -> None:
    binder = assumed(*DYNAMIC)
    seen = evolve(
        world(HERE, *DYNAMIC, claim("other")),
        binder_volumes=assume_cache.latest(binder.volumes),
        binder_claims={**assume_cache.latest(binder.claims), "default/other": claim("other")},
    )
    fit = find_pod_volumes(pod(volumes=mounts("other")), HERE, seen)
    assert (pairs(fit), provisioned(fit)) == ([], ["other"])
    assert not find_pod_volumes(pod(volumes=mounts("b")), node("n2"), seen).unbound_ok


def test_a_volume_bound_in_advance_is_not_marked() -> None:
    mine = {"namespace": "default", "name": "c"}
    half = bound_to(volume("pv", claimRef=mine), claim("c"))
    assert half.annotations == {}
    assert half.spec.claim_ref is not None
    assert half.spec.claim_ref.uid == "uid-c"
    whole = volume("pv", claimRef={**mine, "uid": "uid-c"})
    assert bound_to(whole, claim("c")) is whole


def test_a_failure_takes_all_assumptions_back() -> None:
    newer = amended(claim("b", "9Gi"), {"metadata": {"resourceVersion": "6"}})
    binder = put(decided(*DYNAMIC), newer)
    with pytest.raises(VolumeError) as raised:
        assume_pod_volumes(binder, MOUNTING)
    assert str(raised.value) == 'v1.PersistentVolumeClaim "default/b" is out of sync (stored: 6, assume: 5)'
    assert raised.value.binder == binder


def test_a_volume_that_changed_meanwhile_cannot_be_assumed() -> None:
    binder = put(decided(*DYNAMIC), version(volume("pv"), "9"))
    with pytest.raises(VolumeError) as raised:
        assume_pod_volumes(binder, MOUNTING)
    assert str(raised.value) == 'v1.PersistentVolume "pv" is out of sync (stored: 9, assume: 7)'


# --- requests  [V-042] ------------------------------------------------------------------------------


def finished(steps: Generator[Any, Any, Binder], answer: Callable[[Any], Any] = lambda call: None) -> Binder:
    """Run to the end, each call answered."""
    try:
        call = next(steps)
        while True:
            call = steps.send(answer(call))
    except StopIteration as end:
        result: Binder = end.value
        return result


def accepted(call: UpdateVolume | UpdateClaim) -> PersistentVolume | PersistentVolumeClaim:
    """As stored by the API server."""
    patch = {"metadata": {"resourceVersion": "100"}}
    return amended(call.volume, patch) if isinstance(call, UpdateVolume) else amended(call.claim, patch)


def test_what_was_never_assumed_cannot_be_bound() -> None:
    for decision, text in (
        (VolumeFit(provisionings=(claim("c"),)), 'failed to get cached bindings for pod "default/in"'),
        (
            VolumeFit(bindings=((volume("pv"), claim("c")),)),
            'failed to get cached claims to provision for pod "default/in"',
        ),
    ):
        with pytest.raises(VolumeError) as raised:
            finished(bind_api_update(record_decision(Binder(), MOUNTING, "n1", decision), MOUNTING))
        assert str(raised.value) == text


def test_volumes_are_updated_before_claims_and_the_answers_kept() -> None:
    binder, sent = assumed(*DYNAMIC), []

    def answer(call: Any) -> Any:
        sent.append(call)
        return accepted(call)

    after = finished(bind_api_update(binder, MOUNTING), answer)
    taken, selected = binder.volumes["pv"].latest, binder.claims["default/b"].latest
    assert sent == [UpdateVolume(taken, claim("a")), UpdateClaim(selected)]
    assert decision_of(after, MOUNTING, "n1") == Decision(
        ((version(taken, "100"), claim("a")),), (amended(selected, {"metadata": {"resourceVersion": "100"}}),)
    )


@pytest.mark.parametrize(("refused", "restored"), [(UpdateVolume, ["pv", "default/b"]), (UpdateClaim, ["default/b"])])
def test_after_a_refusal_what_was_not_updated_is_restored(refused: type, restored: list[str]) -> None:
    def answer(call: Any) -> Any:
        return ApiError("Conflict", "no") if isinstance(call, refused) else accepted(call)

    binder = assumed(*DYNAMIC)
    with pytest.raises(VolumeError, match="no") as raised:
        finished(bind_api_update(binder, MOUNTING), answer)
    left = raised.value.binder
    volumes = [key for key, held in left.volumes.items() if held.latest == held.api]
    claims = [key for key, held in left.claims.items() if held.latest == held.api and key != "default/a"]
    assert volumes + claims == restored


# --- the check  [V-043] -----------------------------------------------------------------------------


def updated() -> tuple[Binder, Decision]:
    """Requests accepted, their events not yet delivered."""
    binder = finished(bind_api_update(assumed(*DYNAMIC), MOUNTING), accepted)
    return binder, decision_of(binder, MOUNTING, "n1")


def completed(decision: Decision) -> list[KubernetesObject]:
    """What the volume controller makes of it."""
    assert decision.bindings
    assert decision.provisionings
    done = {"metadata": {"resourceVersion": "101", "annotations": {"pv.kubernetes.io/bind-completed": "yes"}}}
    made = volume("made", only_on="n1", claimRef={"namespace": "default", "name": "b", "uid": "uid-b"})
    return [
        decision.bindings[0][0],
        amended(claim("a"), {**done, "spec": {"volumeName": "pv"}}),
        made,
        amended(decision.provisionings[0], {**done, "spec": {"volumeName": "made"}}),
    ]


def delivered(binder: Binder, *objects: KubernetesObject) -> Binder:
    for thing in objects:
        binder = put(binder, thing)
    return binder


def test_bound_once_everything_is_delivered() -> None:
    binder, decision = updated()
    objects = completed(decision)
    for some in range(len(objects)):
        assert not check_bindings(delivered(binder, *objects[:some]), MOUNTING, decision, world(HERE))
    assert check_bindings(delivered(binder, *objects), MOUNTING, decision, world(HERE))


def test_a_made_volume_may_arrive_after_its_claim() -> None:
    binder, decision = updated()
    taken, bound, made, provided = completed(decision)
    binder = delivered(binder, taken, bound, provided)
    assert not check_bindings(binder, MOUNTING, decision, world(HERE))
    assert check_bindings(delivered(binder, made), MOUNTING, decision, world(HERE))


def failing(change: Callable[[list[KubernetesObject]], list[KubernetesObject]], *dropped: KubernetesObject) -> str:
    binder, decision = updated()
    binder = delivered(binder, *change(completed(decision)))
    for thing in dropped:
        binder = drop(binder, thing)
    with pytest.raises(VolumeError) as raised:
        check_bindings(binder, MOUNTING, decision, world(HERE))
    return str(raised.value)


def changed(at: int, patch: dict[str, Any]) -> Callable[[list[KubernetesObject]], list[KubernetesObject]]:
    def change(objects: list[KubernetesObject]) -> list[KubernetesObject]:
        return [amended(thing, patch) if i == at else thing for i, thing in enumerate(objects)]

    return change


AWAY = {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "host", "operator": "In", "values": ["x"]}]}]}}


@pytest.mark.parametrize(
    ("text", "change", "dropped"),
    [
        ('failed to check binding: could not find v1.PersistentVolume "pv"', list, [volume("pv")]),
        ('failed to check binding: could not find v1.PersistentVolumeClaim "default/a"', list, [claim("a")]),
        (
            'pv "pv" node affinity doesn\'t match node "n1": No matching NodeSelectorTerms',
            changed(0, {"spec": {"nodeAffinity": AWAY}}),
            [],
        ),
        ('ClaimRef got reset for pv "pv"', changed(0, {"spec": {"claimRef": None}}), []),
        ('ClaimRef got reset for pv "pv"', changed(0, {"spec": {"claimRef": {"uid": ""}}}), []),
        (
            'failed to check provisioning pvc: could not find v1.PersistentVolumeClaim "default/b"',
            list,
            [claim("b")],
        ),
        ('selectedNode annotation reset for PVC "b"', changed(3, {"metadata": {"annotations": None}}), []),
        (
            'selectedNode annotation value "n9" not set to scheduled node "n1"',
            changed(3, {"metadata": {"annotations": {"volume.kubernetes.io/selected-node": "n9"}}}),
            [],
        ),
        (
            'selectedNode annotation value "" not set to scheduled node "n1"',
            changed(3, {"metadata": {"annotations": {"volume.kubernetes.io/selected-node": None}}}),
            [],
        ),
        (
            'pv "made" node affinity doesn\'t match node "n1": No matching NodeSelectorTerms',
            changed(2, {"spec": {"nodeAffinity": AWAY}}),
            [],
        ),
    ],
)
def test_what_can_no_longer_come_true(text: str, change: Any, dropped: list[KubernetesObject]) -> None:
    assert failing(change, *dropped) == text


def test_a_node_or_pod_that_is_gone_ends_the_wait() -> None:
    binder, decision = updated()
    with pytest.raises(VolumeError, match='failed to get node "n1": node "n1" not found'):
        check_bindings(binder, MOUNTING, decision, world())
    with pytest.raises(VolumeError, match='pod "default/in" does not exist any more'):
        check_bindings(delete_decisions(binder, MOUNTING), MOUNTING, decision, world(HERE))
