"""Schedulers in processes of their own: what they may say, and what becomes of those that misbehave."""

import os
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from model.api.configuration import ConfigurationError
from model.api.decode import encode
from model.api.protocol import Crash
from model.engine import Reference
from oracle.child import ChildEngine, CommandError, Limits
from oracle.compare import compare
from oracle.guard import SchedulerFault
from oracle.judgement import Judged, Outcome, judge_trace
from oracle.judgement.settling import settled
from oracle.levels import Level
from oracle.schedulers import SchedulerError, find_engine
from oracle.strategies import case_from_seed
from oracle.trace import read_trace
from tests.building import node, pod

PEERS = Path(__file__).parent / "peers"
HOSTILE = f"{sys.executable} {PEERS / 'hostile.py'}"
FIRST_FIT = f"{sys.executable} {PEERS / 'first_fit.py'}"
LEAST_LOADED = f"node {PEERS / 'least_loaded.js'}"


def small_case(*events: dict[str, Any]) -> dict[str, Any]:
    """Two nodes, one pod that runs, three that wait, the last of them the most important."""
    ours: dict[str, Any] = {"cpu": "1", "schedulerName": "default-scheduler"}
    pods = [pod("old", on="n1", **ours), *(pod(f"p{at}", priority=at * 10, **ours) for at in (1, 2, 3))]
    cluster = {"nodes": [encode(node(name, cpu="3")) for name in ("n1", "n2")], "pods": [encode(each) for each in pods]}
    return {"kind": "e2e", "cluster": cluster, "config": {}, "events": [*events] or [{"op": "scheduleOne"}] * 4}


@pytest.fixture
def started() -> Iterator[Any]:
    """A way to start engines that are all ended afterwards."""
    engines: list[ChildEngine] = []

    def start(command: str, **limits: Any) -> ChildEngine:
        engines.append(ChildEngine(command, Limits(**{"answer_seconds": 30.0, "case_seconds": 120.0, **limits})))
        return engines[-1]

    yield start
    for engine in engines:
        engine.close()


def failed(case: dict[str, Any], engine: ChildEngine, level: Level = Level.FEASIBLE) -> list[Judged]:
    return list(judge_trace(case, engine, level).failed)


# --- the examples ---------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [FIRST_FIT, LEAST_LOADED])
def test_examples_keep_to_hard_constraints(started: Any, command: str) -> None:
    engine = started(command)
    verdict = judge_trace(settled(small_case()), engine, Level.FEASIBLE)
    assert verdict.outcome is Outcome.PASSED
    assert [each.claim for each in verdict.judged].count("host") == 3


@pytest.mark.parametrize("name", ["first_fit.py", "least_loaded.js"])
def test_examples_are_short(name: str) -> None:
    assert len((PEERS / name).read_text().splitlines()) < 62


def test_first_fit_does_not_rank(started: Any) -> None:
    assert "host-score" in {each.sort for each in failed(small_case(), started(FIRST_FIT), Level.RANKED)}


def test_the_reference_speaks_exactly(started: Any) -> None:
    """All that the protocol can say is said, and nothing is lost: effects, outcomes, observations."""
    engine = started(f"{sys.executable} {PEERS / 'reference.py'}")
    assert engine.configurable
    for case in islice(filter(starts, map(without_extenders, count())), 6):
        assert compare(case, engine) is None


def without_extenders(seed: int) -> dict[str, Any]:
    case = case_from_seed("e2e", f"protocol/{seed}")
    case["config"].pop("extenders", None)
    return case


def starts(case: dict[str, Any]) -> bool:
    """Whether v1.15.3 does with its configuration: that it does not, the protocol cannot say."""
    try:
        Reference().scheduler(read_trace(case).configuration)
    except (ConfigurationError, Crash):
        return False
    return True


def test_a_process_that_can_be_reset_serves_many_cases(started: Any) -> None:
    engine = started(LEAST_LOADED)
    judge_trace(small_case(), engine, Level.FEASIBLE)
    first = engine.pid
    judge_trace(small_case(), engine, Level.FEASIBLE)
    assert engine.pid == first


def test_others_get_a_new_process_for_each_case(started: Any) -> None:
    engine = started(FIRST_FIT)
    judge_trace(small_case(), engine, Level.FEASIBLE)
    first = engine.pid
    judge_trace(small_case(), engine, Level.FEASIBLE)
    assert engine.pid != first
    assert not is_running(first)


def test_a_process_tells_what_it_understands(started: Any) -> None:
    assert started(FIRST_FIT).features == {"node-selectors", "unschedulable"}


def test_effects_wait_for_what_happens_meanwhile(started: Any) -> None:
    """The pod goes while the scheduler decides about it: the bind is refused, and nobody is to blame."""
    gone = [{"op": "delete", "kind": "Pod", "key": f"default/p{at}"} for at in (1, 2, 3)]
    case = small_case({"op": "scheduleOne", "during": gone})
    verdict = judge_trace(case, started(FIRST_FIT), Level.FEASIBLE)
    assert [each.claim for each in verdict.judged] == ["host"]
    assert verdict.outcome is Outcome.PASSED


# --- bad company ----------------------------------------------------------------------------------

FAULTS = {
    "flood": "fault-Flooded",
    "flood-stderr": "crash-ended",
    "gigabyte": "fault-Flooded",
    "garbage": "fault-Garbled",
    "invalid-utf8": "fault-Garbled",
    "not-an-object": "fault-Garbled",
    "member-twice": "fault-Garbled",
    "deep": "fault-Garbled",
    "out-of-order": "fault-OutOfTurn",
    "chatty": "fault-Flooded",
    "die": "crash-ended",
    "killed": "crash-ended",
    "close": "crash-ended",
    "unknown-pod": "fault-Garbled",
    "unknown-effect": "fault-Garbled",
    "endless": "fault-Flooded",
}


@pytest.mark.parametrize("how", FAULTS)
def test_a_scheduler_that_breaks_the_protocol_is_a_finding(started: Any, how: str) -> None:
    engine = started(f"{HOSTILE} {how}")
    (problem,) = failed(small_case(), engine)
    assert problem.sort == FAULTS[how]
    assert problem.step >= 2
    assert not is_running(engine.pid)


@pytest.mark.parametrize("how", ["hang", "deaf", "hang-with-children"])
def test_a_scheduler_that_hangs_is_ended_with_its_children(started: Any, how: str) -> None:
    engine = started(f"{HOSTILE} {how}", answer_seconds=3.0)
    (problem,) = failed(small_case(), engine)
    assert problem.sort == "fault-Hung"
    assert not has_group(engine.pid)


def test_a_scheduler_that_eats_memory_meets_the_limit(started: Any) -> None:
    (problem,) = failed(small_case(), started(f"{HOSTILE} eat-memory", memory=2**30))
    assert problem.sort == "crash-ended"
    assert problem.wrong is not None
    assert "MemoryError" in problem.wrong.says


def test_the_last_words_are_told(started: Any) -> None:
    (problem,) = failed(small_case(), started(f"{HOSTILE} die"))
    assert problem.wrong is not None
    assert "exit code 7; its last words: Traceback: out of luck" in problem.wrong.says


DECISIONS = {
    "unknown-node": "host-unknown-node",
    "bind-twice": "host-again",
    "delete-anybody": "room-needless",
    "refuse-all": "refusal-overlooked",
}


@pytest.mark.parametrize("how", DECISIONS)
def test_a_scheduler_that_decides_badly_is_a_finding(started: Any, how: str) -> None:
    assert DECISIONS[how] in {each.sort for each in failed(small_case(), started(f"{HOSTILE} {how}"))}


def test_doing_nothing_is_no_way_out(started: Any) -> None:
    assert {each.sort for each in failed(settled(small_case()), started(f"{HOSTILE} idle"))} == {"pending-left"}


@pytest.mark.parametrize(
    ("how", "complaint"), [("wrong-version", "protocol 2"), ("wrong-capability", "'fly'"), ("mute", "no answer")]
)
def test_a_failed_handshake_is_a_clear_error(started: Any, how: str, complaint: str) -> None:
    engine = started(f"{HOSTILE} {how}", answer_seconds=30.0 if how != "mute" else 1.0)
    with pytest.raises(SchedulerFault, match=complaint) as raised:
        engine.handshake  # noqa: B018
    assert raised.value.trace == ""  # the code here is not where it went wrong


@pytest.mark.parametrize("command", ["", "no-such-program --now", "'unbalanced"])
def test_a_command_that_cannot_be_is_an_error(command: str) -> None:
    with pytest.raises(CommandError):
        ChildEngine(command)
    with pytest.raises(SchedulerError):
        find_engine(f"exec:{command}")


def test_nothing_is_left_when_the_engine_is_forgotten() -> None:
    engine = ChildEngine(f"{HOSTILE} idle")
    assert engine.handshake.name == "idle"
    pid = engine.pid
    assert pid is not None
    assert is_running(pid)
    del engine
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def has_group(pid: int) -> bool:
    """Orphans of the group are waited for by init, which may take a moment."""
    for _ in range(100):
        try:
            os.killpg(pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True
