"""A real kube-scheduler is played clusters to, and every decision it makes is checked."""

import os
import shlex
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from model.api.cluster import Cluster
from model.api.configuration import Configuration, ConfigurationError
from model.api.protocol import Crash
from model.releases import v1_15_3 as rules_of_v1_15_3
from oracle.environment import read_operations
from oracle.judgement.judged import Outcome
from oracle.levels import Level
from oracle.live.cases import in_real_time, live_case
from oracle.live.validation import LiveValidation, Played
from oracle.strategies import case_from_seed
from oracle.trace import Trace, read_trace
from tests.building import node, pod
from tests.kube_scheduler import FLAGS, OLD_FLAGS, NotBuilt, built, configured, path_of
from tests.served import waiting

CLUSTERS = 36
"""Cases, half of them in each of two tests, which may run side by side."""

CONFIGURED = 10
"""Cases of each kind, with a configuration of their own."""

pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def v1_15_3() -> Path:
    try:
        return built("v1.15.3")
    except NotBuilt as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def play(command: str, level: Level, seeds: range) -> list[Played]:
    return list(LiveValidation(level).of_command(command, (live_case(f"kube/{seed}") for seed in seeds)))


def told(played: list[Played], outcome: Outcome) -> list[str]:
    return [f"{d.said}: {d.wrong and d.wrong.says} {dict(d.actual)}" for each in played for d in each.of(outcome)]


@pytest.mark.parametrize("half", [0, 1])
def test_v1_15_3_does_exactly_as_the_model_says(v1_15_3: Path, half: int) -> None:
    seeds = range(half, CLUSTERS, 2)
    played = play(f"{v1_15_3} {OLD_FLAGS}", Level.EXACT, seeds)
    assert told(played, Outcome.FAILED) == []
    assert len([each for each in played if each.of(Outcome.UNCERTAIN)]) <= 5, told(played, Outcome.UNCERTAIN)
    claims = Counter(decision.claim for each in played for decision in each.decisions)
    assert claims["host"] >= 20
    assert claims["refusal"] >= 20
    assert claims["room"] >= 2


def test_v1_15_3_ends_when_a_pod_changes_its_node(v1_15_3: Path) -> None:
    """[C-019]"""
    moved = read_operations([{"op": "patch", "kind": "Pod", "key": "default/o", "patch": {"spec": {"nodeName": "n2"}}}])
    case = Trace(cluster=Cluster.of([node("n1"), node("n2"), pod("o", on="n1"), waiting("p")]), events=moved)
    [played] = LiveValidation(Level.EXACT).of_command(f"{v1_15_3} {OLD_FLAGS}", [case])
    [death] = (decision for decision in played.decisions if decision.claim == "fault")
    assert (death.said, death.outcome) == ("ended with exit code 255", Outcome.PASSED)


@pytest.mark.parametrize("kind", ["schedule", "preempt", "e2e"])
def test_v1_15_3_follows_its_configuration(v1_15_3: Path, tmp_path: Path, kind: str) -> None:
    decisions = 0
    for seed in range(CONFIGURED):
        case = read_trace(in_real_time(case_from_seed(kind, f"kube/{seed}")))
        command = configured(v1_15_3, case.configuration, tmp_path)
        if refusal := refused(case.configuration):
            assert refusal in last_words(command)
            continue
        played = list(LiveValidation(Level.EXACT, case.configuration).of_command(command, [case]))
        assert told(played, Outcome.FAILED) == []
        decisions += len(played[0].decisions)
    assert decisions >= CONFIGURED


def refused(configuration: Configuration) -> str:
    """What is wrong with it; "" where nothing is."""
    try:
        rules_of_v1_15_3(configuration)
    except (ConfigurationError, Crash) as error:
        return str(error)
    return ""


def last_words(command: str) -> str:
    nowhere = shlex.split(command.replace("{server}", "http://127.0.0.1:1"))
    return subprocess.run(nowhere, capture_output=True, text=True, timeout=60, check=False).stderr


def test_a_scheduler_without_its_predicates_is_found_out(v1_15_3: Path, tmp_path: Path) -> None:
    """The judge would also notice: this is the same program, told to look at nothing but host names."""
    policy = tmp_path / "policy.json"
    policy.write_text('{"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "HostName"}], "priorities": []}')
    command = f"{v1_15_3} {OLD_FLAGS} --policy-config-file {policy} --use-legacy-policy-config"
    played = play(command, Level.FEASIBLE, range(4))
    wrong = {d.sort for each in played for d in each.of(Outcome.FAILED)}
    assert "host-GeneralPredicates" in wrong


def test_the_newest_release_can_be_served() -> None:
    """It has rules of its own; here it is enough that it finds its way.  Built by `make peers`.

    Of 30 clusters it is called wrong in five, and by the rules of v1.15 it is: it compares only what a pod asks for, so
    that a node that has given away too much of something else takes it still; nodes must have the topology keys of
    a pod's affinity even if the pod is the first of its kind; and amounts beyond 63 bits do not wrap.
    """
    binary = path_of("newest")
    if not binary.exists():
        pytest.skip("not built: make peers")
    played = play(f"{binary} {FLAGS}", Level.FEASIBLE, range(6))
    assert not [d for each in played for d in each.decisions if d.claim in ("fault", "silence", "flood")]
    claims = Counter(decision.claim for each in played for decision in each.decisions)
    assert claims["host"] >= 4
    assert claims["refusal"] >= 4


def test_a_configuration_is_told_to_the_judge(v1_15_3: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(
        "apiVersion: kubescheduler.config.k8s.io/v1alpha1\nkind: KubeSchedulerConfiguration\ndisablePreemption: true\n"
        "clientConnection: {contentType: application/json}\nleaderElection: {leaderElect: false}\n"
        "healthzBindAddress: 127.0.0.1:0\nmetricsBindAddress: 127.0.0.1:0\n"
    )
    command = f"{v1_15_3} --config {config} --master {{server}} --secure-port 0"
    low, high = pod("low", cpu="2", priority=1, on="n1"), waiting("high", cpu="2", priority=10)
    cases = [Trace(cluster=Cluster.of([node("n1", cpu="2"), low, high]))]
    without = LiveValidation(Level.EXACT, Configuration(disable_preemption=True))
    played = list(without.of_command(command, cases))
    assert told(played, Outcome.FAILED) == []
    assert not [d for each in played for d in each.decisions if d.claim == "room"]
    usual = list(LiveValidation(Level.RANKED).of_command(command, cases))
    assert {d.sort for each in usual for d in each.of(Outcome.FAILED)} == {"refusal-not-made"}
