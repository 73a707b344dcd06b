"""What a report works out beside the records: who may return to a node, how points come about, why queues remember."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from model.api.configuration import Configuration, PolicyEntry
from model.api.integers import int64
from model.rules import RULES
from oracle.conform.verdict import Difference
from oracle.finding import Finding
from oracle.report import write_finding
from oracle.report.arithmetic import working
from oracle.report.moment import moment_of
from oracle.report.node_tree import because_of_tree
from oracle.report.operations import OPERATIONS
from oracle.report.points import about_totals
from oracle.report.refusals import because_of_cycles, because_of_refusals
from oracle.report.reprieve import reprieve
from oracle.report.trial import Scored
from oracle.report.witness import Cycle
from oracle.report.writing import because_of_effects
from tests.findings import Document, Lacking, cache, found, node, pod, preemption, queue, tainted_host, trace
from tests.thrifty import Thrifty

SMALL = {"alwaysCheckAllPredicates": False, "hardPodAffinitySymmetricWeight": 1, "percentageOfNodesToScore": 0}


def text(finding: Finding, directory: Path) -> str:
    return (write_finding(evolve(finding, quirk=""), directory) / "report.md").read_text()


def cycle(finding: Finding) -> Cycle:
    return moment_of(finding).cycles[-1]


def decision(kind: str, nodes: list[Document], pods: list[Document], about: Document, **more: Any) -> Document:
    return {"kind": kind, "cluster": {"nodes": nodes, "pods": pods, **more}, "config": SMALL, "pod": about}


# --- victims --------------------------------------------------------------------------------------


def test_pods_return_to_a_node_in_turn() -> None:
    """A budget that allows nothing comes first, then priority; who is as important never leaves."""
    thought = reprieve(cycle(preemption()), "n1")
    assert thought is not None
    assert [(each.pod.name, each.budgets, each.stays) for each in thought.returns] == [
        ("a", ("guard",), False),
        ("b", (), False),
    ]
    assert thought.returns[0].refused == ("Insufficient cpu: asks for 2, 1 free (1 of 2 taken)",)
    assert thought.victims == tuple(each.pod for each in thought.returns)


def test_a_node_may_be_of_no_use(tmp_path: Path) -> None:
    """The pod wants to be near one that would have to go."""
    near = {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": "kubernetes.io/hostname"}
    wanting = pod("web", "3", priority=5)
    wanting["spec"]["affinity"] = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [near]}}
    there = [pod("db", "1", on="n1", labels={"app": "db"}), pod("batch", "2", on="n1")]
    case = decision("preempt", [node("n1", labels={"kubernetes.io/hostname": "n1"})], there, wanting)
    thought = reprieve(cycle(found(case, Lacking("MatchInterPodAffinity"))), "n1")
    assert thought is not None
    assert thought.returns == ()
    assert thought.refused[-1].endswith("no pod that the pod must be near has kubernetes.io/hostname=n1")
    said = text(found(case, Lacking("MatchInterPodAffinity")), tmp_path)
    assert "Even without default/db and default/batch, all of lower priority on n1, it refuses default/web" in said
    assert "allowed by v1.15, though not the best: evicting default/batch from n1 would" in said


def test_what_is_better_than_allowed_is_told_with_proof_and_price(tmp_path: Path) -> None:
    there = [pod("old", "2", on="n1"), pod("mid", "1", on="n1"), pod("new", "1", on="n1")]
    for at, each in enumerate(there):
        each["status"]["startTime"] = f"2019-12-01T00:0{at}:00Z"
    case = decision("preempt", [node("n1")], there, pod("web", "2", priority=5))
    said = text(found(case, Thrifty()), tmp_path)
    assert (
        "The scheduler under test evicts default/old from n1 and lets default/mid and default/new stay: default/web "
        "fits then (cpu 2 asked, 2 free; memory 1Gi asked, 6Gi free), and each victim is needed (proved)." in said
    )
    assert "It pays 1 victim of priority 0; v1.15.3 pays 2 victims of priority 0." in said


def test_volumes_that_are_too_many_are_named(tmp_path: Path) -> None:
    disks = [{"name": name, "gcePersistentDisk": {"pdName": name}} for name in ("old", "new")]
    there, wanting = pod("there", on="n1"), pod("web")
    there["spec"]["volumes"], wanting["spec"]["volumes"] = disks[:1], disks[1:]
    full = node("n1")
    full["status"]["allocatable"]["attachable-volumes-gce-pd"] = "1"
    said = text(found(decision("schedule", [full], [there], wanting), Lacking("MaxGCEPDVolumeCount")), tmp_path)
    assert "exceed max volume count: 1 attached (old) + 1 new (new) \\> limit 1 of gce-pd" in said
    assert "volumes of gce-pd: 1 attached (old) + 1 new (new), limit 1" in said


# --- points ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        (3, "The points of n1, times their weights: 10 × 3 (A) + 2 × 1 (B) = 32."),
        (2**60, f"10 × {2**60} (A) + 2 × 1 (B) = {10 * 2**60 + 2}, in 64 bits = {10 * 2**60 + 2 - 2**64}."),
    ],
)
def test_a_total_is_told_with_its_terms(weight: int, says: str) -> None:
    scored = [Scored("A", weight, {"n1": 10}, ()), Scored("B", 1, {"n1": 2}, ()), Scored("C", 1, "broken", ())]
    (reason,) = about_totals(scored, {"n1": int64(10 * weight + 2)}, {"n1": 0})
    assert reason.text.endswith(says)
    assert not list(about_totals(scored, {"n1": 99}, {"n1": 0}))


SHAPE = {"requestedToCapacityRatioArguments": {"shape": [{"score": 0}, {"utilization": 100, "score": 10}]}}


@pytest.mark.parametrize(
    ("priority", "points", "says"),
    [
        (
            "LeastRequestedPriority",
            5,
            "CPU 1 of 4 free = 2.5, cut to 2, memory 7Gi of 8Gi free = 8.75, cut to 8, (2 + 8) / 2 = 5",
        ),
        ("MostRequestedPriority", 4, "CPU 3 of 4 in use = 7.5, cut to 7, memory 1Gi of 8Gi in use = 1.25, cut to 1"),
        (
            "BalancedResourceAllocation",
            3,
            "CPU 3 of 4 = 0.75, memory 1Gi of 8Gi = 0.125, apart by 0.625: 3.75, cut to 3",
        ),
        ("Shaped", 4, "CPU 75 % in use, on the curve 7, memory 13 % in use, on the curve 1, (7 + 1) / 2 = 4"),
        ("NodeAffinityPriority", 0, ""),
        ("LeastRequestedPriority", 6, ""),
    ],
)
def test_points_are_worked_out_in_figures(priority: str, points: int, says: str) -> None:
    """Only where the figures come to these points."""
    case = decision("schedule", [node("n1"), node("n2")], [], pod("web", "3"))
    attempt = cycle(found(case, Lacking("LeastRequestedPriority"))).attempt
    configuration = Configuration(priorities=(PolicyEntry("Shaped", 1, SHAPE),))
    assert working(attempt, attempt.snapshot["n1"], priority, configuration, points).startswith(says)


# --- queue and cache ------------------------------------------------------------------------------


def refusals(attempts: int, last: int) -> Mapping[str, Any]:
    return {"podBackoff": {"default/p": {"attempts": attempts, "lastUpdateMs": last}}}


NONE: Mapping[str, Any] = {"podBackoff": {}}


@pytest.mark.parametrize(
    ("before", "expected", "rules", "says"),
    [
        (NONE, refusals(1, 0), (), "refused for the first time, and gets a backoff of 1 s."),
        (refusals(1, 0), refusals(2, 5000), (), "that makes 2 refusals, and a backoff of 2 s."),
        (refusals(5, 0), refusals(1, 11000), (), "was 11 s ago: longer than 10 s, so it is forgotten"),
        (refusals(1, 0), refusals(1, 0), ("Q-056",), "deleting a pod from the active queue does not forget them."),
        (refusals(1, 0), refusals(1, 0), ("Q-024",), "a failure while the backoff still runs is not counted."),
        (refusals(2, 0), refusals(2, 0), (), "nothing in this step ends its backoff of 2 s."),
        (refusals(1, 0), NONE, ("Q-055",), "are forgotten: it is deleted, and was not in the active queue."),
    ],
)
def test_refusals_are_remembered_for_a_reason(
    before: Mapping[str, Any], expected: Mapping[str, Any], rules: tuple[str, ...], says: str
) -> None:
    (reason,) = because_of_refusals(before, expected, refusals(9, 9), rules)
    assert says in reason.text
    assert not list(because_of_refusals(before, expected, expected, rules))


def test_cycles_are_told() -> None:
    before, expected = {"moveRequestCycle": 1, "schedulingCycle": 2}, {"moveRequestCycle": 1, "schedulingCycle": 3}
    said = [
        reason.text for reason in because_of_cycles(before, expected, {"moveRequestCycle": -1, "schedulingCycle": 2})
    ]
    assert said[0] == "No move request comes in this step: the cycle of the last one stays 1."
    assert said[1].endswith("now it is 3.")


def tree(index: int, **zones: tuple[list[str], int]) -> Mapping[str, Any]:
    listed = [{"zone": zone, "nodes": nodes, "lastIndex": last} for zone, (nodes, last) in zones.items()]
    return {"nodeTree": {"zones": listed, "zoneIndex": index}}


def test_an_index_past_the_end_is_said_in_words() -> None:
    (reason,) = because_of_tree(tree(2, a=(["n1"], 1), b=(["n2"], 1)), tree(2, b=(["n2"], 1)))
    assert "Without n1, zone a is empty and leaves the node tree; the index of the next zone stays 2" in reason.text
    assert "although only 1 zone is left: it points past the end." in reason.text
    (reason,) = because_of_tree(tree(0, a=(["n1", "n2"], 2)), tree(0, a=(["n2"], 2)))
    assert "The zone's position stays 2 although only 1 node is left: it points past the end" in reason.text


def test_the_state_of_a_side_that_failed_is_not_shown(tmp_path: Path) -> None:
    failed = evolve(cache(), actual={"fault": "IndexError"})
    said = text(failed, tmp_path)
    assert "| | Before | After, v1.15.3 |\n|---|---|---|\n" in said
    assert "| Nodes, last changed first | n1 | n2, n1 |" in said


def test_requests_after_a_refused_binding_are_told() -> None:
    refused = {"bindError": {"pod": "default/p", "node": "n1", "reason": "NotFound"}}
    event = {"event": {"pod": "default/p", "type": "Warning", "reason": "FailedScheduling", "message": "no"}}
    (reason,) = because_of_effects({"effects": [refused, event]}, {"effects": [refused]}, ())
    assert reason.rules[0] == "L-097"
    assert not list(because_of_effects({"effects": [refused]}, {"effects": [refused]}, ()))


def test_what_an_operation_does_cites_rules_that_exist(tmp_path: Path) -> None:
    assert {rule for reason in OPERATIONS.values() for rule in reason.rules} <= RULES.keys()
    assert "A waiting pod takes its new version" in text(queue(), tmp_path)


def test_of_a_scheduler_that_shows_nothing_nothing_is_said(tmp_path: Path) -> None:
    """Its effects are all that can be compared."""
    bound = {"bind": {"pod": "default/web", "node": "n1"}}
    said = text(evolve(tainted_host(), actual={"effects": [bound]}), tmp_path)
    assert "What they remember" not in said
    assert "cycle" not in said.partition("Scheduler under test")[0]


def test_what_an_earlier_cycle_of_the_step_placed_is_shown(tmp_path: Path) -> None:
    """The cluster is that of the cycle; Z3, which knows that of the step, is not asked."""
    pods = [pod("first", priority=9), pod("second")]
    for document in pods:
        document["spec"]["containers"][0]["ports"] = [{"hostPort": 80}]
    case = {**trace([node("n1")], pods), "events": [{"op": "drain", "max": 5}]}
    said = text(found(case, Lacking("GeneralPredicates")), tmp_path)
    assert "When the scheduling cycle of default/second began, after that of default/first in the same step" in said
    assert "pod default/first, priority 9" in said
    assert "Z3" not in said


def test_a_proof_says_of_what(tmp_path: Path) -> None:
    said = text(tainted_host(), tmp_path)
    assert "- v1.15.3: default/web runs on n2: every hard constraint holds there (proved)" in said
    assert "- under test: default/web runs on n1: refuted" in said
    assert "Not scores, turns, queues" in said


def test_steps_have_one_number_wherever_they_are_told(tmp_path: Path) -> None:
    whole = text(
        found(trace([node("n1", taint="t"), node("n2")], [pod("p")]), Lacking("PodToleratesNodeTaints")), tmp_path
    )
    assert "\n0. 0 s: the scheduler sees the cluster" in whole
    assert "Differs at step 1." in whole
    assert "**Step 1: one scheduling cycle**" in whole
    assert "\n| step 1: " in whole
    operations = text(queue(), tmp_path)
    assert "\n4. AddUnschedulableIfNotPresent" in operations
    assert "**Step 5: Update(" in operations


def test_what_has_not_changed_is_not_told_row_by_row(tmp_path: Path) -> None:
    said = text(queue(), tmp_path)
    assert "| Unschedulable |" not in said
    assert "Unchanged: " in said
    page = (write_finding(evolve(queue(), quirk=""), tmp_path) / "report.html").read_text()
    assert "where nothing changed</summary>" in page


def test_a_page_says_whose_fault_it_is(tmp_path: Path) -> None:
    assert "**A fault of the scheduler under test.**" in text(tainted_host(), tmp_path)
    fails = evolve(tainted_host(), actual={"fault": "KeyError while it handled StartCycle: n1"})
    assert "**A fault of the scheduler under test: it fails as a program.**" in text(fails, tmp_path)
    lacking = (write_finding(evolve(preemption(), quirk="E-035"), tmp_path) / "report.md").read_text()
    assert "**The scheduler under test lacks a quirk of v1.15.3, rule E-035.**" in lacking
    broken = evolve(tainted_host(), differences=(Difference("property.one-node", None, "it is on two nodes"),))
    assert "**Both do it: a property is broken" in text(broken, tmp_path)
