"""Extenders: what they are sent, and what becomes of their answers."""

from random import Random
from typing import Any

import pytest

from impl.engine import Optimized
from model.algorithm import Attempted, schedule
from model.api.cluster import Cluster
from model.api.components import Decision, PreemptionDecision, Situation
from model.api.configuration import Configuration, Extender, ManagedResource, PolicyEntry
from model.api.decode import encode
from model.api.protocol import ApiError, AskExtender
from model.decision import answered
from model.engine import Reference
from model.extenders import ExtenderError, bind_with, formatted, in_order, is_interested
from model.preemption.extenders import preemption_body
from model.preemption.victims import Victims
from model.quirks import EVERY, Quirks, Without
from model.releases import v1_15_3
from model.standing import standing
from oracle.compare.decisions import compare_preempt, compare_schedule
from oracle.environment import Environment, Settings
from oracle.environment.operations import ScheduleOne
from oracle.strategies.extenders import extenders
from oracle.strategies.swarm import Draw
from tests.attempts import claim, storage_class, volume
from tests.building import apart, budget, node, pod
from tests.samples import recorded_lines

URL = "http://one"
FILTER = Extender(url_prefix=URL, filter_verb="filter")
CACHING = Extender(url_prefix=URL, filter_verb="filter", node_cache_capable=True)
NODES = tuple(node(name) for name in ("n0", "n1", "n2"))
EQUAL = (PolicyEntry("EqualPriority"),)


def situation(*extenders: Extender, answers: Any, nodes: Any = NODES) -> Situation:
    configuration = Configuration(extenders=extenders, priorities=EQUAL)
    return Situation(Cluster(nodes=nodes), pod("p"), configuration, extenders={URL: answers})


def decide(*extenders: Extender, **answers: Any) -> Decision:
    return Reference().decide(situation(*extenders, answers=answers))


ENGINES = pytest.mark.parametrize("engine", [Reference(), Optimized()], ids=lambda engine: engine.name)


@ENGINES
def test_a_managed_resource_is_ignored_only_while_there_are_metadata(engine: Reference | Optimized) -> None:
    """One selector that cannot be built, of any pod, and the scheduler has none.  [P-010, P-038, P-047]"""
    ignoring = Extender(managed_resources=(ManagedResource("example.com/gpu", ignored_by_scheduler=True),))
    resources = (PolicyEntry("PodFitsResources"),)
    configuration = Configuration(extenders=(ignoring,), predicates=resources, priorities=EQUAL)
    asking = pod("p", containers=[{"resources": {"requests": {"example.com/gpu": "1"}}}])
    others = (pod("q", on="n0"), pod("q", on="n0", affinity=apart(("zone", "-"))))
    decisions = [engine.decide(Situation(Cluster(nodes=NODES, pods=(q,)), asking, configuration)) for q in others]
    assert [decision.error for decision in decisions] == [
        None,
        "0/3 nodes are available: 3 Insufficient example.com/gpu.",
    ]


# --- filter ---------------------------------------------------------------------------------------


def test_the_answer_is_the_new_list_in_its_order() -> None:
    """[A-032, A-033]"""
    answer = {"Nodes": {"Items": [encode(NODES[2]), encode(NODES[0])]}, "FAILEDNODES": {"n1": "too warm"}}
    decision = decide(FILTER, filter=answer)
    assert (decision.feasible, decision.evaluated_nodes) == (("n2", "n0"), 3)


def test_names_are_looked_up_in_the_snapshot() -> None:
    """[A-033, L-201]"""
    assert decide(CACHING, filter={"nodenames": ["n1"]}).host == "n1"
    unknown = situation(CACHING, answers={"filter": {"nodenames": ["n9"]}})
    assert "nil pointer" in (Reference().decide(unknown).crash or "")
    for engine in (Reference(), Optimized()):
        assert "nil pointer" in (engine.preempt(unknown).crash or "")
    mended = Reference().without("L-201").decide(unknown)
    assert mended.error == f"extender {URL} answers with an unknown node n9"


@ENGINES
@pytest.mark.parametrize(
    ("returned", "outcome"),
    [
        (("n9",), {"bind": {"pod": "default/p", "node": "n9"}}),
        (("n0", "n9"), {"condition": {"reason": "Unschedulable", "message": "node not found"}}),
    ],
)
def test_a_node_that_is_returned_need_not_exist(
    engine: Reference | Optimized, returned: tuple[str, ...], outcome: Any
) -> None:
    """Alone it is the host; among others it cannot be scored.  [A-033, A-041, S-016]"""
    answer = {"nodes": {"items": [encode(node(name)) for name in returned]}}
    scheduler = engine.scheduler(Configuration(extenders=(FILTER,)))
    environment = Environment(scheduler, Settings(), lambda request: answer)
    environment.start(Cluster(nodes=NODES, pods=(pod("p", schedulerName="default-scheduler"),)))
    effects = environment.step(ScheduleOne()).effects
    (name, said), *_ = outcome.items()
    assert any(said.items() <= effect.get(name, {}).items() for effect in effects)


@ENGINES
@pytest.mark.parametrize(
    ("refused", "bound"),
    [
        ({"nodeSelector": {"disk": "ssd"}}, False),
        ({"affinity": apart(("host", "full"))}, True),
    ],
)
def test_of_a_refused_node_the_volumes_are_known_if_it_was_asked_about_them(
    engine: Reference | Optimized, refused: Any, bound: bool
) -> None:
    """An extender gives back n0 though predicates refuse it: before CheckVolumeBinding, or after it.  [V-027]"""
    n0 = node("n0", labels={"host": "n0"})
    answer = {"nodes": {"items": [encode(n0)]}}
    environment = Environment(engine.scheduler(Configuration(extenders=(FILTER,))), Settings(), lambda request: answer)
    cluster = Cluster(
        storage_classes=(storage_class("local"),),
        persistent_volumes=(volume("pv"),),
        persistent_volume_claims=(claim("c"),),
        nodes=(n0, node("n1", labels={"disk": "ssd", "host": "n1"})),
        pods=(
            pod("q", on="n0", labels={"app": "full"}),
            pod("p", claims=["c"], schedulerName="default-scheduler", **refused),
        ),
    )
    environment.start(cluster)
    effects = environment.step(ScheduleOne()).effects
    assert [effect for effect in effects if "pvUpdate" in effect] == [
        {"pvUpdate": {"pv": "pv", "claim": "default/c"}}
    ] * bound
    assert not [effect for effect in effects if "event" in effect], "the pod waits for its volumes on n0"


def test_nodes_are_sent_on_as_they_were_returned() -> None:
    """[A-032, A-033]"""
    labelled, stranger = node("n0", labels={"seen": "yes"}), node("n9")
    steps = schedule_steps(FILTER, FILTER)
    next(steps)
    second = steps.send({"nodes": {"items": [encode(labelled), encode(stranger)]}})
    assert second.body["Nodes"]["items"] == [encode(labelled), encode(stranger)]


def test_messages_are_reasons_of_their_own() -> None:
    """[A-032, A-034]"""
    decision = decide(FILTER, filter={"failedNodes": dict.fromkeys(("n0", "n1", "n2", "n9"), "too warm")})
    assert decision.error == "0/3 nodes are available: 4 too warm."
    assert decision.evaluated_nodes == 4


def test_messages_do_not_keep_preemption_away() -> None:
    """[A-034]"""
    answers = {"filter": {"failedNodes": {"n0": "too warm"}}}
    decision = Reference().preempt(situation(FILTER, answers=answers, nodes=NODES[:1]))
    assert decision.candidates == ("n0",)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (ApiError("500", ""), "Failed filter with extender at URL http://one/filter, code 500"),
        (ApiError("Unreachable", "connection refused"), "connection refused"),
        ({"error": "90% full"}, "90%!f(MISSING)ull"),
    ],
)
def test_a_failing_extender_fails_the_attempt_unless_it_may_be_ignored(answer: Any, error: str) -> None:
    """[A-031, L-201, L-208]"""
    decision = decide(FILTER, filter=answer)
    assert (decision.error_type, decision.error, decision.feasible) == ("Other", error, None)
    ignorable = Extender(url_prefix=URL, filter_verb="filter", ignorable=True)
    assert decide(ignorable, filter=answer).feasible == ("n0", "n1", "n2")


@pytest.mark.parametrize("answer", [[], {"nodes": []}, {"nodes": {"items": [{"metadata": 1}]}}])
def test_an_answer_of_the_wrong_shape_is_an_error(answer: Any) -> None:
    decision = decide(FILTER, filter=answer)
    assert decision.error_type == "Other"
    assert "expected an object" in str(decision.error)


def test_only_interested_extenders_are_asked_and_none_after_the_last_node() -> None:
    """[A-030, A-035]"""
    gpu = (ManagedResource("example.com/gpu"),)
    uninterested = Extender(url_prefix=URL, filter_verb="fail", managed_resources=gpu)
    later = Extender(url_prefix=URL, filter_verb="fail", ignorable=False)
    assert decide(uninterested).feasible == ("n0", "n1", "n2")
    assert decide(FILTER, later, filter={}).error_type == "FitError"
    wanting = pod("p", initContainers=[{"name": "i", "resources": {"limits": {"example.com/gpu": "0"}}}])
    assert is_interested(uninterested, wanting)


def test_ignorable_extenders_come_last() -> None:
    """[L-207]"""
    extenders = [Extender(url_prefix=name, ignorable=name.isupper()) for name in "aBcD"]
    assert [extender.url_prefix for extender in in_order(extenders)] == ["a", "c", "B", "D"]


def first_request(*extenders: Extender) -> AskExtender:
    about = situation(*extenders, answers={})
    stand = standing(about)
    attempt = schedule(about.pod, stand.world, stand.snapshot, stand.tree, 0, v1_15_3(about.configuration))
    request = next(attempt)
    assert isinstance(request, AskExtender)
    return request


def test_what_a_filter_is_sent() -> None:
    """[A-033, L-202]"""
    request = first_request(Extender(url_prefix="http://one//", filter_verb="filter"))
    assert (request.url_prefix, request.verb) == ("http://one", "filter")
    assert list(request.body) == ["Pod", "Nodes", "NodeNames"]
    assert request.body["NodeNames"] is None
    assert [item["metadata"]["name"] for item in request.body["Nodes"]["items"]] == ["n0", "n1", "n2"]
    named = first_request(CACHING).body
    assert (named["Nodes"], named["NodeNames"]) == (None, ["n0", "n1", "n2"])


@pytest.mark.parametrize(
    ("text", "mangled"),
    [
        ("plain", "plain"),
        ("100%", "100%!(NOVERB)"),
        ("%d of %s", "%!d(MISSING) of %!s(MISSING)"),
        ("100%%", "100%"),
        ("%-5.2fx", "%!f(MISSING)x"),
    ],
)
def test_error_texts_are_mangled_as_formats(text: str, mangled: str) -> None:
    """[L-201]"""
    assert formatted(text) == mangled


# --- scores ---------------------------------------------------------------------------------------


def test_scores_are_weighted_and_added() -> None:
    """[L-203, S-018]"""
    scoring = Extender(url_prefix=URL, prioritize_verb="score", weight=3)
    decision = decide(
        scoring, score=[{"Host": "n2", "Score": 2}, {"host": "n2", "score": 1}, {"host": "n9", "score": 9}]
    )
    assert decision.host == "n2"
    assert decision.last_node_index == 1


def test_an_extender_that_cannot_score_adds_nothing() -> None:
    """[L-203]"""
    scoring = Extender(url_prefix=URL, prioritize_verb="score", weight=3)
    assert decide(scoring, score=ApiError("500", "")).host == "n0"
    answered_by_nobody: Attempted = answered(
        schedule_steps(Extender(url_prefix=URL, filter_verb="filter", prioritize_verb="score", weight=1)),
        {URL: {"filter": {"nodes": {"items": [encode(NODES[1])]}}}},
    )
    assert answered_by_nobody.host == "n1", "a single node is not scored"


def schedule_steps(*extenders: Extender) -> Any:
    about = situation(*extenders, answers={})
    stand = standing(about)
    return schedule(about.pod, stand.world, stand.snapshot, stand.tree, 0, v1_15_3(about.configuration))


# --- preemption -----------------------------------------------------------------------------------

PREEMPTING = Extender(url_prefix=URL, preempt_verb="preempt")
CANDIDATES = {
    "n0": {"pods": [{"uid": "uid-v0"}], "numPDBViolations": 1},
    "n1": {"pods": [{"uid": "uid-v1"}], "numPDBViolations": 0},
}


def preempt(extender: Extender, answer: Any, engine: Reference | None = None) -> PreemptionDecision:
    """n0 and n1 each hold one victim; that of n0 is less important but protected."""
    pods = (
        pod("v0", cpu="8", priority=1, on="n0", labels={"app": "x"}),
        pod("v1", cpu="8", priority=2, on="n1"),
    )
    cluster = Cluster(nodes=NODES[:2], pods=pods, pod_disruption_budgets=(budget("b", 0, app="x"),))
    about = pod("p", cpu="5", priority=10)
    configuration = Configuration(extenders=(extender,))
    return (engine or Reference()).preempt(
        Situation(cluster, about, configuration, extenders={URL: {"preempt": answer}})
    )


def test_an_answer_replaces_the_candidates_and_forgets_violations() -> None:
    """[E-050, E-052]"""
    assert preempt(Extender(url_prefix=URL), None).node == "n1"
    assert preempt(PREEMPTING, {"NodeNameToMetaVictims": CANDIDATES}).node == "n0"
    mended = Reference(Without(frozenset({"E-052"})))
    assert preempt(PREEMPTING, {"NodeNameToMetaVictims": CANDIDATES}, mended).node == "n1"
    assert preempt(PREEMPTING, {"nodeNameToMetaVictims": {}}).node is None


def test_a_failing_extender_fails_preemption_unless_it_may_be_ignored() -> None:
    """[E-050]"""
    assert preempt(PREEMPTING, ApiError("500", "")).node is None
    ignorable = Extender(url_prefix=URL, preempt_verb="preempt", ignorable=True)
    assert preempt(ignorable, ApiError("500", "")).node == "n1"


def test_pods_that_are_not_where_they_are_said_to_be() -> None:
    """[E-052]"""
    elsewhere = {"nodeNameToMetaVictims": {"n0": {"pods": [{"uid": "uid-v1"}]}}}
    assert preempt(PREEMPTING, elsewhere).node is None
    unknown = {"nodeNameToMetaVictims": {"n9": {"pods": [{"uid": "uid-v1"}]}}}
    assert preempt(PREEMPTING, unknown).crash is not None


@pytest.mark.parametrize(("quirks", "told"), [(EVERY, 0), (Without(frozenset({"E-051"})), 1)])
def test_an_extender_that_caches_nodes_is_told_uids_and_no_violations(quirks: Quirks, told: int) -> None:
    """[E-051, L-202]"""
    candidates = {"n0": Victims((pod("v0", on="n0"),), 1)}
    caching = Extender(url_prefix=URL, preempt_verb="preempt", node_cache_capable=True)
    named = preemption_body(caching, pod("p"), candidates, quirks)
    assert named["NodeNameToVictims"] is None
    assert named["NodeNameToMetaVictims"] == {"n0": {"Pods": [{"UID": "uid-v0"}], "NumPDBViolations": told}}
    whole = preemption_body(PREEMPTING, pod("p"), candidates, quirks)
    assert whole["NodeNameToMetaVictims"] is None
    assert whole["NodeNameToVictims"] == {"n0": {"Pods": [encode(pod("v0", on="n0"))], "NumPDBViolations": 1}}


# --- binding --------------------------------------------------------------------------------------


def test_binding_names_pod_and_node() -> None:
    """[L-204]"""
    extender = Extender(url_prefix=URL, bind_verb="bind")
    request = next(bind_with(extender, pod("p"), "n1"))
    assert isinstance(request, AskExtender)
    assert request.body == {"PodName": "p", "PodNamespace": "default", "PodUID": "uid-p", "Node": "n1"}
    answered(bind_with(extender, pod("p"), "n1"), {URL: {"bind": {}}})
    with pytest.raises(ExtenderError, match="full"):
        answered(bind_with(extender, pod("p"), "n1"), {URL: {"bind": {"error": "full"}}})


# --- both engines ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("kind", "compare"), [("schedule", compare_schedule), ("preempt", compare_preempt)])
def test_with_extenders_both_decide_the_same(kind: str, compare: Any, seed: int) -> None:
    for number, recorded in enumerate(recorded_lines(kind)[seed::4]):
        draw = Draw(Random(f"{seed} {number}"))
        cluster = recorded["cluster"]
        names = [document["metadata"]["name"] for document in cluster.get("nodes") or ()]
        uids = [document["metadata"]["uid"] for document in cluster.get("pods") or ()]
        listed, answers = extenders(draw, names, uids)
        config = recorded["config"] | {"extenders": listed}
        case = {**recorded, "config": config, "extenders": answers}
        assert compare(case, Optimized(), Reference()) is None, recorded["id"]
