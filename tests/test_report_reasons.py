"""What a report says in words: where two records part, and why the reference has it its way."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from model.api.clock import Instant
from model.api.components import QueueState, WaitingPod
from model.api.configuration import Configuration
from model.api.decode import decode
from model.api.objects import Pod
from model.engine import Reference
from model.semantics import Semantics
from oracle.compare.decided import decided
from oracle.compare.divergence import Divergence
from oracle.compare.places import place
from oracle.compare.wording import sentence
from oracle.conform.verdict import Difference
from oracle.finding import Finding
from oracle.report import write_finding
from oracle.report.failing import failing
from oracle.report.keeping import because_of_counts
from oracle.report.nominating import because_of_nominations
from oracle.report.pod_facts import facts
from oracle.report.waiting import because_of_queues
from oracle.report.words import effect_words
from tests.findings import Document, Lacking, cache, found, node, pod, queue, trace


@pytest.mark.parametrize(
    ("path", "label", "has"),
    [
        ("active", "Active queue, next first", "has {} in the active queue"),
        ("nominated.n1", "Nominated to n1", "has {} nominated to n1"),
        ("cacheNodes.n1", "Pods counted on n1", "counts {} on n1"),
        ("nodes.n.1.pods", "Pods counted on n.1", "counts {} on n.1"),
        ("nodes.n1.requested.milliCPU", "milli-CPU requested on n1", "counts {} of milli-CPU requested on n1"),
        (
            "nodes.n3.imageStates.app:1.numNodes",
            "Nodes with image app:1, as counted for n3",
            "counts {} nodes with image app:1 for n3",
        ),
        ("snapshot.nodes.n1.pods", "Pods counted on n1, in the snapshot", "counts {} on n1 in the snapshot"),
        ("of.no.table", "of no table", "has {} as of no table"),
    ],
)
def test_places_have_names(path: str, label: str, has: str) -> None:
    assert (place(path).label, place(path).has) == (label, has)


def test_a_cache_that_counts_otherwise_is_said_so() -> None:
    assert cache().sentence == (
        "After step 2 (AddNode n2), the scheduler under test counts 2 nodes with image app:1 for n1; v1.15.3 counts 1"
    )


def test_requests_that_fail_are_said_in_words() -> None:
    """Of a step, and of a whole run."""
    differing = Difference("steps[0].effects[0]", None, {"pvcUpdateError": {"pvc": "default/c", "reason": "Internal"}})
    said = sentence({}, Divergence(0, {"op": "scheduleOne"}, {}, {}, differing), "python:a:B")
    assert said == (
        "At step 1 (one scheduling cycle), the scheduler under test has an update of claim default/c refused "
        "(Internal); v1.15.3 does nothing more"
    )
    assert effect_words({"pvUpdateError": {"pv": "v", "reason": "Internal"}}) == (
        "the update of volume v is refused: Internal"
    )
    failures = {"getPod": ["default/q", "default/q"], "updateClaim": ["default/c"]}
    assert failing({"config": {"bindFailures": ["default/p"], "apiFailures": failures}}) == (
        "1 bind request of pod default/p",
        "2 reads of pod default/q",
        "1 update of claim default/c",
    )


def test_what_a_side_lacks_is_said_in_words() -> None:
    taken, none = ({"nodes": {"n1": {"usedPorts": ports}}} for ports in (["0.0.0.0/TCP/80"], []))
    differing = Difference("steps[0] AddPod.nodes.n1.usedPorts", ["0.0.0.0/TCP/80"], [])
    said = sentence({"kind": "cache"}, Divergence(0, {"op": "AddPod"}, taken, none, differing), "X")
    assert said == "After step 1 (AddPod), X has no host ports taken on n1; v1.15.3 has the host ports 0.0.0.0/TCP/80"


@pytest.mark.parametrize(
    ("found", "wanted", "said"),
    [
        ("1 a.", "1 a, 1 b.", "X does not say “1 b”, as v1.15.3 does"),
        ("1 a, 1 b.", "1 b.", "X says “1 a” besides"),
        ("2 a, 1 b.", "1 a, 1 b.", "X says “2 a” where v1.15.3 says “1 a”"),
        ("1 b, 1 a.", "1 a, 1 b.", "X says “0/2 nodes are available: 1 b, 1 a.”; v1.15.3 says"),
    ],
)
def test_of_two_messages_only_the_difference_is_told(found: str, wanted: str, said: str) -> None:
    case = {"pod": {"metadata": {"name": "p"}}}
    expected, actual = ({"error": f"0/2 nodes are available: {text}"} for text in (wanted, found))
    assert f"No node for default/p: {said}" in str(decided(case, expected, actual, "X"))


def test_backoff_is_told_where_it_decides(tmp_path: Path) -> None:
    """Not of a pod that an update makes active while its backoff still lasts."""
    assert "refused once" not in _text(queue(), tmp_path)
    later = evolve(queue(), expected={**queue().expected, "nowMs": 1000})
    reason = (
        "p-2 belongs in the active queue: refused once, last at 0 s, its backoff of 1 s was over at 1 s; now it is 1 s."
    )
    assert reason in _text(later, tmp_path)


def test_a_refused_binding_is_told() -> None:
    refused = {"effects": [{"bindError": {"pod": "default/p", "node": "n1", "reason": "injected"}}]}
    expected, actual = {**refused, "assumed": []}, {**refused, "assumed": ["default/p"]}
    (reason,) = because_of_counts({}, expected, actual)
    assert reason.text.startswith("The API server refused to bind default/p to n1: the pod is forgotten")
    assert "L-097" in reason.rules
    assert not list(because_of_counts({}, expected, expected))


def test_the_order_of_counted_pods_is_told() -> None:
    before, expected, actual = (_counting(*pods) for pods in (("a", "b", "c"), ("c", "b"), ("b", "c")))
    (reason,) = because_of_counts(before, expected, actual)
    assert reason.text == "a has left n1: the last of the pods counted there takes its place."
    assert not list(because_of_counts(expected, expected, actual))


def test_two_pods_of_one_name_are_told_apart() -> None:
    (reason,) = because_of_counts(_counting(), _counting("a", "a"), _counting("a"))
    assert reason.text == "Two pods of the name a are counted on n1: pods are told apart by their UIDs."


def test_who_takes_more_pods_is_told_only_where_that_comes_first() -> None:
    """A side that has refused a pod takes it again."""
    bound = {"popped": ["a", "b"], "effects": [{"bind": {"pod": "b", "node": "n1"}}]}
    refusal = {"event": {"pod": "b", "reason": "FailedScheduling", "message": "0/1 nodes are available: 1 full."}}
    refused = {"popped": ["a", "b", "b"], "effects": [refusal]}
    assert decided({}, bound, refused, "X") == "X finds no node for b; v1.15.3 puts it on n1"
    assert decided({}, bound, {**refused, "popped": ["b"]}, "X") == (
        "X takes b from the active queue; v1.15.3 takes a, b"
    )


class Alone(Reference):
    """The reference, which asks no extender."""

    def semantics(self, configuration: Configuration) -> Semantics:
        return evolve(super().semantics(configuration), extenders=())


def test_an_end_of_the_reference_is_told_with_its_rule(tmp_path: Path) -> None:
    """An extender would evict somebody from a node that is not there."""
    waiting = pod("web", "1", priority=5)
    case = trace([node("n1", cpu="1")], [pod("old", "1", on="n1"), waiting])
    url = "http://first.example"
    case["config"] = {"extenders": [{"urlPrefix": url, "preemptVerb": "preempt"}]}
    case["extenders"] = {url: {"preempt": {"NodeNameToMetaVictims": {"nowhere": {"Pods": [{}]}}}}}
    said = _text(found(case, Alone()), tmp_path)
    assert "The answer's UIDs are looked up among the snapshot's pods of each node. \\[E-052\\]" in said


def test_host_ports_that_do_not_count_are_told() -> None:
    holder = pod("p")
    holder["spec"]["initContainers"] = [{"name": "i", "ports": [{"hostPort": 80}]}]
    told = dict(facts(decode(holder, Pod)))
    assert told["host ports of init containers"] == "TCP 0.0.0.0:80 (not counted)"


def test_a_nomination_in_memory_is_told() -> None:
    pods = {name: decode(document, Pod) for name, document in queue().trace["pods"].items()}
    operation = queue().trace["ops"][4]
    expected = {"nominated": {"n1": ["p-2"]}}
    (reason,) = because_of_nominations(operation, expected, {"nominated": {}}, pods)
    assert "default/p is nominated to n1 in memory: such a nomination stays." in reason.text
    assert not list(because_of_nominations({"op": "Add", "pod": "p-1"}, {"nominated": {"n1": ["p-1"]}}, {}, pods))


def test_the_holder_of_a_port_is_named(tmp_path: Path) -> None:
    waiting, running = pod("web"), pod("running", on="n1")
    for document in (waiting, running):
        document["spec"]["containers"][0]["ports"] = [{"hostPort": 80}]
    assert "TCP 0.0.0.0:80 is taken by default/running." in _text(
        _placed(waiting, running, "GeneralPredicates"), tmp_path
    )


def test_the_term_that_keeps_away_is_counted(tmp_path: Path) -> None:
    waiting, running = pod("web"), pod("running", on="n1")
    running["metadata"]["labels"] = {"app": "db"}
    terms = [
        {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": "kubernetes.io/hostname"}
        for app in ("db", "cache")
    ]
    waiting["spec"]["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    text = _text(_placed(waiting, running, "MatchInterPodAffinity"), tmp_path)
    assert "1 of the 2 terms of the pod selects default/running (labels: app=db) on n1, which has the same" in text


def test_spreading_counts_by_each_selector_and_by_all(tmp_path: Path) -> None:
    there = [pod(name, on="n1", labels={name: "yes"}) for name in ("one", "other")]
    waiting = pod("p", labels={"one": "yes", "other": "yes"})
    services = [
        {"kind": "Service", "metadata": {"name": name, "namespace": "default"}, "spec": {"selector": {name: "yes"}}}
        for name in ("one", "other")
    ]
    cluster = {"nodes": [node("n1")], "pods": there, "services": services}
    config = {"alwaysCheckAllPredicates": False, "hardPodAffinitySymmetricWeight": 1, "percentageOfNodesToScore": 0}
    case = {"kind": "schedule", "cluster": cluster, "config": config, "pod": waiting}
    text = _text(found(case, Lacking("SelectorSpreadPriority")), tmp_path)
    assert "2 selectors of services and controllers select the pod; they match on n1 1 and 1 of 2 pods" in text
    assert "all of them together 0." in text


def _placed(waiting: Document, running: Document, lacking: str) -> Finding:
    """Where the predicate is lacking."""
    there = node("n1", labels={"kubernetes.io/hostname": "n1"})
    return found(trace([there], [running, waiting]), Lacking(lacking))


def _counting(*pods: str) -> Mapping[str, Any]:
    return {"cacheNodes": {"n1": list(pods)}}


def _text(finding: Finding, directory: Path) -> str:
    return (write_finding(evolve(finding, quirk=""), directory) / "report.md").read_text()


def test_what_the_order_and_the_sweep_go_by_is_told() -> None:
    first, second = (decode(pod(name), Pod) for name in ("a", "b"))
    pods = {waiting.key: waiting for waiting in (first, second)}
    after = QueueState(active=(WaitingPod(first, Instant(0, 1), None), WaitingPod(second, Instant(500), None)))
    right, wrong = {"active": [*pods]}, {"active": [*reversed(pods)]}
    (reason,) = because_of_queues(right, wrong, pods, {}, after, (), None)
    assert reason.text.endswith("and it has waited longer (since 0 s, default/b since 500 ms).")
    swept, left = ({place: ["default/a"], "clock": 60_000} for place in ("active", "unschedulable"))
    reason, *_ = because_of_queues(swept, left, pods, {"unschedulable": ["default/a"]}, after, ("Q-064",), None)
    assert "it is there since 0 s, and now it is 60 s, later within the millisecond" in reason.text


@pytest.mark.parametrize(("own", "said"), [(3, "its own, cycle 3, or after it"), (None, "its own or after it")])
def test_the_cycles_that_are_compared_are_told(own: int | None, said: str) -> None:
    parked, backing_off = {"unschedulable": ["default/a"]}, {"backoff": ["default/a"], "moveRequestCycle": 3}
    reason, *_ = because_of_queues(backing_off, parked, {}, {}, None, ("Q-043",), own)
    assert f"a move request came in cycle 3, during {said}" in reason.text
