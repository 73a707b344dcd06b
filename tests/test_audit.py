"""Decisions of the past: a dump pair of a recorded run, true and with one decision falsified, and small clusters."""

import gzip
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from model.api.cluster import Cluster
from model.api.decode import amended, encode
from model.api.manifests import read_manifests
from model.predicates import taints
from model.releases import v1_15_3
from oracle.audit import Audited, RecordError, audit, records_of_dumps, records_of_events
from oracle.audit.decisions import NEAREST, decisions_of, orders_of
from oracle.audit.gaps import changes_without_record
from oracle.audit.worlds import GRACE, World, distinct
from oracle.cli.commands import app
from oracle.finding import RECORDED
from oracle.fuzz import refutation
from oracle.judgement import Outcome
from oracle.levels import Level
from oracle.report.folder import read_finding
from oracle.trace import DEFAULTS
from tests.building import node, pod

DATA = Path(__file__).parent / "data" / "audit"
"""80 nodes, and what happened to them in three quarters of a minute: 40 placements, 30 failures, 5 victims."""

Document = dict[str, Any]


def recorded(name: str) -> Document:
    document: Document = json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))
    return document


def as_cluster(folder: Path, document: Document) -> Cluster:
    path = folder / "dump.json"
    path.write_text(json.dumps(document))
    return read_manifests(str(path)).cluster


def wrong(verdicts: list[Audited]) -> list[Audited]:
    return [each for each in verdicts if each.outcome is Outcome.FAILED]


def test_a_true_record_is_right_in_every_decision() -> None:
    before, after = (read_manifests(str(DATA / f"{name}.json.gz")).cluster for name in ("before", "after"))
    verdicts = list(audit(before, records_of_events([recorded("events")]), after, DEFAULTS, Level.RANKED))
    assert len(verdicts) == 75
    assert {each.outcome for each in verdicts} == {Outcome.PASSED}


# --- one decision falsified -----------------------------------------------------------------------


def to_a_full_node(events: Document, after: Document) -> str:
    """Placed where it does not fit; the later dump says the same."""
    event = next(
        e for e in events["items"] if e["involvedObject"]["name"] == "openb-pod-0179" and e["reason"] == "Scheduled"
    )
    event["message"] = event["message"].replace("openb-node-1462", "openb-node-1142")
    for thing in after["items"]:
        if thing["metadata"]["name"] == "openb-pod-0179":
            thing["spec"]["nodeName"] = "openb-node-1142"
    return "default/openb-pod-0179"


def to_a_worse_node(events: Document, after: Document) -> str:
    """Placed where it fits, but where the scores are lower."""
    event = next(
        e for e in events["items"] if e["involvedObject"]["name"] == "openb-pod-0170" and e["reason"] == "Scheduled"
    )
    event["message"] = event["message"].replace("openb-node-1005", "openb-node-0284")
    for thing in after["items"]:
        if thing["metadata"]["name"] == "openb-pod-0170":
            thing["spec"]["nodeName"] = "openb-node-0284"
    return "default/openb-pod-0170"


def another_node_than_the_dump(events: Document, after: Document) -> str:
    event = next(e for e in events["items"] if e["reason"] == "Scheduled")
    event["message"] = event["message"].rpartition(" ")[0] + " openb-node-1142"
    return f"default/{event['involvedObject']['name']}"


def another_message(events: Document, after: Document) -> str:
    event = next(e for e in events["items"] if e["reason"] == "FailedScheduling")
    event["message"] = event["message"].replace("0/80", "0/79")
    return f"default/{event['involvedObject']['name']}"


def another_victim(events: Document, after: Document) -> str:
    """One that still runs."""
    event = next(e for e in events["items"] if e["reason"] == "Preempted")
    event["involvedObject"]["name"] = "openb-pod-0005"
    return event["message"].split()[1]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "falsify", [to_a_full_node, to_a_worse_node, another_node_than_the_dump, another_message, another_victim]
)
def test_one_falsified_decision_is_found_and_no_other(
    falsify: Callable[[Document, Document], str], tmp_path: Path
) -> None:
    events, after = recorded("events"), recorded("after")
    pod_key = falsify(events, after)
    before = read_manifests(str(DATA / "before.json.gz")).cluster
    later = as_cluster(tmp_path, after)
    verdicts = list(audit(before, records_of_events([events]), later, DEFAULTS, Level.RANKED))
    assert [each.pod for each in wrong(verdicts)] == [pod_key]


def test_of_two_dumps_alone_much_is_uncertain_and_nothing_wrong() -> None:
    before, after = (read_manifests(str(DATA / f"{name}.json.gz")).cluster for name in ("before", "after"))
    verdicts = list(audit(before, records_of_dumps(before, after), after, DEFAULTS, Level.RANKED))
    assert wrong(verdicts) == []
    doubtful = [each for each in verdicts if each.outcome is Outcome.UNCERTAIN]
    assert 0 < len(doubtful) < len(verdicts) / 2
    assert all("went, and no record tells when" in each.why for each in doubtful)


# --- small clusters -------------------------------------------------------------------------------


def event(reason: str, name: str, message: str, second: int = 1, **more: Any) -> Document:
    at = f"2019-12-01T00:00:{second:02}Z"
    subject = {"kind": "Pod", "namespace": "default", "name": name}
    return {"involvedObject": subject, "reason": reason, "message": message, "lastTimestamp": at, **more}


def placed(name: str, node_name: str, second: int = 1) -> Document:
    return event("Scheduled", name, f"Successfully assigned default/{name} to {node_name}", second)


def audited(cluster: Cluster, *events: Document, level: Level = Level.RANKED) -> list[Audited]:
    return list(audit(cluster, records_of_events([{"items": list(events)}]), None, DEFAULTS, level))


def test_the_order_within_a_second_is_not_known() -> None:
    """Only if the small one was refused after the big one was placed are both right."""
    cluster = Cluster(nodes=(node("n1", cpu="4"),), pods=(pod("big", cpu="3"), pod("small", cpu="2")))
    refused = event("FailedScheduling", "small", "0/1 nodes are available: 1 Insufficient cpu.")
    assert [each.outcome for each in audited(cluster, placed("big", "n1"), refused)] == [Outcome.PASSED] * 2
    first, second = audited(cluster, refused, placed("big", "n1"))
    assert (first.outcome, second.outcome) == (Outcome.UNCERTAIN, Outcome.PASSED)
    assert "in another order" in first.why
    late = placed("big", "n1", second=9)
    assert [each.outcome for each in audited(cluster, refused, late)] == [Outcome.FAILED, Outcome.PASSED]


def test_of_thousands_in_one_second_only_the_nearest_change_places() -> None:
    records = records_of_events([{"items": [placed(f"p{number}", "n1") for number in range(500)]}])
    decisions = decisions_of(records)
    nothing, everything, *alone = orders_of(decisions[250], decisions)
    assert (len(nothing), len(everything)) == (0, 499)
    assert [order[0] for order in alone] == [*decisions[250 - NEAREST : 250], *decisions[251 : 251 + NEAREST]]
    assert len(orders_of(decisions[0], decisions)) == 2 + NEAREST


def test_victims_may_take_their_time() -> None:
    """Whether the room is free at once no record tells; either way the placement is right."""
    cluster = Cluster(
        nodes=(node("n1", cpu="4"),), pods=(pod("old", cpu="3", on="n1"), pod("new", cpu="3", priority=9))
    )
    refused = event("FailedScheduling", "new", "0/1 nodes are available: 1 Insufficient cpu.")
    evicted = event("Preempted", "old", "by default/new on node n1")
    for second in (1, 2, 31, 40):
        verdicts = audited(cluster, refused, evicted, placed("new", "n1", second))
        assert [each.outcome for each in verdicts] == [Outcome.PASSED] * 3


def test_states_that_have_become_the_same_are_judged_once() -> None:
    """However long the record: what a victim did before it went matters only until it has gone."""
    old, other = pod("old", on="n1"), pod("other", on="n1")
    world = World.of(Cluster(nodes=(node("n1"),), pods=(old, other)), v1_15_3(DEFAULTS))
    start = datetime(2019, 12, 1, tzinfo=UTC)
    told = [world.without([old]), world.leaving([old], start), world.without([other])]
    assert len(distinct(each.at(start + GRACE - timedelta(seconds=1)) for each in told)) == 3
    assert distinct(each.at(start + GRACE) for each in told) == (told[0], told[2])


def test_a_victim_that_was_not_needed() -> None:
    cluster = Cluster(
        nodes=(node("n1", cpu="4"),),
        pods=(pod("a", cpu="2", on="n1"), pod("b", cpu="2", on="n1"), pod("new", cpu="1", priority=9)),
    )
    evictions = [event("Preempted", name, "by default/new on node n1") for name in ("a", "b")]
    (verdict,) = audited(cluster, *evictions, level=Level.FEASIBLE)
    assert verdict.outcome is Outcome.FAILED
    assert "fits beside it" in verdict.why


def test_what_follows_a_false_record_is_right_if_the_truth_explains_it() -> None:
    """Room was made on n2, not at the expense of the more important one on n1: there the next pod has no place."""
    cluster = Cluster(
        nodes=(node("n1", cpu="4"), node("n2", cpu="4")),
        pods=(
            pod("vip", cpu="4", priority=99, on="n1"),
            pod("old", cpu="4", on="n2"),
            *(pod(name, cpu="4", priority=9) for name in ("new", "late")),
        ),
    )
    lie = event("Preempted", "vip", "by default/new on node n1", 1)
    refused = event("FailedScheduling", "late", "0/2 nodes are available: 2 Insufficient cpu.", 42)
    first, *others = audited(cluster, lie, placed("new", "n2", 40), refused)
    assert first.outcome is Outcome.FAILED
    assert [each.outcome for each in others] == [Outcome.PASSED, Outcome.PASSED]


def test_what_the_model_lets_pass_and_z3_refutes_is_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A predicate of the model that lets everything pass."""
    monkeypatch.setattr(taints, "tolerates_all", lambda *_: True)
    monkeypatch.setattr(refutation, "EVERY", 1)
    tainted = amended(node("n1"), {"spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]}})
    cluster = Cluster(nodes=(tainted, node("n2")), pods=(pod("p"), pod("q")))
    first, second = audited(cluster, placed("p", "n1"), placed("q", "n2"), level=Level.FEASIBLE)
    assert (first.outcome, first.why) == (Outcome.UNCERTAIN, "the model lets it pass, and Z3 refutes it")
    assert second.outcome is Outcome.PASSED


def test_a_pod_of_no_dump_is_uncertain() -> None:
    (verdict,) = audited(Cluster(nodes=(node("n1"),)), placed("stranger", "n1"))
    assert (verdict.outcome, verdict.why) == (Outcome.UNCERTAIN, "the pod is in no dump")


def test_nothing_is_sure_while_a_pod_of_no_dump_takes_up_room() -> None:
    cluster = Cluster(nodes=(node("n1", cpu="4"),), pods=(pod("p", cpu="1"), pod("q", cpu="1", priority=9)))
    refused = event("FailedScheduling", "p", "0/1 nodes are available: 1 Insufficient cpu.", 2)
    assert audited(cluster, refused)[0].outcome is Outcome.FAILED
    _, verdict = audited(cluster, placed("stranger", "n1"), refused)
    assert verdict.outcome is Outcome.UNCERTAIN
    assert verdict.doubt == "default/stranger takes up room, and is in no dump"
    evicted = event("Preempted", "stranger", "by default/q on node n1", 3)
    late = event("FailedScheduling", "p", "0/1 nodes are available: 1 Insufficient cpu.", 40)
    assert [each.outcome for each in audited(cluster, placed("stranger", "n1"), evicted, late)] == [
        Outcome.UNCERTAIN,
        Outcome.UNCERTAIN,
        Outcome.FAILED,
    ]


def test_victims_of_a_pod_of_no_dump_go_too() -> None:
    cluster = Cluster(nodes=(node("n1", cpu="4"),), pods=(pod("old", cpu="4", on="n1"), pod("p", cpu="4")))
    evicted = event("Preempted", "old", "by default/stranger on node n1", 1)
    assert [each.outcome for each in audited(cluster, evicted, placed("p", "n1", 40))] == [
        Outcome.UNCERTAIN,
        Outcome.PASSED,
    ]


def test_changes_between_two_dumps_of_which_no_record_tells() -> None:
    there, gone = pod("p", on="n1"), pod("q")
    before = Cluster(nodes=(node("n1"),), pods=(pod("p"), gone))
    after = Cluster(nodes=(node("n1"),), pods=(there,))
    records = records_of_events([{"items": [placed("p", "n1")]}])
    assert changes_without_record(before, after, records) == ""
    assert changes_without_record(before, after, []) == "default/p came to n1, and no record tells when"
    both = records_of_events([{"items": [placed("p", "n1"), placed("q", "n1")]}])
    assert changes_without_record(before, after, both) == "default/q went, and no record tells when"
    larger = Cluster(nodes=(node("n1", cpu="99"),), pods=(there,))
    assert changes_without_record(before, larger, records) == "node n1 changed, and no record tells when"


def test_events_of_both_apis_and_with_counts() -> None:
    old = event("FailedScheduling", "p", "0/1 nodes are available: 1 x.", 9, firstTimestamp="2019-12-01T00:00:01Z")
    new = {
        "regarding": {"kind": "Pod", "namespace": "ns", "name": "p"},
        "reason": "Scheduled",
        "note": "Successfully assigned ns/p to n1",
        "eventTime": "2019-12-01T00:00:05.123456Z",
    }
    others = [event("Pulled", "p", "Container image"), event("FailedScheduling", "p", "skip schedule deleting pod: p")]
    records = records_of_events([{"items": [old, new, *others]}])
    assert [(record.kind, record.pod, record.at.second) for record in records] == [
        ("FailedScheduling", "default/p", 1),
        ("Scheduled", "ns/p", 5),
        ("FailedScheduling", "default/p", 9),
    ]


@pytest.mark.parametrize(
    ("documents", "complaint"),
    [
        ([[]], "expected an object"),
        ([event("Scheduled", "p", "x", lastTimestamp="soon")], "event Scheduled: lastTimestamp: expected"),
        (
            [event("Scheduled", "p", "x", metadata={"name": "p.1"}, series=[])],
            r"event p\.1: series: expected an object",
        ),
        ([{"items": 5}], "items: expected a list"),
        ([event("Scheduled", "p", "x", lastTimestamp=None)], "lastTimestamp: required, but missing"),
    ],
)
def test_events_that_cannot_be_understood(documents: list[Any], complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        records_of_events(documents)


# --- the command ----------------------------------------------------------------------------------


def command(*arguments: Any) -> Any:
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def test_the_command_tells_what_is_wrong(tmp_path: Path) -> None:
    events = recorded("events")
    pod_key = another_message(events, {})
    (tmp_path / "events.json").write_text(json.dumps(events))
    given = (DATA / "before.json.gz", "--events", tmp_path / "events.json", "--after", DATA / "after.json.gz")
    result = command(*given, "--reports", tmp_path)
    assert result.exit_code == 1
    first, *_, tally, report = result.stdout.splitlines()
    assert first.startswith("wrong: 2019-12-01 00:02:")
    assert tally == "75 decisions: 74 right, 1 wrong, 0 uncertain"
    page = Path(report.removeprefix("report: "))
    finding = read_finding(page.parent)
    assert (finding.kind, finding.scheduler, f"default/{finding.trace['pod']['metadata']['name']}") == (
        "schedule",
        RECORDED,
        pod_key,
    )
    assert f"sched-oracle explain {page.parent.name}/objects.yaml {pod_key}" in page.read_text()


def test_what_is_uncertain_is_told_by_the_reason(tmp_path: Path) -> None:
    cluster = {"kind": "List", "items": [encode(node("n1", cpu="4")) | {"kind": "Node"}]}
    (tmp_path / "before.json").write_text(json.dumps(cluster))
    (tmp_path / "events.json").write_text(json.dumps({"items": [placed("p", "n1"), placed("q", "n1")]}))
    given = (tmp_path / "before.json", "--events", tmp_path / "events.json", "--reports", tmp_path)
    assert command(*given).stdout.splitlines() == [
        "uncertain: 2 decisions, because the pod is in no dump; the first is",
        "    2019-12-01 00:00:01 default/p was placed on n1",
        "2 decisions: 0 right, 0 wrong, 2 uncertain",
    ]
    documents = json.loads(command(*given, "--json").stdout)
    assert [(each["pod"], each["verdict"]) for each in documents] == [
        ("default/p", "uncertain"),
        ("default/q", "uncertain"),
    ]


def test_bad_usage_of_the_command(tmp_path: Path) -> None:
    nothing = tmp_path / "none.json"
    assert command(DATA / "before.json.gz").exit_code == 2
    assert command(DATA / "before.json.gz", "--events", nothing).exit_code == 2
    assert command(DATA / "before.json.gz", "--after", nothing).exit_code == 2
