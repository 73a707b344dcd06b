"""Priorities against their rules; recorded scores are in test_recorded_attempts."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from impl.engine import Optimized
from model.api.cluster import read_cluster
from model.api.components import Situation
from model.api.configuration import Configuration, Extender
from model.api.decode import decode
from model.api.objects import Pod
from model.api.protocol import Crash
from model.attempt import Attempt
from model.engine import Reference
from model.fit import PriorityError
from model.node_info import NodeInfo
from model.priorities.normalized import normalized
from model.priorities.prioritize import ExtenderScores, prioritize, with_extender_scores
from model.priorities.registry import RESOURCE_LIMITS, alone
from model.priorities.requested_to_capacity_ratio import DEFAULT_SHAPE, score_at
from model.priorities.selector_spreading import spread
from model.quirks import EVERY, Quirks, Without
from model.releases import V1_15_FIXED, v1_15_3
from model.semantics import Priority, PriorityFunction
from model.standing import standing


def attempt(
    pod: Mapping[str, Any],
    nodes: Sequence[Mapping[str, Any]],
    pods: Sequence[Mapping[str, Any]] = (),
    *,
    quirks: Quirks = EVERY,
    resync: bool = False,
    configuration: Configuration | None = None,
    **lists: Any,
) -> Attempt:
    configuration = configuration or Configuration()
    cluster = read_cluster({"nodes": list(nodes), "pods": list(pods), **lists})
    situation = Situation(cluster, decode(dict(pod), Pod), configuration, resync_nodes=resync)
    seen = standing(situation, quirks)
    return Attempt(situation.pod, seen.snapshot, seen.world, v1_15_3(configuration, quirks))


def in_listed_order(about: Attempt) -> list[NodeInfo]:
    return [about.snapshot[name] for name in about.world.nodes]


def scores(priority: str | PriorityFunction, about: Attempt) -> dict[str, int]:
    """By node name, every node being feasible."""
    function = priority if callable(priority) else alone(priority, {})
    infos = in_listed_order(about)
    return dict(zip((info.name for info in infos), function(about, infos), strict=True))


def node(name: str, labels: Mapping[str, str] | None = None, **parts: Any) -> dict[str, Any]:
    status = {key: parts.pop(key) for key in ("allocatable", "images") if key in parts}
    annotations = parts.pop("annotations", {})
    return {
        "metadata": {"name": name, "labels": dict(labels or {}), "annotations": annotations},
        "spec": parts,
        "status": status,
    }


def pod(name: str = "p", labels: Mapping[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}", "labels": dict(labels or {})}
    metadata |= spec.pop("metadata", {})
    return {"metadata": metadata, "spec": {"containers": [], **spec}}


def requesting(cpu: str, memory: str) -> list[dict[str, Any]]:
    return [{"name": "c", "resources": {"requests": {"cpu": cpu, "memory": memory}}}]


# --- recorded scores ------------------------------------------------------------------------------


# --- formulas -------------------------------------------------------------------------------------


def test_normalizing_truncates_toward_zero_also_below_zero() -> None:
    assert normalized([-5, 3], 10, reverse=False) == [-16, 10]
    assert normalized([-5, 3], 10, reverse=True) == [26, 0]


def test_normalizing_without_a_positive_count() -> None:
    assert normalized([0, -2], 10, reverse=False) == [0, -2]
    assert normalized([0, -2], 10, reverse=True) == [10, 10]
    assert normalized([], 10, reverse=True) == []


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_normalized_scores_are_in_range_and_keep_the_order(counts: list[int]) -> None:
    given_scores = normalized(counts, 10, reverse=False)
    assert all(0 <= score <= 10 for score in given_scores)
    assert [score for _, score in sorted(zip(counts, given_scores, strict=True))] == sorted(given_scores)


@pytest.mark.parametrize(("percent", "score"), [(0, 10), (33, 7), (99, 1), (100, 0)])
def test_the_default_shape_rounds_scores_up(percent: int, score: int) -> None:
    assert score_at(DEFAULT_SHAPE, percent) == score


def test_spreading_without_zones() -> None:
    assert spread([3, 1, 0], ["", "", ""], 10) == [0, 6, 10]


def test_zones_weigh_two_thirds_and_nodes_without_zone_are_compared_alone() -> None:
    assert spread([2, 0, 0, 0], ["a", "a", "b", ""], 10) == [0, 3, 10, 10]


@given(st.lists(st.sampled_from(["", "a", "b"])))
def test_no_matching_pod_anywhere_gives_ten_everywhere(zones: list[str]) -> None:
    assert spread([0] * len(zones), zones, 10) == [10] * len(zones)


# --- resources ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("priority", "expected"),
    [
        ("LeastRequestedPriority", {"half": 5, "full": 0, "none": 0}),
        ("MostRequestedPriority", {"half": 5, "full": 10, "none": 0}),
        ("RequestedToCapacityRatioPriority", {"half": 5, "full": 0, "none": 0}),
        ("BalancedResourceAllocation", {"half": 10, "full": 0, "none": 0}),
    ],
)
def test_scores_from_resources(priority: str, expected: dict[str, int]) -> None:
    nodes = [
        node("half", allocatable={"cpu": "2", "memory": "2Gi"}),
        node("full", allocatable={"cpu": "1", "memory": "1Gi"}),
        node("none"),
    ]
    assert scores(priority, attempt(pod(containers=requesting("1", "1Gi")), nodes)) == expected


def test_a_container_without_requests_counts_100m_and_200mi_but_an_explicit_zero_counts_zero() -> None:
    nodes = [node("n", allocatable={"cpu": "100m", "memory": "200Mi"})]
    assert scores("MostRequestedPriority", attempt(pod(containers=[{"name": "c"}]), nodes)) == {"n": 10}
    assert scores("MostRequestedPriority", attempt(pod(containers=requesting("0", "0")), nodes)) == {"n": 0}


def test_balance_divides_floats_not_integers() -> None:
    """Beyond 2^53 the operands lose digits before they are divided."""
    nodes = [node("n", allocatable={"cpu": "1", "memory": str(2**53 + 3)})]
    about = attempt(pod(containers=requesting("999m", str(2**53 + 2))), nodes)
    assert float(2**53 + 2) / float(2**53 + 3) < 1
    assert scores("BalancedResourceAllocation", about) == {"n": 9}


def test_limits_of_either_resource_are_enough() -> None:
    nodes = [node("small", allocatable={"cpu": "1"}), node("big", allocatable={"cpu": "2"})]
    limited = [{"name": "c", "resources": {"limits": {"cpu": "2", "memory": "1Gi"}}}]
    assert scores(RESOURCE_LIMITS.score, attempt(pod(containers=limited), nodes)) == {"small": 0, "big": 1}


# --- nodes ----------------------------------------------------------------------------------------


def preferring(*terms: tuple[int, Mapping[str, Any]]) -> dict[str, Any]:
    preferred = [{"weight": weight, "preference": preference} for weight, preference in terms]
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}


def test_preferred_node_affinity_ignores_fields_and_empty_terms() -> None:
    named_b = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["b"]}]}
    disk = {"matchExpressions": [{"key": "disk", "operator": "Exists"}]}
    nodes = [node("a", {"disk": "ssd"}), node("b"), node("c")]
    spec = pod(affinity=preferring((4, named_b), (2, disk), (9, {})))
    assert scores("NodeAffinityPriority", attempt(spec, nodes)) == {"a": 10, "b": 0, "c": 0}
    assert scores("NodeAffinityPriority", attempt(spec, nodes, quirks=Without(frozenset({"S-040"})))) == {
        "a": 5,
        "b": 10,
        "c": 0,
    }


def test_a_preferred_term_that_cannot_be_built_is_an_error() -> None:
    broken = {"matchExpressions": [{"key": "disk", "operator": "Near"}]}
    about = attempt(pod(affinity=preferring((1, broken))), [node("a"), node("b")])
    with pytest.raises(PriorityError, match='"Near" is not a valid node selector operator'):
        scores("NodeAffinityPriority", about)
    weightless = attempt(pod(affinity=preferring((0, broken))), [node("a")])
    assert scores("NodeAffinityPriority", weightless) == {"a": 0}


def test_only_prefer_no_schedule_taints_count_and_only_tolerations_of_that_effect() -> None:
    soft = {"key": "k", "value": "v", "effect": "PreferNoSchedule"}
    nodes = [node("a", taints=[soft, {**soft, "key": "l"}]), node("b", taints=[{**soft, "effect": "NoSchedule"}])]
    other_effect = {"key": "k", "operator": "Exists", "effect": "NoSchedule"}
    assert scores("TaintTolerationPriority", attempt(pod(tolerations=[other_effect]), nodes)) == {"a": 0, "b": 10}
    any_taint = {"operator": "Exists"}
    assert scores("TaintTolerationPriority", attempt(pod(tolerations=[any_taint]), nodes)) == {"a": 10, "b": 10}


def test_node_label_presence() -> None:
    nodes = [node("a", {"disk": ""}), node("b")]
    assert scores(alone("NodeLabelPriority", {"label": "disk", "presence": True}), attempt(pod(), nodes)) == {
        "a": 10,
        "b": 0,
    }


AVOIDED = [{"kind": "ReplicaSet", "name": "r", "uid": "u", "controller": True}]
ANNOTATION = "scheduler.alpha.kubernetes.io/preferAvoidPods"
LIST = '{"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"u"}}}]'
OF_KIND, OF_UID = LIST.replace(',"uid":"u"', ""), LIST[1:].replace('"kind":"ReplicaSet",', "")


@pytest.mark.parametrize(
    ("annotation", "score"),
    [
        ('{"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"u"}}}]}', 0),
        ('{"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"v"}}}]}', 10),
        ('{"PREFERavoidpods":[{"PodSignature":{"podcontroller":{"Kind":"ReplicaSet","UID":"u"}}}]}', 0),
        ('{"preferAvoidPods":[{"podSignature":{"podController":{"kind":7,"uid":"u"}}}]}', 10),
        ('{"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"u","apiVersion":1}}}]}', 10),
        (LIST + ',"x":1e999}', 0),
        (LIST + ',"x":NaN}', 10),
        (LIST + r',"x":"\ud800"}', 0),
        ('{"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"u","KIND":null}}}]}', 0),
        (LIST + ',"preferAvoidPods":null}', 10),
        (f"{OF_KIND},{OF_UID}}}", 0),
        ("not json", 10),
        ("", 10),
    ],
)
def test_nodes_that_ask_to_be_avoided(annotation: str, score: int) -> None:
    nodes = [node("n", annotations={ANNOTATION: annotation})]
    about = attempt(pod(metadata={"ownerReferences": AVOIDED}), nodes)
    assert scores("NodePreferAvoidPodsPriority", about) == {"n": score}


def test_an_avoidance_without_controller_crashes() -> None:
    nodes = [node("n", annotations={ANNOTATION: '{"preferAvoidPods":[{"podSignature":{}}]}'})]
    owned = pod(metadata={"ownerReferences": AVOIDED})
    with pytest.raises(Crash):
        scores("NodePreferAvoidPodsPriority", attempt(owned, nodes))
    mended = attempt(owned, nodes, quirks=Without(frozenset({"S-060"})))
    assert scores("NodePreferAvoidPodsPriority", mended) == {"n": 10}


def test_images_count_by_the_share_of_nodes_known_to_hold_them() -> None:
    image = [{"names": ["registry:5000/app:latest"], "sizeBytes": 1000 * 2**20}]
    nodes = [node("first", images=image), node("second", images=image)]
    wants = pod(containers=[{"name": "c", "image": "registry:5000/app"}])
    assert scores("ImageLocalityPriority", attempt(wants, nodes)) == {"first": 4, "second": 10}
    assert scores("ImageLocalityPriority", attempt(wants, nodes, resync=True)) == {"first": 10, "second": 10}


# --- spreading ------------------------------------------------------------------------------------

APP = {"app": "a"}


def service(name: str, selector: Mapping[str, str] | None, namespace: str = "default") -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": namespace}, "spec": {"selector": selector}}


def replica_set(name: str, selector: Mapping[str, Any]) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": "default"}, "spec": {"selector": selector}}


def test_a_pod_counts_only_where_every_selector_matches() -> None:
    pods = [pod("old", APP, nodeName="a"), pod("new", {**APP, "rs": "2"}, nodeName="b")]
    about = attempt(
        pod("p", {**APP, "rs": "2"}),
        [node("a"), node("b")],
        pods,
        services=[service("s", APP)],
        replicaSets=[replica_set("r", {"matchLabels": {"rs": "2"}})],
    )
    assert scores("SelectorSpreadPriority", about) == {"a": 10, "b": 0}


def test_one_invalid_replica_set_discards_all_of_them() -> None:
    sets = [
        replica_set("r", {"matchLabels": APP}),
        replica_set("x", {"matchExpressions": [{"key": "k", "operator": "Near"}]}),
    ]
    arguments: Any = (pod("p", APP), [node("a"), node("b")], [pod("q", APP, nodeName="a")])
    assert scores("SelectorSpreadPriority", attempt(*arguments, replicaSets=sets)) == {"a": 10, "b": 10}
    mended = attempt(*arguments, replicaSets=sets, quirks=Without(frozenset({"S-022"})))
    assert scores("SelectorSpreadPriority", mended) == {"a": 0, "b": 10}


def test_an_empty_service_selector_selects_every_pod_and_none_selects_no_pod() -> None:
    arguments: Any = (pod(), [node("a"), node("b")], [pod("q", nodeName="a")])
    assert scores("SelectorSpreadPriority", attempt(*arguments, services=[service("s", {})])) == {"a": 0, "b": 10}
    assert scores("SelectorSpreadPriority", attempt(*arguments, services=[service("s", None)])) == {"a": 10, "b": 10}
    foreign = attempt(*arguments, services=[service("s", {}, namespace="elsewhere")])
    assert scores("SelectorSpreadPriority", foreign) == {"a": 10, "b": 10}


def test_service_spreading_counts_by_controllers_too() -> None:
    controllers = [{"metadata": {"name": "rc", "namespace": "default"}, "spec": {"selector": APP}}]
    arguments: Any = (pod("p", APP), [node("a"), node("b")], [pod("q", APP, nodeName="a")])
    about = attempt(*arguments, replicationControllers=controllers)
    assert scores("ServiceSpreadingPriority", about) == {"a": 0, "b": 10}
    as_named = attempt(*arguments, replicationControllers=controllers, quirks=Without(frozenset({"S-058"})))
    assert scores("ServiceSpreadingPriority", as_named) == {"a": 10, "b": 10}


def test_service_anti_affinity_counts_pods_on_unlabelled_nodes_in_the_total() -> None:
    nodes = [node("a", {"rack": "1"}), node("b", {"rack": "2"}), node("c")]
    pods = [pod("q1", APP, nodeName="a"), pod("q2", APP, nodeName="c")]
    about = attempt(pod("p", APP), nodes, pods, services=[service("s", APP)])
    assert scores(alone("ServiceAntiAffinityPriority", {"label": "rack"}), about) == {"a": 5, "b": 10, "c": 0}


# --- inter-pod affinity ---------------------------------------------------------------------------


def affine(kind: str, weight: int, key: str = "zone") -> dict[str, Any]:
    term = {"topologyKey": key, "labelSelector": {"matchLabels": APP}}
    return {kind: {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": weight, "podAffinityTerm": term}]}}


ZONED = [node("n1", {"zone": "z"}), node("n2", {"zone": "z"}), node("n3", {"zone": "y"})]


def test_a_vote_for_a_node_without_counter_crashes_and_the_mended_scheduler_scores_it() -> None:
    pods = [pod("q", nodeName="n1", affinity=affine("podAffinity", 5))]
    with pytest.raises(Crash):
        scores("InterPodAffinityPriority", attempt(pod("p", APP), ZONED, pods))
    mended = attempt(pod("p", APP), ZONED, pods, quirks=V1_15_FIXED)
    assert scores("InterPodAffinityPriority", mended) == {"n1": 10, "n2": 10, "n3": 0}


def test_a_weightless_vote_crashes_as_well() -> None:
    pods = [pod("q", nodeName="n1", affinity=affine("podAffinity", 0))]
    with pytest.raises(Crash):
        scores("InterPodAffinityPriority", attempt(pod("p", APP), ZONED, pods))


def test_the_crash_comes_before_the_error_of_a_term_that_cannot_be_built() -> None:
    broken = affine("podAffinity", 1)
    term = broken["podAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"][0]["podAffinityTerm"]
    term["labelSelector"] = {"matchExpressions": [{"key": "app", "operator": "Near"}]}
    pods = [pod("q", nodeName="n1", affinity=broken), pod("r", nodeName="n1", affinity=affine("podAffinity", 5))]
    with pytest.raises(Crash):
        scores("InterPodAffinityPriority", attempt(pod("p", APP), ZONED, pods))
    with pytest.raises(PriorityError, match="Near"):
        scores("InterPodAffinityPriority", attempt(pod("p", APP), ZONED, pods[:1]))


ENGINES = (Reference(), Optimized())


def asked(engine: Reference | Optimized, pods: Sequence[Mapping[str, Any]], hard_weight: int = 1) -> Mapping[str, int]:
    cluster = read_cluster({"nodes": ZONED, "pods": list(pods)})
    configuration = Configuration(hard_pod_affinity_weight=hard_weight)
    return engine.priority(
        "InterPodAffinityPriority", Situation(cluster, decode(pod("p", APP), Pod), configuration), {}
    )


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_a_term_that_cannot_be_built_silences_the_later_ones_of_its_pod(engine: Reference | Optimized) -> None:
    """[S-051, S-052]"""
    term = "preferredDuringSchedulingIgnoredDuringExecution"
    voting, broken = (affine("podAffinity", 5)["podAffinity"][term] for _ in range(2))
    broken[0]["podAffinityTerm"]["labelSelector"] = {"matchExpressions": [{"key": "app", "operator": "Near"}]}
    with pytest.raises(Exception, match="Near"):
        asked(engine, [pod("q", nodeName="n1", affinity={"podAffinity": {term: [*broken, *voting]}})])
    with pytest.raises(Crash):
        asked(engine, [pod("q", nodeName="n1", affinity={"podAffinity": {term: [*voting, *broken]}})])


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_with_a_hard_weight_of_zero_required_affinity_of_existing_pods_is_not_even_looked_at(
    engine: Reference | Optimized,
) -> None:
    """No scheduler starts with it, but the priority can be asked.  [S-006, S-051]"""
    required = {"topologyKey": "zone", "labelSelector": {"matchLabels": APP}}
    wants = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [required]}}
    pods = [pod("q", nodeName="n1", affinity=wants)]
    assert asked(engine, pods, hard_weight=0) == {"n1": 0, "n2": 0, "n3": 0}
    with pytest.raises(Crash):
        asked(engine, pods)


def test_nodes_without_counter_score_zero_although_others_are_voted_against() -> None:
    nodes = [node("n1", {"zone": "z"}), node("n2", {"zone": "y"})]
    pods = [pod("q", nodeName="n1", affinity=affine("podAntiAffinity", 5))]
    assert scores("InterPodAffinityPriority", attempt(pod("p", APP), nodes, pods)) == {"n1": 0, "n2": 0}
    mended = attempt(pod("p", APP), nodes, pods, quirks=V1_15_FIXED)
    assert scores("InterPodAffinityPriority", mended) == {"n1": 0, "n2": 10}


def test_a_uniform_count_is_not_neutral() -> None:
    nodes = [node("n1", {"zone": "z"}), node("n2", {"zone": "z"})]
    pods = [pod("q", APP, nodeName="n1")]
    liked = attempt(pod(affinity=affine("podAffinity", 5)), nodes, pods)
    assert scores("InterPodAffinityPriority", liked) == {"n1": 10, "n2": 10}
    neutral = attempt(pod(affinity=affine("podAffinity", 5)), nodes, pods, quirks=Without(frozenset({"S-053"})))
    assert scores("InterPodAffinityPriority", neutral) == {"n1": 0, "n2": 0}


def test_required_affinity_of_existing_pods_votes_with_the_hard_weight() -> None:
    required = {"topologyKey": "zone", "labelSelector": {"matchLabels": APP}}
    wants = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [required]}}
    against = affine("podAntiAffinity", 3)
    nodes = [node("n1", {"zone": "z"}), node("n2", {"zone": "y"})]
    pods = [
        pod("q1", nodeName="n1", affinity={**wants, **against}),
        pod("q2", nodeName="n2", affinity={"podAffinity": {}}),
    ]
    lenient = attempt(pod("p", APP), nodes, pods, configuration=Configuration(hard_pod_affinity_weight=1))
    strict = attempt(pod("p", APP), nodes, pods, configuration=Configuration(hard_pod_affinity_weight=9))
    assert scores("InterPodAffinityPriority", lenient) == {"n1": 0, "n2": 10}
    assert scores("InterPodAffinityPriority", strict) == {"n1": 10, "n2": 0}


# --- the weighted sum -----------------------------------------------------------------------------


def fixed(*values: int) -> PriorityFunction:
    return lambda _, feasible: list(values[: len(feasible)])


def failing(text: str) -> PriorityFunction:
    def score(_: Attempt, __: Sequence[NodeInfo]) -> Sequence[int]:
        raise PriorityError(text)

    return score


def summed(*priorities: Priority, extenders: tuple[Extender, ...] = ()) -> dict[str, int]:
    about = attempt(pod(), [node("a"), node("b")])
    return scores(
        prioritize, evolve(about, semantics=evolve(about.semantics, priorities=priorities, extenders=extenders))
    )


def test_scores_are_weighted_and_not_clamped() -> None:
    assert summed(Priority("x", fixed(26, 0), 2), Priority("y", fixed(1, 10), 3)) == {"a": 55, "b": 30}


def test_without_priorities() -> None:
    assert summed() == {"a": 1, "b": 1}
    assert summed(extenders=(Extender(),)) == {"a": 0, "b": 0}


def test_all_errors_are_told_each_once() -> None:
    priorities = [Priority(name, failing(text)) for name, text in (("x", "two"), ("y", "one"), ("z", "two"))]
    with pytest.raises(PriorityError, match=r"^\[one, two\]$"):
        summed(*priorities)
    with pytest.raises(PriorityError, match=r"^two$"):
        summed(priorities[0], priorities[2])


def test_extender_scores_add_up_and_unknown_hosts_are_ignored() -> None:
    answers = [ExtenderScores([("a", 5), ("a", 1), ("elsewhere", 9)], 2), ExtenderScores([("b", -1)], 3)]
    assert with_extender_scores([100, 100], ["a", "b"], answers) == [112, 97]
