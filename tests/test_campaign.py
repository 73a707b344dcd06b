"""Long searches: on several processes or a cluster, cut short, killed and gone on with, the same comes of them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from attrs import evolve
from distributed import LocalCluster
from typer.testing import CliRunner

from model.api.components import CacheComponent, QueueComponent
from model.engine import Reference
from oracle.cli.commands import app
from oracle.fuzz import Plan, PlanError, Progress, cluster, search
from oracle.fuzz.portions import Portion
from oracle.fuzz.progress import MOST_SLICES, Pace, Unfinished

MUTANT = "python:tests.mutants.engines:backoff_duration"
FRAIL = "python:tests.test_campaign:Frail"
PATIENT = "python:tests.test_campaign:Patient"
MARK = "SCHED_ORACLE_TEST_MARK"
PLAN = Plan(MUTANT, seed=4, examples=24)
LONG = 120
"""Seconds, far more than anything here takes."""


class Frail(Reference):
    """Takes its process with it, once: where it finds no mark, it leaves one."""

    def cache(self, ttl_ms: int) -> CacheComponent:
        if leave_mark():
            os.kill(os.getpid(), signal.SIGKILL)
        return super().cache(ttl_ms)


ENOUGH = "96"
"""Examples.  However two processes share them, one gets four queues, but not before the first portion is over."""


class Patient(Reference):
    """Hangs at the fourth queue that a process gets, once."""

    queues = 0

    def queue(self) -> QueueComponent:
        self.queues += 1
        if self.queues > 3 and leave_mark():
            time.sleep(LONG)
        return super().queue()


def leave_mark() -> bool:
    """Whether there was none."""
    try:
        Path(os.environ[MARK]).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        path = tmp_path_factory.mktemp("mark") / "mark"
        patch.setenv(MARK, str(path))
        yield path


@pytest.fixture
def mark(marked: Path) -> Path:
    """Not there yet."""
    marked.unlink(missing_ok=True)
    return marked


@pytest.fixture(scope="module")
def dask(marked: Path) -> Iterator[str]:
    """The address of a cluster of two processes."""
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as running:
        yield running.scheduler_address


def fuzz(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["fuzz", *arguments])


def contents(directory: Path) -> dict[str, bytes]:
    return {str(p.relative_to(directory)): p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file()}


# --- several processes ----------------------------------------------------------------------------


def test_what_a_lost_process_tried_is_tried_again(mark: Path) -> None:
    found = search(Plan(FRAIL, examples=12, workers=2))
    assert mark.exists()
    assert found == evolve(search(Plan("model", examples=12)), scheduler=FRAIL)


# --- a cluster ------------------------------------------------------------------------------------


def test_a_cluster_does_not_show(dask: str, tmp_path: Path) -> None:
    """Not even in the files: corpus, findings and index."""
    options = ("--scheduler", MUTANT, "--seed", "4", "--examples", "12")
    assert fuzz(*options, "--reports", str(tmp_path / "alone")).exit_code == 1
    said = fuzz(*options, "--reports", str(tmp_path / "cluster"), "--dask", dask)
    assert said.exit_code == 1, said.output
    assert contents(tmp_path / "cluster") == contents(tmp_path / "alone")


def test_what_a_lost_worker_tried_is_tried_again(dask: str, mark: Path) -> None:
    found = search(Plan(FRAIL, examples=12, dask=dask))
    assert mark.exists()
    assert found == evolve(search(Plan("model", examples=12)), scheduler=FRAIL)


def test_workers_with_other_code_are_refused(dask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "code", lambda: "other")
    with pytest.raises(PlanError, match="another version"):
        search(Plan("model", examples=8, dask=dask))


def test_a_portion_of_which_nothing_comes_ends_the_search(
    dask: str, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a case after which a scheduler hangs."""
    monkeypatch.setattr(cluster, "LONGEST", 0.01)
    with pytest.raises(PlanError, match=r"nothing came of cases 0/0 to 0/7 in 0\.01 s"):
        search(Plan("model", examples=8, dask=dask))


def test_a_cluster_that_cannot_read_what_it_gets_is_told_why(dask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise RuntimeError("Error during deserialization of the task graph.")

    monkeypatch.setattr(cluster.OnWorker, "result", refuse)
    with pytest.raises(PlanError, match="need sched-oracle too"):
        search(Plan("model", examples=8, dask=dask))


def test_a_scheduler_that_workers_do_not_have_is_exit_code_2(dask: str, tmp_path: Path) -> None:
    (tmp_path / "nowhere.py").write_text("from model.engine import Reference\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        said = fuzz("--scheduler", "python:nowhere:Reference", "--dask", dask, "--reports", str(tmp_path / "reports"))
    assert said.exit_code == 2, said.output
    assert "nowhere" in said.output


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:1"])
def test_no_cluster_is_exit_code_2(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    said = fuzz("--dask", address, "--reports", str(tmp_path))
    assert said.exit_code == 2, said.output
    assert said.output.startswith(f"error: no Dask scheduler answers at {address}: ")
    assert said.output.count("\n") == 1
    assert not (tmp_path / Unfinished.NAME).exists()


def test_a_cluster_without_workers_is_exit_code_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with LocalCluster(n_workers=0, dashboard_address=None) as empty:
        said = fuzz("--dask", empty.scheduler_address, "--reports", str(tmp_path))
    assert said.exit_code == 2, said.output
    assert "has no worker" in said.output


def test_without_the_extra_there_is_no_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "oracle.fuzz.cluster")
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = fuzz("--dask", "tcp://127.0.0.1:1", "--reports", str(tmp_path))
    assert said.exit_code == 2, said.output
    assert "sched-oracle[dask]" in said.output


def test_workers_or_a_cluster(tmp_path: Path) -> None:
    said = fuzz("--dask", "tcp://127.0.0.1:1", "--workers", "2", "--reports", str(tmp_path))
    assert said.exit_code == 2
    assert "not both" in said.output


# --- cut short ------------------------------------------------------------------------------------


def started(reports: Path, *arguments: str) -> "subprocess.Popen[str]":
    """The command in a process group of its own, stopped at an example."""
    command = (sys.executable, "-c", "from oracle.cli import main; main()", "fuzz", "--reports", str(reports))
    process = subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(Path(os.environ[MARK]).exists)
    wait_until(lambda: any(reports.glob("corpus/*.json")))
    return process


def wait_until(fulfilled: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not fulfilled():
        assert time.monotonic() < end
        time.sleep(0.02)


def group_is_gone(group: int) -> bool:
    """But for those that have ended and that nobody has asked about."""
    listed = subprocess.run(("ps", "-eo", "pgid=,stat="), capture_output=True, text=True, check=True).stdout
    return not any(line.split()[0] == str(group) and "Z" not in line for line in listed.splitlines())


@pytest.mark.parametrize(("sent", "workers"), [(signal.SIGINT, "2"), (signal.SIGTERM, "1")])
def test_an_interrupted_search_ends_with_what_it_has(
    sent: signal.Signals, workers: str, mark: Path, tmp_path: Path
) -> None:
    process = started(tmp_path, "--scheduler", PATIENT, "--examples", ENOUGH, "--workers", workers)
    os.killpg(process.pid, sent)
    said, complaints = process.communicate(timeout=LONG)
    assert process.returncode == 130, complaints
    assert complaints == "interrupted; the results above are those until then, and --resume goes on\n"
    assert "cases tried" in said
    assert (tmp_path / "index.html").exists()
    assert list(tmp_path.glob("corpus/*.json"))
    wait_until(lambda: group_is_gone(process.pid))


@pytest.mark.parametrize("command", ["fuzz", "validate"])
def test_another_search_in_the_same_directory_is_refused(command: str, mark: Path, tmp_path: Path) -> None:
    """Not so once the first one is gone, however it went."""
    process = started(tmp_path, "--scheduler", PATIENT, "--examples", ENOUGH)
    before = contents(tmp_path)
    options = [command, "--scheduler", "model", "--examples", "1", "--reports", str(tmp_path)]
    said = CliRunner().invoke(app, options)
    assert (said.exit_code, said.output) == (2, f"error: {tmp_path}: another search is under way there\n")
    assert contents(tmp_path) == before
    process.kill()
    process.communicate(timeout=LONG)
    assert CliRunner().invoke(app, options).exit_code == 0


def test_a_killed_search_goes_on_where_it_was(mark: Path, tmp_path: Path) -> None:
    options = ("--scheduler", PATIENT, "--examples", ENOUGH)
    process = started(tmp_path / "killed", *options, "--workers", "2")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=LONG)
    wait_until(lambda: group_is_gone(process.pid))
    unfinished = json.loads((tmp_path / "killed" / Unfinished.NAME).read_text())
    assert unfinished["progress"]["done"] > 0
    assert fuzz(*options, "--reports", str(tmp_path / "killed"), "--resume").exit_code == 0
    assert fuzz(*options, "--reports", str(tmp_path / "whole")).exit_code == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_findings_survive(tmp_path: Path) -> None:
    """Also those that are told apart only after they were made small."""
    plan = evolve(PLAN, memory=tmp_path)
    first = interrupted_after(20, plan)
    assert first.findings
    assert search(evolve(plan, resume=True)) == search(PLAN)


def interrupted_after(cases: int, plan: Plan) -> Any:
    def watch(progress: Progress) -> None:
        if progress.done == cases:
            raise KeyboardInterrupt

    return search(plan, watch)


def test_there_must_be_a_search_to_go_on_with(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="no search was cut short there"):
        search(evolve(PLAN, memory=tmp_path, resume=True))
    interrupted_after(1, evolve(PLAN, memory=tmp_path))
    with pytest.raises(PlanError, match=f"of --scheduler {MUTANT} with --seed 4"):
        search(evolve(PLAN, seed=5, memory=tmp_path, resume=True))
    (tmp_path / Unfinished.NAME).write_text('{"scheduler": 1}')
    with pytest.raises(PlanError, match="not what this version writes"):
        search(evolve(PLAN, memory=tmp_path, resume=True))


def test_a_search_that_was_cut_short_is_not_lost_in_silence(tmp_path: Path) -> None:
    interrupted_after(1, evolve(PLAN, memory=tmp_path))
    said = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert said.exit_code == 2
    assert "unfinished; go on with `fuzz --resume`" in said.stderr
    said = fuzz("--scheduler", "model", "--examples", "1", "--reports", str(tmp_path))
    assert "the search that was cut short there is given up" in said.stderr
    assert "given up" not in fuzz("--scheduler", "model", "--examples", "1", "--reports", str(tmp_path)).stderr


def test_a_finished_search_leaves_nothing_to_go_on_with(tmp_path: Path) -> None:
    search(Plan("model", examples=1, memory=tmp_path))
    assert not (tmp_path / Unfinished.NAME).exists()


@pytest.mark.parametrize("command", ["fuzz", "validate"])
def test_an_index_that_cannot_be_written_does_not_take_the_results(command: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    options = ("--scheduler", "model", "--examples", "1", "--reports", str(tmp_path))
    said = CliRunner().invoke(app, [command, *options])
    assert (said.exit_code, said.stderr) == (2, f"error: {tmp_path / 'index.html'}: Is a directory\n")
    assert said.stdout.splitlines()[-1].startswith("no ")


def test_kept_cases_come_on_top_of_the_examples(tmp_path: Path) -> None:
    options = ("--scheduler", "model", "--examples", "3", "--reports", str(tmp_path))
    assert fuzz(*options).output.startswith("3 cases tried (1 cache, 1 queue, 1 schedule), seed 0")
    said = fuzz(*options, "--seed", "1")
    assert said.output.startswith("6 cases tried (2 cache, 2 queue, 2 schedule), 3 of them from the corpus, seed 1")
    assert "3 of them kept from earlier searches." in (tmp_path / "index.html").read_text()


def test_the_pace_of_any_time_fits_a_chart() -> None:
    pace = Pace()
    for moment in range(1000):
        pace.note(moment / 2)
    assert MOST_SLICES / 2 <= len(pace.done) <= MOST_SLICES
    assert sum(pace.done) == 1000
    assert set(pace.rates) == {2.0}


def test_a_portion_tells_what_it_is() -> None:
    assert str(Portion("model", 7, (8, 9, 10))) == "cases 7/8 to 7/10"
