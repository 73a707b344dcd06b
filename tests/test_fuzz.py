"""The search: repeatable, one finding for one fault, and an end whatever the scheduler does."""

import json
import os
import signal
import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from typer.testing import CliRunner

from model.api.components import QueueComponent
from model.api.configuration import Configuration
from model.api.protocol import Api, Event, Scheduler, StartCycle
from model.engine import Reference
from model.predicates import taints
from oracle.cli.commands import app
from oracle.compare import compare
from oracle.compare.signature import signature
from oracle.fuzz import Plan, refutation, search
from oracle.fuzz import trial as trials
from oracle.fuzz.corpus import CORPUS, Corpus
from oracle.fuzz.examples import ROUND, example
from oracle.only_scheduler import OnlyScheduler
from oracle.reach import OUT_OF_REACH
from oracle.report import write_finding
from oracle.strategies import case_from_seed
from tests.findings import Lacking, node, pod, tainted_host, trace
from tests.odd_schedulers import Blind

MUTANT = "python:tests.mutants.engines:backoff_duration"


def fuzz(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["fuzz", *arguments])


def contents(directory: Path) -> dict[str, bytes]:
    return {str(p.relative_to(directory)): p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file()}


def test_a_seed_fixes_every_byte(tmp_path: Path) -> None:
    for name in ("first", "second"):
        found = fuzz("--scheduler", MUTANT, "--examples", "10", "--seed", "4", "--reports", str(tmp_path / name))
        assert found.exit_code == 1, found.output
    assert contents(tmp_path / "first") == contents(tmp_path / "second")


def test_workers_do_not_show(tmp_path: Path) -> None:
    alone = search(Plan(MUTANT, seed=4, examples=12))
    assert search(Plan(MUTANT, seed=4, examples=12, workers=2)) == alone
    assert alone.findings


def test_the_same_fault_is_found_once() -> None:
    found = search(Plan(MUTANT, seed=5, examples=40)).findings
    assert len({finding.signature for finding in found}) == len(found)
    assert all(finding.seed.startswith("5/") for finding in found)


def test_one_cycle_or_several_is_the_same_fault() -> None:
    tainted = trace([node("n1", taint="dedicated")], [pod("web")])
    sorts = set()
    for step in ({"op": "scheduleOne"}, {"op": "drain", "max": 2}):
        case = tainted | {"events": [step]}
        divergence = compare(case, Lacking("PodToleratesNodeTaints"))
        assert divergence is not None
        sorts.add(signature(case, divergence))
    assert sorts == {"trace-scheduling-event-not-bind"}


def test_agreement_is_exit_code_0_with_the_coverage(tmp_path: Path) -> None:
    said = fuzz("--scheduler", "model", "--examples", "10", "--coverage", "--reports", str(tmp_path))
    assert said.exit_code == 0, said.output
    assert "no difference" in said.output
    assert "P-047" in said.output
    assert "reason: Insufficient" in said.output
    assert f"(out of reach: {OUT_OF_REACH['A-020']})" in said.output
    assert Path(said.output.splitlines()[-1].removeprefix("report: ")).is_file()


def test_a_scheduler_that_dies_is_exit_code_3(tmp_path: Path) -> None:
    said = fuzz("--scheduler", "python:tests.odd_schedulers:Dying", "--examples", "6", "--reports", str(tmp_path))
    assert said.exit_code == 3, said.output
    assert "ZeroDivisionError" in said.output


@pytest.mark.parametrize(
    "arguments",
    [("--examples", "1", "--seconds", "1"), ("--examples", "0"), ("--scheduler", "no"), ("--workers", "100000")],
)
def test_bad_usage_is_exit_code_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert fuzz(*arguments, "--reports", str(tmp_path)).exit_code == 2


def test_an_empty_name_is_no_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = fuzz("--examples", "1", "--reports", "")
    assert said.exit_code == 2
    assert "no directory given" in said.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_bare_scheduler_is_judged_by_traces_alone() -> None:
    account = search(Plan("python:tests.odd_schedulers:Blind", examples=10))
    assert account.examples == {"e2e": 10}
    assert account.findings == ()


class Sleepy(Reference):
    def queue(self) -> QueueComponent:
        sleep(30)
        return super().queue()


def test_a_scheduler_that_hangs_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "LONGEST", 0.2)
    trial = trials.try_case(case_from_seed("queue", "1"), Sleepy())
    assert trial is not None
    assert trial.divergence is not None
    assert trial.divergence.actual == {"fault": "no end after 0.2 s"}


class Endless(Blind):
    """Never comes back from a scheduling cycle."""

    def handle(self, event: Event, api: Api) -> None:
        while isinstance(event, StartCycle):
            sleep(0.01)
        super().handle(event, api)


def test_a_search_ends_as_soon_as_the_scheduler_hangs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its case stays as it is: each smaller one would take as long."""
    monkeypatch.setattr(trials, "LONGEST", 0.5)
    said = fuzz("--scheduler", "python:tests.test_fuzz:Endless", "--seconds", "60", "--reports", str(tmp_path))
    assert said.exit_code == 3, said.output
    assert "Overdue while it handled StartCycle: no end after 0.5 s" in said.stdout
    assert "ended early: the scheduler hung\n" in said.stderr
    assert json.loads((tmp_path / "search.json").read_text())["stopped"] == "the scheduler hung"


def test_a_scheduler_that_crashes_is_exit_code_3(tmp_path: Path) -> None:
    scheduler = "python:tests.odd_schedulers:Panicking"
    said = fuzz("--scheduler", scheduler, "--examples", "1", "--seed", "1", "--reports", str(tmp_path))
    assert said.exit_code == 3, said.output
    assert "the scheduler under test crashes" in said.stdout


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_process_that_does_not_even_start_is_exit_code_3(workers: str, tmp_path: Path) -> None:
    scheduler = f"exec:{sys.executable} -c exit(7)"
    said = fuzz("--scheduler", scheduler, "--examples", "9", "--workers", workers, "--reports", str(tmp_path))
    assert said.exit_code == 3, said.output
    assert said.stderr == "error: the scheduler failed: Died while it was started: it ended with exit code 7\n"
    assert not list(tmp_path.iterdir())


def test_enough_is_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys.modules["oracle.fuzz.search"], "ENOUGH", 1)
    said = fuzz("--scheduler", MUTANT, "--examples", "1000", "--seed", "4", "--reports", str(tmp_path))
    assert said.exit_code == 1, said.output
    assert "ended early: 1 different finding\n" in said.stderr
    assert json.loads((tmp_path / "search.json").read_text())["stopped"] == "1 different finding"


class Fatal(Reference):
    def scheduler(self, configuration: Configuration) -> Scheduler:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def test_a_scheduler_that_takes_a_worker_with_it_is_exit_code_3(tmp_path: Path) -> None:
    arguments = ("--scheduler", "python:tests.test_fuzz:Fatal", "--examples", "9", "--workers", "2")
    said = fuzz(*arguments, "--reports", str(tmp_path))
    assert said.exit_code == 3, said.output
    assert "is gone" in said.output


class Interrupted(Reference):
    def scheduler(self, configuration: Configuration) -> Scheduler:
        raise KeyboardInterrupt


def test_an_interrupted_search_keeps_what_it_has() -> None:
    account = search(Plan("python:tests.test_fuzz:Interrupted", examples=50))
    assert account.interrupted
    assert sum(account.examples.values()) == ROUND.index("e2e")


def test_what_scheduler_and_reference_agree_on_may_be_refuted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A predicate of the model that lets everything pass: only Z3 can tell."""
    Corpus(tmp_path / CORPUS).keep(tainted_host().trace)
    monkeypatch.setattr(taints, "tolerates_all", lambda *_: True)
    monkeypatch.setattr(refutation, "EVERY", 1)
    plan = Plan("model", examples=1, memory=tmp_path)
    account = search(plan)
    assert account.findings == search(plan).findings
    [finding] = [found for found in account.findings if found.seed.startswith("corpus/")]
    assert finding.signature == "trace-refuted-host"
    assert "taint" in finding.sentence
    page = (write_finding(finding, tmp_path) / "report.md").read_text()
    assert "- both: " in page
    assert "refuted: taint" in page


def test_seconds_end_the_search_and_tell_the_throughput() -> None:
    account = search(Plan("model", seconds=0.5))
    assert sum(account.examples.values()) > 0
    assert account.throughput


def test_the_corpus_is_tried_first(tmp_path: Path) -> None:
    first = search(Plan(MUTANT, seed=4, examples=10, memory=tmp_path))
    again = search(Plan(MUTANT, seed=9, examples=1, memory=tmp_path))
    assert {f.signature for f in first.findings} <= {f.signature for f in again.findings}
    assert again.findings[0].seed.startswith("corpus/")


def test_what_is_no_case_is_passed_over(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path)
    corpus.keep({"kind": "queue", "pods": {}, "ops": []})
    (tmp_path / "a.json").write_text("no JSON")
    (tmp_path / "b.json").write_text(json.dumps([1]))
    assert [case["kind"] for _, case in corpus] == ["queue"]


def test_examples_are_the_same_everywhere() -> None:
    cases = [json.dumps(example(1, number, Reference())) for number in range(len(ROUND))]
    assert cases == [json.dumps(example(1, number, Reference())) for number in range(len(ROUND))]
    assert len(set(cases)) == len(cases)


BEYOND_REQUESTS = (
    "nodeAffinity",
    "podAffinity",
    "podAntiAffinity",
    "tolerations",
    "taints",
    "priority",
    "ports",
    "volumes",
    "nominatedNodeName",
    "deletionTimestamp",
    "podDisruptionBudgets",
    "services",
    "extenders",
)


def test_a_scheduler_is_shown_nothing_but_what_it_understands() -> None:
    engine = OnlyScheduler("simple", lambda: Blind())
    everything = "".join(json.dumps(example(0, number, engine)) for number in range(300))
    assert all(f'"{word}"' in everything for word in BEYOND_REQUESTS)
    engine.features = frozenset()
    simple = "".join(json.dumps(example(0, number, engine)) for number in range(300))
    assert [word for word in BEYOND_REQUESTS if f'"{word}"' in simple] == []
