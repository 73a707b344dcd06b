"""Schedulers in processes of their own, from a simple one to hostile ones, get the verdicts they deserve."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from model.api.cluster import Cluster
from oracle.cli.commands import app
from oracle.judgement.judged import Outcome
from oracle.levels import Level
from oracle.live.playing import PATIENCE
from oracle.live.process import SchedulerProcess
from oracle.live.validation import LiveValidation, Played
from oracle.schedulers import SchedulerError
from oracle.trace import Trace
from tests.building import ZONE, node, pod, terms
from tests.served import waiting

ODD = Path(__file__).parent / "peers" / "kube_odd.py"
COMMAND = f"{sys.executable} {ODD} {{kubeconfig}}"
TRACE = Trace(
    cluster=Cluster.of([node("n1", cpu="4"), node("n2", cpu="8"), pod("old", on="n1"), waiting("p", cpu="1")])
)


LEAVE_UNDECIDED = ("silent", "hangs", "ghost", "nowhere")
"""For these one waits in vain; the others may be as slow as the machine."""


def played(mode: str, level: Level = Level.FEASIBLE, trace: Trace = TRACE) -> Played:
    patience = 3.0 if mode in LEAVE_UNDECIDED else PATIENCE
    [one] = LiveValidation(level, patience=patience).of_command(f"{COMMAND} {mode}", [trace])
    assert not running(), "a process was left"
    return one


def running() -> list[str]:
    """Schedulers that are children of this process, or nobody's."""
    listed = subprocess.run(["ps", "-eo", "ppid=,args="], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if str(ODD) in line and int(line.split()[0]) in (1, os.getpid())]


def faults(one: Played) -> set[str]:
    return {decision.sort for decision in one.of(Outcome.FAILED)}


def test_first_fit_is_feasible_and_not_ranked() -> None:
    assert faults(played("first-fit")) == set()
    assert faults(played("first-fit", Level.RANKED)) == {"host-score"}


def test_first_fit_without_a_look_at_what_fits() -> None:
    tight = Trace(cluster=Cluster.of([node("n1", cpu="1"), node("n2", cpu="8"), waiting("p", cpu="2")]))
    assert faults(played("first-fit", trace=tight)) == {"host-GeneralPredicates"}


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("silent", {"silence-silence"}),
        ("hangs", {"silence-silence"}),
        ("dies", {"fault-end"}),
        ("twice", {"host-again"}),
        ("ghost", {"host-unknown-pod"}),
        ("nowhere", {"host-unknown-node"}),
        ("deletes", {"deletion-no-victim"}),
    ],
)
def test_bad_company(mode: str, expected: set[str]) -> None:
    assert faults(played(mode)) == expected


def test_a_flood_of_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracle.live.world.MOST_DEEDS", 50)
    assert "flood-flood" in faults(played("floods"))


def test_the_last_words_of_the_dead_are_heard() -> None:
    [death] = played("dies").of(Outcome.FAILED)
    assert death.wrong is not None
    assert "no idea what to do with p" in death.wrong.says


def test_the_end_is_excused_where_v1_15_would_have_ended_with_another_pod_on_its_way() -> None:
    """A pod that looks for its like is on one node of a zone; one of its like, which is placed then, hits the other."""
    near = {"weight": 1, "podAffinityTerm": terms((ZONE, "a"))[0]}
    seeking = waiting("p", affinity={"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [near]}})
    sought, zone = waiting("q", labels={"app": "a"}), {ZONE: "z"}
    cluster = [node("n1", labels=zone), node("n2", labels=zone)]
    assert faults(played("dies", trace=Trace(cluster=Cluster.of([*cluster, seeking, sought])))) == set()
    assert faults(played("dies", trace=Trace(cluster=Cluster.of([*cluster, seeking])))) == {"fault-end"}


def test_a_scheduler_that_never_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oracle.live.validation.STARTING", 0.5)
    with pytest.raises(SchedulerError, match="no scheduler has watched"):
        list(LiveValidation().of_command("sleep 60", [TRACE]))


@pytest.mark.parametrize("command", ["./no-such-scheduler", "'unbalanced", " "])
def test_a_command_that_cannot_be_started(command: str) -> None:
    with pytest.raises(SchedulerError):
        list(LiveValidation().of_command(command, [TRACE]))


def test_a_process_is_ended_with_all_that_it_started() -> None:
    script = "sh -c 'sleep 987 & sleep 987 & yes | head -c 10000000; wait'"
    with SchedulerProcess(script, {}) as process:
        time.sleep(0.5)
        assert process.exit_code is None
        assert len(process.last_words) <= 64 * 1024
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 987" not in listed.splitlines()


def test_a_visitor_is_played_several_cases(tmp_path: Path) -> None:
    """It keeps its memories, and nothing of one case is left in the next."""
    kubeconfig = tmp_path / "kubeconfig"
    visitor: list[subprocess.Popen[bytes]] = []

    def come(_: object) -> None:
        visitor.append(subprocess.Popen([sys.executable, str(ODD), str(kubeconfig), "first-fit"]))

    try:
        cases = LiveValidation().of_visitor([TRACE, TRACE, TRACE], kubeconfig, come)
        assert [faults(one) for one in cases] == [set(), set(), set()]
    finally:
        visitor[0].kill()
        visitor[0].wait()


# --- the commands ---------------------------------------------------------------------------------


def test_validate_accounts_for_a_real_scheduler(tmp_path: Path) -> None:
    arguments = ["validate", "--scheduler", f"kube:{COMMAND} dies", "--examples", "1", "--reports", str(tmp_path)]
    outcome = CliRunner().invoke(app, arguments)
    assert outcome.exit_code == 3, outcome.output
    assert "feasible-fault-end" in outcome.output
    assert (tmp_path / "feasible-fault-end" / "report.html").exists()


def test_serve_judges_what_comes(tmp_path: Path) -> None:
    cluster, kubeconfig = tmp_path / "cluster.yaml", tmp_path / "kubeconfig"
    cluster.write_text(
        "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 2, memory: 1Gi, pods: 9}}}\n"
        "---\n"
        "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: {containers: [{name: c}]}}\n"
    )
    arguments = ["serve", str(cluster), "--kubeconfig", str(kubeconfig), "--once"]
    command = [sys.executable, "-c", "from oracle.cli import main; main()", *arguments]
    serving = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not kubeconfig.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    scheduler = subprocess.Popen([sys.executable, str(ODD), str(kubeconfig), "first-fit"])
    try:
        output, _ = serving.communicate(timeout=60)
    finally:
        serving.kill()
        scheduler.kill()
        scheduler.wait()
    assert serving.returncode == 0
    assert "1 node and 1 pod, 1 of them pending: they come when a scheduler has seen the rest; listening at " in output
    assert "right    bound default/p to n1" in output


def test_serve_leaves_other_kubeconfigs_alone(tmp_path: Path) -> None:
    kubeconfig = tmp_path / "config"
    kubeconfig.write_text("current-context: prod")
    outcome = CliRunner().invoke(app, ["serve", "--kubeconfig", str(kubeconfig)])
    assert outcome.exit_code == 2
    assert kubeconfig.read_text() == "current-context: prod"
