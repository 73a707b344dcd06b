"""The fit predicates, by the statements of the specification; recorded answers are in test_recorded_attempts."""

from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from model.api.configuration import Configuration, PolicyEntry
from model.fit import PredicateError, Reason
from model.fits import pod_fits
from model.node_info import NodeInfo
from model.predicates import metadata
from model.predicates import reasons as texts
from model.predicates.csi_volumes import limit_key
from model.predicates.registry import EVALUATION_ORDER, PREDICATES
from model.quirks import EVERY, Quirks, Without
from tests.attempts import (
    affinity,
    attempt,
    claim,
    feasible,
    mounts,
    node,
    pod,
    reasons,
    service,
    storage_class,
    term,
    volume,
)

GENERAL = "node(s) didn't match pod affinity/anti-affinity"
RULES = "node(s) didn't match pod affinity rules"
ANTI_RULES = "node(s) didn't match pod anti-affinity rules"
EXISTING_RULES = "node(s) didn't satisfy existing pods anti-affinity rules"
NO_OPERATOR = {"matchExpressions": [{"key": "app", "operator": "Foo"}]}


def without(*quirks: str) -> Without:
    return Without(frozenset(quirks))


# --- registry and reasons -------------------------------------------------------------------------


def test_all_functions_but_the_alias_have_their_place_in_the_order() -> None:
    assert set(PREDICATES) - set(EVALUATION_ORDER) == {"PodFitsPorts"}
    assert set(EVALUATION_ORDER) - set(PREDICATES) == {"CheckNodeLabelPresence", "CheckServiceAffinity"}
    assert len(EVALUATION_ORDER) == 23


def test_fifteen_reasons_are_beyond_preemption() -> None:
    known = [value for value in vars(texts).values() if isinstance(value, Reason)]
    assert len(known) == 22
    assert sum(not reason.resolvable for reason in known) == 15
    assert len({reason.text for reason in known}) == len({reason.error for reason in known}) == 22


def test_an_absent_node_is_an_unknown_condition_or_an_error() -> None:
    tried = attempt(pod(), node("n1"))
    gone = NodeInfo()
    unknown = (texts.NODE_UNKNOWN_CONDITION,)
    for name in (
        "CheckNodeUnschedulable",
        "CheckNodeCondition",
        "PodToleratesNodeTaints",
        "PodToleratesNodeNoExecuteTaints",
    ):
        assert PREDICATES[name](tried, gone) == unknown
    for name in ("PodFitsResources", "GeneralPredicates", "MatchNodeSelector", "MatchInterPodAffinity"):
        with pytest.raises(PredicateError, match="node not found"):
            PREDICATES[name](tried, gone)
    assert PREDICATES["HostName"](tried, gone) == ()


# --- resources ------------------------------------------------------------------------------------


def test_asking_for_nothing_of_something_meets_an_overcommitted_cpu() -> None:
    cluster = (node("n1", allocatable={"cpu": "1"}), pod("p", requests={"cpu": "5"}, nodeName="n1"))
    gpu = pod(requests={"example.com/gpu": "0"})
    assert reasons(attempt(pod(), *cluster), "PodFitsResources", "n1") == ()
    assert reasons(attempt(gpu, *cluster), "PodFitsResources", "n1") == ("Insufficient cpu",)
    assert reasons(attempt(gpu, *cluster, quirks=without("P-048")), "PodFitsResources", "n1") == ()


def test_init_containers_of_pods_on_the_node_do_not_count() -> None:
    init = [{"name": "i", "resources": {"requests": {"cpu": "6"}}}]
    cluster = (node("n1"), pod("p", initContainers=init, requests={"cpu": "1"}, nodeName="n1"))
    assert reasons(attempt(pod(requests={"cpu": "9"}), *cluster), "PodFitsResources", "n1") == ()
    assert reasons(attempt(pod(initContainers=init, requests={"cpu": "4"}), *cluster), "GeneralPredicates", "n1") == ()
    wants_more = pod(initContainers=[{"name": "i", "resources": {"requests": {"cpu": "10"}}}])
    assert reasons(attempt(wants_more, *cluster), "PodFitsResources", "n1") == ("Insufficient cpu",)
    mended = attempt(pod(requests={"cpu": "9"}), *cluster, quirks=without("O-045"))
    assert reasons(mended, "PodFitsResources", "n1") == ("Insufficient cpu",)


# --- node selection -------------------------------------------------------------------------------


def test_an_invalid_node_selector_matches_every_node() -> None:
    assert reasons(attempt(pod(nodeSelector={"a": "-bad-"}), node("n1")), "MatchNodeSelector", "n1") == ()
    refused = ("node(s) didn't match node selector",)
    assert reasons(attempt(pod(nodeSelector={"a": "good"}), node("n1")), "MatchNodeSelector", "n1") == refused


# --- inter-pod affinity ---------------------------------------------------------------------------

ZONED = (node("n1", {"zone": "z1"}), node("n2"))
SELF_AFFINE = pod(labels={"app": "x"}, affinity=affinity(term("zone", {"app": "x"})), requests={"cpu": "1"})


def test_the_first_of_a_group_goes_anywhere_and_so_does_one_whose_group_is_outside_the_topology() -> None:
    elsewhere = pod("e", {"app": "x"}, nodeName="n2")
    assert feasible(attempt(SELF_AFFINE, *ZONED)) == ["n1", "n2"]
    assert feasible(attempt(SELF_AFFINE, *ZONED, elsewhere)) == ["n1", "n2"]
    filling = pod("e", {"app": "x"}, requests={"cpu": "10"}, nodeName="n1")
    assert feasible(attempt(SELF_AFFINE, *ZONED, filling)) == []
    assert reasons(attempt(SELF_AFFINE, *ZONED, filling), "MatchInterPodAffinity", "n2") == (GENERAL, RULES)


def test_the_first_of_a_group_keeps_to_the_topology_where_the_quirk_is_off() -> None:
    assert feasible(attempt(SELF_AFFINE, *ZONED, quirks=without("P-091"))) == ["n1"]
    elsewhere = pod("e", {"app": "x"}, nodeName="n2")
    assert feasible(attempt(SELF_AFFINE, *ZONED, elsewhere, quirks=without("P-092"))) == []


def test_a_missing_selector_selects_nothing_and_an_empty_one_everything() -> None:
    placed = pod("e", nodeName="n1")
    nothing = pod(affinity=affinity(term("zone", None)))
    assert feasible(attempt(nothing, *ZONED, placed)) == []
    everything = pod(affinity=affinity(term("zone", {})))
    assert feasible(attempt(everything, *ZONED, placed)) == ["n1"]
    inert = pod(affinity=affinity(anti=[term("zone", None)]))
    assert feasible(attempt(inert, *ZONED, placed)) == ["n1", "n2"]


def test_existing_anti_affinity_comes_before_the_pods_own() -> None:
    hostile = pod("e", {"app": "a"}, affinity=affinity(anti=[term("zone", {"app": "in"})]), nodeName="n1")
    hated = pod(labels={"app": "in"}, affinity=affinity(anti=[term("zone", {"app": "a"})]))
    tried = attempt(hated, *ZONED, hostile)
    assert reasons(tried, "MatchInterPodAffinity", "n1") == (GENERAL, EXISTING_RULES)
    assert reasons(tried, "MatchInterPodAffinity", "n2") == ()


def test_an_existing_selector_that_cannot_be_built_fails_every_attempt() -> None:
    broken = pod("e", affinity=affinity(anti=[term("zone", NO_OPERATOR)]), nodeName="n1")
    tried = attempt(pod(), *ZONED, broken)
    assert tried.metadata is not None
    assert tried.metadata.pairs is None
    text = 'Failed to get all terms that match pod default/in: "Foo" is not a valid pod selector operator'
    for name in ("n1", "n2"):
        with pytest.raises(PredicateError) as raised:
            reasons(tried, "MatchInterPodAffinity", name)
        assert str(raised.value) == text


def test_own_anti_affinity_that_cannot_be_built_is_violated_by_any_pod() -> None:
    broken = pod(affinity=affinity(anti=[term("zone", NO_OPERATOR)]))
    assert feasible(attempt(broken, *ZONED)) == ["n1", "n2"]
    tried = attempt(broken, *ZONED, pod("e", nodeName="n1"))
    assert {reasons(tried, "MatchInterPodAffinity", name) for name in ("n1", "n2")} == {(GENERAL, ANTI_RULES)}


def test_own_affinity_that_cannot_be_built_is_an_error_once_there_is_a_pod() -> None:
    broken = pod(affinity=affinity(term("zone", NO_OPERATOR)))
    assert reasons(attempt(broken, *ZONED), "MatchInterPodAffinity", "n1") == (GENERAL, RULES)
    with pytest.raises(PredicateError) as raised:
        reasons(attempt(broken, *ZONED, pod("e", nodeName="n1")), "MatchInterPodAffinity", "n2")
    assert str(raised.value) == (
        "Cannot schedule pod default/in onto node n2, because of PodAffinity: "
        '"Foo" is not a valid pod selector operator'
    )


def the_slow_way(about: Any, *cluster: Any, **how: Any) -> Any:
    tried = attempt(about, *cluster, **how)
    assert tried.metadata is not None
    return evolve(tried, metadata=evolve(tried.metadata, pairs=None))


def test_the_slow_way_asks_all_anti_affinity_terms_at_once() -> None:
    cluster = (node("n1", {"zone": "z1", "host": "n1"}), pod("e", {"app": "a"}, nodeName="n1"))
    two = pod(affinity=affinity(anti=[term("zone", {"app": "a"}), term("host", {"app": "b"})]))
    violated = (GENERAL, ANTI_RULES)
    assert reasons(attempt(two, *cluster), "MatchInterPodAffinity", "n1") == violated
    assert reasons(the_slow_way(two, *cluster), "MatchInterPodAffinity", "n1") == ()
    mended = the_slow_way(two, *cluster, quirks=without("P-098"))
    assert reasons(mended, "MatchInterPodAffinity", "n1") == violated


def test_the_slow_way_sees_a_group_outside_the_topology() -> None:
    elsewhere = pod("e", {"app": "x"}, nodeName="n2")
    assert reasons(attempt(SELF_AFFINE, *ZONED, elsewhere), "MatchInterPodAffinity", "n1") == ()
    assert reasons(the_slow_way(SELF_AFFINE, *ZONED, elsewhere), "MatchInterPodAffinity", "n1") == (GENERAL, RULES)
    assert reasons(the_slow_way(SELF_AFFINE, *ZONED), "MatchInterPodAffinity", "n1") == ()


def test_the_slow_way_refuses_an_empty_topology_key_once_a_pod_matches() -> None:
    keyless = pod(affinity=affinity(term("", {"app": "a"})))
    assert reasons(the_slow_way(keyless, *ZONED, pod("e", nodeName="n1")), "MatchInterPodAffinity", "n1") != ()
    tried = the_slow_way(keyless, *ZONED, pod("e", {"app": "a"}, nodeName="n1"))
    with pytest.raises(PredicateError, match="empty topologyKey is not allowed except for PreferredDuringScheduling"):
        reasons(tried, "MatchInterPodAffinity", "n1")


def test_the_slow_way_looks_up_the_node_of_a_matching_pod() -> None:
    near = pod(affinity=affinity(term("zone", {"app": "a"})))
    tried = the_slow_way(near, *ZONED, pod("e", {"app": "a"}, nodeName="ghost"))
    with pytest.raises(PredicateError, match='because of PodAffinity: node "ghost" not found'):
        reasons(tried, "MatchInterPodAffinity", "n1")


# --- metadata -------------------------------------------------------------------------------------


def test_a_pod_that_returns_counts_for_all_anti_affinity_terms() -> None:
    cluster = (node("n1", {"host": "n1"}), pod("v", {"app": "a"}, nodeName="n1"))
    two = pod(affinity=affinity(anti=[term("rack", {"app": "a"}), term("host", {"app": "b"})]))
    for quirks, expected in ((without(), (GENERAL, ANTI_RULES)), (without("P-037"), ())):
        tried = attempt(two, *cluster, quirks=quirks)
        assert reasons(tried, "MatchInterPodAffinity", "n1") == ()
        gone = evolve(tried, metadata=metadata.without_pod(tried, cluster[1]))
        back = evolve(gone, metadata=metadata.with_pod(gone, cluster[1], tried.snapshot["n1"]))
        assert reasons(back, "MatchInterPodAffinity", "n1") == expected


def test_removing_a_pod_empties_its_pairs() -> None:
    placed = pod("e", {"app": "a"}, affinity=affinity(anti=[term("zone", {"app": "x"})]), nodeName="n1")
    wanting = pod(labels={"app": "x"}, affinity=affinity(term("zone", {"app": "a"}), anti=[term("zone", {"app": "a"})]))
    tried = attempt(wanting, *ZONED, placed)
    assert tried.metadata is not None
    assert tried.metadata.pairs is not None
    pairs = tried.metadata.pairs
    key = {("zone", "z1"): ("uid-e",)}
    assert pairs.existing_anti_affinity == pairs.incoming_affinity == pairs.incoming_anti_affinity == key
    after = metadata.without_pod(tried, placed).pairs
    assert after is not None
    assert after.existing_anti_affinity == after.incoming_affinity == after.incoming_anti_affinity == {}
    back = metadata.with_pod(evolve(tried, metadata=metadata.without_pod(tried, placed)), placed, tried.snapshot["n1"])
    assert back.pairs == pairs


def test_the_incoming_pod_itself_is_neither_added_nor_removed() -> None:
    tried = attempt(SELF_AFFINE, *ZONED)
    info = tried.snapshot["n1"]
    assert metadata.with_pod(tried, SELF_AFFINE, info) == tried.metadata == metadata.without_pod(tried, SELF_AFFINE)


# --- nominated pods -------------------------------------------------------------------------------


def test_a_nominated_pod_takes_room_but_not_from_pods_above_it() -> None:
    nominated = pod("q", requests={"cpu": "8"}, priority=20, nominated="n1")
    assert feasible(attempt(pod(requests={"cpu": "4"}, priority=20), node("n1"), nominated)) == []
    assert feasible(attempt(pod(requests={"cpu": "4"}, priority=21), node("n1"), nominated)) == ["n1"]


def test_a_nominated_pods_own_anti_affinity_counts_but_its_labels_do_not() -> None:
    host = node("n1", {"host": "n1"})
    shy = affinity(anti=[term("host", {"app": "b"})])
    seen = (pod(affinity=shy), host, pod("q", {"app": "b"}, priority=20, nominated="n1"))
    assert feasible(attempt(*seen)) == ["n1"]
    assert feasible(attempt(*seen, quirks=without("P-022"))) == []
    assert feasible(attempt(pod(labels={"app": "b"}), host, pod("q", affinity=shy, priority=20, nominated="n1"))) == []


def test_the_second_pass_finds_what_a_nominated_pod_hides() -> None:
    def csi(name: str) -> list[Any]:
        source = {"driver": "d", "volumeHandle": name}
        return [volume(f"pv-{name}", csi=source), claim(name, volumeName=f"pv-{name}")]

    limited = node("n1", allocatable={"attachable-volumes-csi-d": "2"})
    full = pod("e", volumes=mounts("h1", "h2"), nodeName="n1")
    objects = [*csi("h1"), *csi("h2"), *csi("h5"), limited, full]
    nominated = pod("q", volumes=mounts("h5"), nominated="n1")
    only_csi = Configuration(predicates=(PolicyEntry("MaxCSIVolumeCountPred"),))
    tried = attempt(pod(volumes=mounts("h5")), *objects, nominated, configuration=only_csi)
    assert [r.text for r in pod_fits(tried, tried.snapshot["n1"], False)] == ["node(s) exceed max volume count"]
    alone = evolve(tried, world=evolve(tried.world, nominated={}))
    assert pod_fits(alone, alone.snapshot["n1"], False) == pod_fits(tried, tried.snapshot["n1"], False)


# --- volumes --------------------------------------------------------------------------------------


def ebs(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "awsElasticBlockStore": {"volumeID": name}} for name in names]


def test_a_node_over_its_limit_refuses_a_pod_that_adds_nothing() -> None:
    limited = node("n1", allocatable={"attachable-volumes-aws-ebs": "1"})
    full = pod("e", volumes=ebs("a", "b"), nodeName="n1")
    same = pod(volumes=ebs("a"))
    over = ("node(s) exceed max volume count",)
    assert reasons(attempt(same, limited, full), "MaxEBSVolumeCount", "n1") == over
    assert reasons(attempt(same, limited, full, quirks=without("P-069")), "MaxEBSVolumeCount", "n1") == ()


def test_a_claim_without_volume_counts_for_every_type() -> None:
    limited = node("n1", allocatable={"attachable-volumes-gce-pd": "0"})
    unknown = pod(volumes=mounts("missing"))
    over = ("node(s) exceed max volume count",)
    assert reasons(attempt(unknown, limited), "MaxGCEPDVolumeCount", "n1") == over
    assert reasons(attempt(unknown, limited, quirks=without("P-067")), "MaxGCEPDVolumeCount", "n1") == ()


def test_the_gate_turns_reported_limits_off() -> None:
    limited = node("n1", allocatable={"attachable-volumes-gce-pd": "0", "attachable-volumes-csi-d": "0"})
    wanting = pod(volumes=[{"name": "v", "gcePersistentDisk": {"pdName": "a"}}, *mounts("c")])
    objects = (limited, volume("pv", csi={"driver": "d", "volumeHandle": "h"}), claim("c", volumeName="pv"))
    for name in ("MaxGCEPDVolumeCount", "MaxCSIVolumeCountPred"):
        assert reasons(attempt(wanting, *objects), name, "n1")
        assert not reasons(attempt(wanting, *objects, gates={"AttachVolumeLimit": False}), name, "n1")


@pytest.mark.parametrize(
    ("instance_type", "limit", "meant"),
    [("m5.large", 25, 25), ("xm5", 39, 39), ("not3.x", 25, 39), ("az1d", 25, 39), ("t3.x", 25, 25), ("m4.x", 39, 39)],
)
def test_the_default_ebs_limit_follows_the_instance_type(instance_type: str, limit: int, meant: int) -> None:
    host = node("n1", {"beta.kubernetes.io/instance-type": instance_type})
    for quirks, most in ((EVERY, limit), (without("P-071"), meant)):
        for count, fits in ((most, True), (most + 1, False)):
            tried = attempt(pod(volumes=ebs(*map(str, range(count)))), host, quirks=quirks)
            assert (reasons(tried, "MaxEBSVolumeCount", "n1") == ()) == fits


def test_long_driver_names_are_shortened() -> None:
    assert limit_key("a" * 39) == "attachable-volumes-csi-" + "a" * 39
    assert limit_key("a" * 40) == "attachable-volumes-csi-" + "a" * 23 + "a56559418dc7908c"


def test_a_driver_name_cut_within_a_character_has_no_limit() -> None:
    """Half a character is in no text that a node can send."""
    assert "\ufffd" not in limit_key("a" * 22 + "é" * 20)


def test_csi_handles_are_one_whatever_their_driver() -> None:
    def handle(name: str, driver: str) -> list[Any]:
        return [volume(f"pv-{name}", csi={"driver": driver, "volumeHandle": "h"}), claim(name, volumeName=f"pv-{name}")]

    limited = node("n1", allocatable={"attachable-volumes-csi-d": "0"})
    objects = [*handle("c", "d"), *handle("e", "other"), limited, pod("e", volumes=mounts("e"), nodeName="n1")]
    wanting = pod(volumes=mounts("c"))
    assert reasons(attempt(wanting, *objects), "MaxCSIVolumeCountPred", "n1") == ()
    assert reasons(attempt(wanting, *objects, quirks=without("P-076")), "MaxCSIVolumeCountPred", "n1") != ()


def test_no_handle_is_taken_for_a_claim_without_volume() -> None:
    """[P-076]"""
    limited = node("n1", allocatable={"attachable-volumes-csi-d": "1"})
    for handle in ("pvc/default/c", "default/c", "/default/c"):
        objects = [
            *(limited, storage_class("local", provisioner="d"), claim("c"), claim("e", volumeName="pv")),
            *(volume("pv", csi={"driver": "d", "volumeHandle": handle}), pod("e", volumes=mounts("e"), nodeName="n1")),
        ]
        assert reasons(attempt(pod(volumes=mounts("c")), *objects), "MaxCSIVolumeCountPred", "n1") != ()


def test_a_volumes_region_excludes_a_node_that_says_only_its_zone() -> None:
    zone, region = "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"
    there = volume("pv", metadata={"labels": {zone: "a__b", region: "r"}})
    objects = (there, claim("c", volumeName="pv"), node("n1", {zone: "b"}))
    mounting = pod(volumes=mounts("c"))
    away = ("node(s) had no available volume zone",)
    assert reasons(attempt(mounting, *objects), "NoVolumeZoneConflict", "n1") == away
    assert reasons(attempt(mounting, *objects, quirks=without("P-083")), "NoVolumeZoneConflict", "n1") == ()
    ignored = evolve(objects[0], metadata=evolve(there.metadata, labels={zone: "a____b", region: " "}))
    assert reasons(attempt(mounting, ignored, *objects[1:]), "NoVolumeZoneConflict", "n1") == ()


def test_disks_are_compared_by_their_type() -> None:
    def conflict(source: str, one: Mapping[str, Any], other: Mapping[str, Any], quirks: Quirks = EVERY) -> bool:
        placed = pod("e", volumes=[{"name": "v", source: dict(other)}], nodeName="n1")
        tried = attempt(pod(volumes=[{"name": "v", source: dict(one)}]), node("n1"), placed, quirks=quirks)
        return bool(reasons(tried, "NoDiskConflict", "n1"))

    assert conflict("gcePersistentDisk", {"pdName": "a"}, {"pdName": "a", "readOnly": True})
    assert not conflict("gcePersistentDisk", {"pdName": "a", "readOnly": True}, {"pdName": "a", "readOnly": True})
    read_only_ebs = {"volumeID": "a", "readOnly": True}
    assert conflict("awsElasticBlockStore", read_only_ebs, read_only_ebs)
    disk = {"iqn": "a", "targetPortal": "x", "lun": 1}
    for other in ({**disk, "targetPortal": "y"}, {**disk, "lun": 2}):
        assert conflict("iscsi", disk, other)
        assert not conflict("iscsi", disk, other, without("P-055"))
    assert conflict("iscsi", disk, disk, without("P-055"))
    image = {"monitors": ["a", "b"], "image": "i", "pool": "p"}
    assert conflict("rbd", image, {**image, "monitors": ["b", "c"]})
    assert not conflict("rbd", image, {**image, "monitors": ["c"]})
    assert not conflict("rbd", image, {**image, "pool": "q"})


def test_a_claim_must_wait_for_its_pod_or_have_a_volume() -> None:
    zoned = node("n1", {"failure-domain.beta.kubernetes.io/zone": "a"})
    mounting = pod(volumes=mounts("c"))
    waiting = attempt(mounting, storage_class("local"), claim("c"), zoned)
    assert reasons(waiting, "NoVolumeZoneConflict", "n1") == ()
    immediate = attempt(mounting, storage_class("local", "Immediate"), claim("c"), zoned)
    with pytest.raises(PredicateError, match='PersistentVolumeClaim was not found: "c"'):
        reasons(immediate, "NoVolumeZoneConflict", "n1")
    assert reasons(attempt(mounting, claim("c"), node("n1")), "NoVolumeZoneConflict", "n1") == ()


# --- service affinity -----------------------------------------------------------------------------

REGIONS = (node("a", {"region": "r1"}), node("b", {"region": "r2"}), node("c"))
BY_REGION = Configuration(
    predicates=(PolicyEntry("CheckServiceAffinity", argument={"serviceAffinity": {"labels": ["region"]}}),)
)


def test_a_service_stays_in_the_region_of_its_first_pod() -> None:
    web = pod(labels={"app": "web"})
    selecting, placed = service("s", {"app": "web"}), pod("e", {"app": "web"}, nodeName="a")
    assert feasible(attempt(web, *REGIONS, selecting, placed, configuration=BY_REGION)) == ["a"]
    assert feasible(attempt(web, *REGIONS, selecting, configuration=BY_REGION)) == ["a", "b", "c"]
    assert feasible(attempt(web, *REGIONS, placed, configuration=BY_REGION)) == ["a", "b", "c"]
    settled = pod(labels={"app": "web"}, nodeSelector={"region": "r2"})
    assert feasible(attempt(settled, *REGIONS, selecting, placed, configuration=BY_REGION)) == ["b"]


def test_the_pods_of_a_service_are_found_by_the_pods_own_labels() -> None:
    objects = (*REGIONS, service("s", {"app": "web"}), pod("e", {"app": "web"}, nodeName="a"))
    richer = pod(labels={"app": "web", "version": "2"})
    assert feasible(attempt(richer, *objects, configuration=BY_REGION)) == ["a", "b", "c"]
    assert feasible(attempt(richer, *objects, configuration=BY_REGION, quirks=without("P-060"))) == ["a"]


def test_a_nominated_pod_of_the_service_fails_the_attempt() -> None:
    web = {"app": "web"}
    objects = (*REGIONS, service("s", web), pod("q", web, nominated="a"))
    with pytest.raises(PredicateError, match='node "" not found'):
        feasible(attempt(pod(labels=web), *objects, configuration=BY_REGION))
    mended = attempt(pod(labels=web), *objects, configuration=BY_REGION, quirks=without("P-065"))
    assert feasible(mended) == ["a", "b", "c"]


def test_removing_the_first_pod_of_the_service_frees_it() -> None:
    web = {"app": "web"}
    placed = pod("e", web, nodeName="a")
    tried = attempt(pod(labels=web), *REGIONS, service("s", web), placed, configuration=BY_REGION)
    gone = evolve(tried, metadata=metadata.without_pod(tried, placed))
    assert feasible(gone) == ["a", "b", "c"]
    back = evolve(gone, metadata=metadata.with_pod(gone, placed, tried.snapshot["a"]))
    assert feasible(back) == ["a"]
