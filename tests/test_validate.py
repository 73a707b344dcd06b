"""One verdict about a scheduler: suites, levels, declared deviations, exit codes, and the pytest plugin."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from typer.testing import CliRunner, Result

from model.api.bad_input import BadInput
from model.api.configuration import Configuration
from model.api.protocol import Api, Bind, Call, Event, RecordEvent
from model.engine import Reference
from model.predicates import taints
from oracle.child import ChildEngine, Limits
from oracle.cli.commands import app
from oracle.compare import COMPARISONS
from oracle.fuzz import refutation
from oracle.judgement import Outcome, judge_trace
from oracle.judgement.gang import judge_gangs
from oracle.judgement.settling import settled
from oracle.levels import Level
from oracle.report import read_finding, write_finding, write_index
from oracle.schedulers import find_engine
from oracle.strategies import case_from_seed
from oracle.testing import SchedulerFinding, scheduler_test
from oracle.validate import Deviation, Plan, read_deviations, suites, validate
from oracle.validate.again import judged_again
from tests.test_child import FIRST_FIT, HOSTILE, small_case

FINE, DIVERGED, BAD_INPUT, SCHEDULER_FAILED = 0, 1, 2, 3


def command(*arguments: Any) -> Result:
    return CliRunner().invoke(app, ["validate", *map(str, arguments)])


# --- judging --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["model", "impl"])
@pytest.mark.parametrize("level", [Level.FEASIBLE, Level.RANKED])
def test_what_is_exact_is_right_at_every_level(name: str, level: Level) -> None:
    engine = find_engine(name)
    for seed in range(12):
        case = case_from_seed("e2e", f"right/{seed}")
        case["config"].pop("extenders", None)
        assert judge_trace(settled(case), engine, level).failed == ()


class Bent(Reference):
    """As the reference, but what it says is changed on its way out."""

    def scheduler(self, configuration: Configuration) -> Any:
        inner, change = super().scheduler(configuration), self.change

        class Scheduler:
            def handle(self, event: Event, api: Api) -> None:
                class Bending:
                    def call(self, request: Call[Any]) -> Any:
                        return api.call(change(request))

                inner.handle(event, Bending())

            def observe(self) -> None:
                return None

        return Scheduler()

    def change(self, request: Call[Any]) -> Call[Any]:
        return request


class ToTheFull(Bent):
    """Everything goes to one node."""

    def change(self, request: Call[Any]) -> Call[Any]:
        return Bind(request.pod, "n1", request.ticket) if isinstance(request, Bind) else request


def test_a_host_without_room_is_told_with_the_reason() -> None:
    (problem, *_) = judge_trace(small_case(), ToTheFull(), Level.FEASIBLE).failed
    assert problem.wrong is not None
    assert problem.wrong.says == "default/p1 went to n1, where it does not fit: Insufficient cpu"
    assert problem.sort == "host-GeneralPredicates"
    assert problem.step == 2


def test_groups_are_placed_as_one_or_not_at_all() -> None:
    """kube-scheduler knows nothing of groups: two of three pods find room."""
    case = small_case({"op": "drain", "max": 9})
    for pod in case["cluster"]["pods"][1:]:
        pod["metadata"]["annotations"] = {"scheduling.k8s.io/group-name": "g"}
        pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "2"
    (verdict,) = judge_gangs(case, Reference())
    assert verdict.wrong is not None
    assert verdict.wrong.says == "2 of the 3 pods of group default/g have a node; it needs 3, or none"
    group = {"kind": "PodGroup", "metadata": {"name": "g", "namespace": "default"}, "spec": {"minMember": 2}}
    case["cluster"]["podGroups"] = [group]
    assert [each.outcome for each in judge_gangs(case, Reference())] == [Outcome.PASSED]


def test_a_finding_is_judged_again_as_it_was(tmp_path: Path) -> None:
    """The same trace is no finding of a scheduler that does better, nor one that does otherwise than the model."""
    engine = f"exec:{FIRST_FIT}"
    account = validate(Plan(engine, Level.RANKED, examples=4))
    finding = account.findings["ranked-host-score"]
    folder = write_finding(finding, tmp_path)
    assert "has it nowhere" not in (folder / "report.md").read_text()

    def replay(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["replay", str(folder), *arguments])

    result = replay("--scheduler", engine)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (DIVERGED, f"still wrong: {finding.sentence}")
    result = replay("--scheduler", "model")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (FINE, "nothing is wrong, judged as it was: ranked")
    assert json.loads(replay("--scheduler", engine, "--json").stdout)["wrong"] == [finding.sentence]
    trace = json.loads((folder / "trace.json").read_text())
    (folder / "trace.json").write_text(json.dumps(trace | {"judged": "fairly"}))
    result = replay("--scheduler", "model")
    assert result.exit_code == BAD_INPUT
    assert "judged: 'fairly' is unknown; known are feasible, ranked, exact, gangs, refuted" in result.stderr


def test_a_pod_that_went_while_it_was_bound_may_be_forgotten() -> None:
    """v1.15 counts it until the binding has failed; nobody has to."""
    events: list[dict[str, Any]] = [
        {"op": "drain", "max": 2, "holdBind": True},
        {"op": "delete", "kind": "Pod", "key": "default/p2"},
        {"op": "scheduleOne"},
    ]
    case = small_case(*events)
    case["cluster"]["nodes"].pop()
    with closing(ChildEngine(FIRST_FIT)) as engine:
        verdict = judge_trace(case, engine, Level.FEASIBLE)
    assert [each.pod for each in verdict.judged if each.claim == "host"] == ["default/p1", "default/p2", "default/p3"]
    assert verdict.outcome is Outcome.PASSED


class HalfSurrogates(Bent):
    """Its events hold what no encoding can say."""

    def change(self, request: Call[Any]) -> Call[Any]:
        return evolve(request, message="\ud800") if isinstance(request, RecordEvent) else request


def test_what_no_encoding_can_say_is_read_again(tmp_path: Path) -> None:
    scheduler = "python:tests.test_validate:HalfSurrogates"
    account = validate(Plan(scheduler, Level.EXACT, examples=5))
    write_index(account.search, tmp_path)
    folder, *_ = (write_finding(finding, tmp_path) for finding in account.findings.values())
    messages = [e["event"]["message"] for e in read_finding(folder).actual["effects"] if "event" in e]
    assert set(messages) == {"\\ud800"}
    assert CliRunner().invoke(app, ["report", str(tmp_path)]).exit_code == FINE


@pytest.mark.parametrize("judged", ["gangs", "refuted"])
def test_groups_and_refutations_are_judged_again(judged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = small_case({"op": "drain", "max": 9}) | {"judged": judged}
    assert judged_again(case, Reference()) == ()
    for pod in case["cluster"]["pods"][1:]:
        pod["metadata"]["annotations"] = {"scheduling.k8s.io/group-name": "g"}
        pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "2"
    for node in case["cluster"]["nodes"]:
        node["spec"] = {"taints": [{"key": "k", "effect": "NoSchedule"}]} if judged == "refuted" else {}
    monkeypatch.setattr(taints, "tolerates_all", lambda *_: True)
    (sentence,) = judged_again(case, Reference())
    assert sentence.startswith({"gangs": "2 of the 3 pods of group", "refuted": "Z3 refutes that "}[judged])


# --- whole validations ----------------------------------------------------------------------------


def test_the_account_of_a_validation() -> None:
    account = validate(Plan("model", Level.FEASIBLE, examples=4))
    assert {name: row.cases for name, row in account.rows.items()} == {"standing": 2, "events": 2}
    assert account.findings == {}


def test_what_the_model_lets_pass_and_z3_refutes_is_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A predicate of the model that lets everything pass, and a scheduler that uses it."""
    monkeypatch.setattr(taints, "tolerates_all", lambda *_: True)
    monkeypatch.setattr(refutation, "EVERY", 1)
    case = small_case()
    for node in case["cluster"]["nodes"]:
        node["spec"] = {"taints": [{"key": "k", "effect": "NoSchedule"}]}
    monkeypatch.setattr(suites, "case_from_seed", lambda *_: case)
    account = validate(Plan("model", Level.FEASIBLE, examples=2))
    assert set(account.doubts) == {"feasible-refuted-host"}
    assert account.findings == {}


def test_exactness_is_asked_of_every_part() -> None:
    parts = [kind for kind in COMPARISONS if kind != "e2e"]
    account = validate(Plan("impl", Level.EXACT, examples=2 + len(parts)))
    assert list(account.rows) == ["standing", "events", *parts]
    assert account.findings == {}


def test_a_validation_ends_early_where_the_scheduler_fails_again_and_again() -> None:
    limits = Limits(answer_seconds=30.0)
    account = validate(Plan(f"exec:{HOSTILE} garbage", examples=50, limits=limits))
    assert account.stopped == "the scheduler failed in 3 cases in a row"
    assert account.cases == 3
    assert account.has_faults


def test_declared_deviations_do_not_fail_a_run(tmp_path: Path) -> None:
    known = tmp_path / "known.yaml"
    known.write_text(
        "deviations:\n- {signature: ranked-host-score, reason: it takes the first}\n"
        "- {signature: ranked-*-made, reason: it never preempts}\n- {signature: feasible-*, reason: old}\n"
    )
    result = command(
        *("--scheduler", f"exec:{FIRST_FIT}", "--level", "ranked", "--examples", 2, "--json"),
        *("--known", known, "--reports", tmp_path, "--junit", tmp_path / "junit.xml", "--patience", 30),
    )
    document = json.loads(result.stdout)
    assert result.exit_code == FINE
    assert document["findings"] == []
    assert document["suites"]["standing"]["known"] + document["suites"]["events"]["known"] > 0
    assert "known deviation not met: feasible-* (old)" in result.stderr
    assert "sched-oracle.events" in (tmp_path / "junit.xml").read_text()


def test_a_finding_has_a_report_and_a_case_that_shows_it_again(tmp_path: Path) -> None:
    result = command("-s", "python:tests.test_validate:ToTheFull", "--examples", 6, "--reports", tmp_path)
    assert result.exit_code == DIVERGED
    assert "feasible-host-" in result.stdout
    folder = next(tmp_path.glob("feasible-host-*"))
    finding = read_finding(folder)
    assert (folder / "report.html").exists()
    again = judge_trace(finding.trace, ToTheFull(), Level.FEASIBLE)
    assert finding.sentence in {each.wrong.says for each in again.failed if each.wrong}


def test_a_scheduler_that_cannot_be_spoken_with_ends_in_one_clear_error(tmp_path: Path) -> None:
    result = command("-s", f"exec:{HOSTILE} wrong-version", "--examples", 2, "--reports", tmp_path, "--patience", 30)
    assert result.exit_code == SCHEDULER_FAILED
    assert "it speaks protocol 2, not 1" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("-s", "exec:no-such-program"), "no such program"),
        (("-s", "model", "--level", "perfect"), "--level perfect: unknown; known are feasible, ranked, exact"),
        (("-s", "model", "--semantics", "v0.1"), "--semantics v0.1: unknown; known are v1.15"),
        (("-s", "model", "--examples", "1", "--seconds", "1"), "not both"),
        (("-s", "model", "--known", "/no/such/file"), "/no/such/file: No such file or directory"),
    ],
)
def test_bad_usage_is_one_clear_error(arguments: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    result = command(*arguments, "--reports", tmp_path)
    assert result.exit_code == BAD_INPUT
    assert complaint in result.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "deviations: expected a list"),
        ("deviations: [5]", r"deviations\[0\]: expected an object"),
        ("deviations: [{signature: a}]", r"deviations\[0\].reason: required"),
        ("deviations: [{signature: a, reason: ' '}]", "say why"),
        ("deviations: [{signature: a, reason: b, until: c}]", r"deviations\[0\].until: unknown"),
        ("deviations: {", "line 2, column 1: did not find"),
    ],
)
def test_a_file_of_deviations_that_is_none(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(text)
    with pytest.raises(BadInput, match=complaint):
        read_deviations(path)


def test_deviations_are_named_by_patterns() -> None:
    assert Deviation("ranked-*", "why not").explains("ranked-host-score")
    assert not Deviation("ranked-host", "why not").explains("ranked-host-score")


# --- as tests -------------------------------------------------------------------------------------


def test_a_test_of_ones_own_fails_with_the_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHED_ORACLE_REPORTS", str(tmp_path))
    with pytest.raises(SchedulerFinding, match="where it does not fit") as failure:
        scheduler_test("python:tests.test_validate:ToTheFull", suite="standing")()
    sentence, page = str(failure.value).split("\nreport: ")
    assert sentence in Path(page).read_text()


@pytest.mark.parametrize("wrong", [{"level": "perfect"}, {"suite": "sweet"}])
def test_what_cannot_be_tested_is_refused_at_once(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="unknown; known are"):
        scheduler_test("model", **wrong)


@pytest.mark.parametrize(("scheduler", "passed", "failed"), [("model", 2, 0), ("python:broken:Broken", 0, 2)])
def test_pytest_judges_a_scheduler_without_any_file(tmp_path: Path, scheduler: str, passed: int, failed: int) -> None:
    (tmp_path / "broken.py").write_text("from tests.test_validate import ToTheFull as Broken\n")
    (tmp_path / "conftest.py").write_text(
        "from hypothesis import settings\n"
        "settings.register_profile('short', max_examples=20, derandomize=True)\nsettings.load_profile('short')\n"
    )
    root = str(Path(__file__).parent.parent)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "oracle.testing.plugin", "--scheduler", scheduler],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{root}:{tmp_path}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    summary = result.stdout.splitlines()[-1]
    assert (f"{passed} passed" in summary, f"{failed} failed" in summary) == (passed > 0, failed > 0), result.stdout
