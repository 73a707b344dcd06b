"""Whatever the solver gives up on, no claim is called right, wrong or excused on the strength of it."""

from collections.abc import Callable
from typing import Any

import pytest

from model.api.cluster import Cluster
from model.api.objects import KubernetesObject, Pod
from oracle.smt.facts import Facts
from oracle.smt.settings import Settings
from oracle.smt.solving import Answer, Solving, Undecided
from oracle.verify import Opinion, Standing
from oracle.verify.claims import Claims
from tests.attempts import claim, mounts, storage_class, volume
from tests.building import apart, near, node, pod


def about(incoming: Pod, *things: KubernetesObject, limit_ms: int = 10_000) -> Claims:
    return Claims(Facts.of(Cluster.of(things)), incoming, Settings(), limit_ms)


FULL = node("n"), pod("v", "6", on="n"), pod("w", "4", on="n")
FULLER = node("n", labels={"host": "n"}), pod("x", "3", on="n", labels={"app": "x"}), pod("y", "5", on="n")
APART = (
    node("n", labels={"host": "n"}),
    pod("v", "1", on="n", labels={"app": "a"}),
    pod("w", "9", on="n", labels={"app": "c"}),
)
LOCAL = storage_class("local", provisioner="kubernetes.io/no-provisioner")
OPINIONS: dict[str, Callable[[], Opinion]] = {
    "a host": lambda: about(pod("in", claims=["c"]), node("n"), LOCAL, claim("c"), volume("v")).host("n"),
    "no host": lambda: about(pod("in", "5"), *FULL).host("n"),
    "unschedulable": lambda: about(pod("in", "5"), *FULL, node("m", "1")).unschedulable(),
    "overlooked": lambda: about(pod("in", "5"), *FULL, node("m")).unschedulable(),
    "victims": lambda: about(pod("in", "5", priority=9), *FULL).victims("n", ["default/v"]),
    "one too many": lambda: about(pod("in", "5", priority=9), *FULL).victims("n", ["default/v", "default/w"]),
    "one too few": lambda: about(pod("in", "5", priority=9), *FULL).victims("n", ["default/w"]),
    "one too many, excused": lambda: about(
        pod("in", "2", priority=9, affinity=apart(("rack", "a"), ("host", "b"))), *APART
    ).victims("n", ["default/v", "default/w"]),
    "hopeless": lambda: about(pod("in", "11", priority=9), *FULL).hopeless(["n"]),
    "not hopeless": lambda: about(pod("in", "5", priority=9), *FULL).hopeless(["n"]),
    "not hopeless, excused": lambda: about(pod("in", "4", priority=9, affinity=near(("host", "x"))), *FULLER).hopeless(
        ["n"]
    ),
}


class Impatience:
    """Counts the questions, and has one of them not decided."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, gives_up_at: int = -1) -> None:
        self.asked = 0
        ask = Solving.ask

        def asking(solving: Solving, *assumptions: Any, **only: Any) -> Answer:
            self.asked += 1
            return Undecided("out of time") if self.asked == gives_up_at else ask(solving, *assumptions, **only)

        monkeypatch.setattr(Solving, "ask", asking)


@pytest.mark.parametrize("sort", OPINIONS)
def test_unknown_stays_unknown(sort: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patience = Impatience(patched)
        known = OPINIONS[sort]()
    assert known.standing is not Standing.UNKNOWN
    standings = []
    for number in range(1, patience.asked + 1):
        with pytest.MonkeyPatch.context() as patched:
            Impatience(patched, number)
            opinion = OPINIONS[sort]()
        assert opinion.standing is Standing.UNKNOWN or (opinion.standing, opinion.rule) == (known.standing, known.rule)
        standings.append(opinion.standing)
    assert Standing.UNKNOWN in standings


def test_a_hard_question_ends_in_time() -> None:
    """A pigeonhole problem, which takes a solver that reasons by cases longer than anybody has."""
    names = [f"c{at}" for at in range(15)]
    things = [LOCAL, *(claim(name) for name in names), *(volume(f"v{at}") for at in range(14))]
    hard = about(pod("in", volumes=mounts(*names)), node("n"), *things, limit_ms=50)
    assert hard.host("n").standing is Standing.UNKNOWN
