"""Proofs that whatever is sorted or compared can be: the comparators are strict weak orders, over all inputs."""

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
import z3

from model.api.clock import Instant
from model.preemption.pick import best_candidates, highest_priority, sum_of_priorities
from model.preemption.victims import importance
from model.queue import state
from model.queue.state import less_active, less_backoff
from model.quirks import EVERY, Without
from oracle.smt.proofs import Proved, proof
from oracle.smt.symbolic import Integer, Truth
from tests.proving import is_strict_weak_order, term, within

LOWEST, HIGHEST = -(2**31), 2**31 - 1


def instant(name: str) -> Instant:
    return Instant(Integer.unknown(f"{name} ms"), Integer.unknown(f"{name} reading"))  # type: ignore[arg-type]


def waiting(name: str) -> Any:
    return SimpleNamespace(pod=SimpleNamespace(priority=Integer.unknown(name)), timestamp=instant(name))


def test_the_active_queue() -> None:
    """Q-010"""
    assert is_strict_weak_order(less_active, [waiting(name) for name in "abc"])


@pytest.mark.parametrize("present", list(product([True, False], repeat=3)))
def test_the_backoff_queue(present: tuple[bool, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-012, as long as nobody's backoff changes meanwhile; entries without one come first."""
    ends = {name: instant(name) if there else None for name, there in zip("abc", present, strict=True)}
    monkeypatch.setattr(state, "backoff_time", lambda _backoffs, pod, _quirks: ends[pod])
    entries = [SimpleNamespace(pod=name) for name in "abc"]
    assert is_strict_weak_order(less_backoff({}), entries)


def victim(name: str) -> Any:
    started = SimpleNamespace(start_time=Integer.unknown(f"{name} started"))
    return SimpleNamespace(priority=Integer.unknown(f"{name} priority"), status=started)


def test_the_importance_of_victims() -> None:
    """E-022, for pods that have started."""
    assert is_strict_weak_order(lambda a, b: importance(a) < importance(b), [victim(name) for name in "abc"])


def candidate(name: str, size: int) -> Any:
    return SimpleNamespace(
        pods=tuple(victim(f"{name}{i}") for i in range(size)), pdb_violations=Integer.unknown(f"{name} violations")
    )


def in_range(candidates: list[Any]) -> list[z3.BoolRef]:
    return [within(pod.priority, LOWEST, HIGHEST) for candidate in candidates for pod in candidate.pods]


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 2, 1), (2, 1, 2)])
@pytest.mark.parametrize("quirks", [EVERY, Without(frozenset({"E-035"}))], ids=["v1.15.3", "true highest"])
def test_the_choice_of_a_node(sizes: tuple[int, ...], quirks: Any) -> None:
    """E-040: one candidate is better than another when it is kept alone; that reading one victim stands for all of
    them [E-035] may be unwise, but is an order."""
    candidates = [candidate(name, size) for name, size in zip("abc", sizes, strict=True)]

    def better(one: Any, other: Any) -> bool:
        return list(best_candidates({"one": one, "other": other}, quirks)) == ["one"]

    assert is_strict_weak_order(better, candidates, in_range(candidates))


def test_the_number_of_victims_decides_only_at_the_lowest_priority() -> None:
    """E-041: with the same first victim and the same sum, one more victim weighs nothing."""
    one, two = candidate("a", 1), candidate("b", 2)
    given = [
        *in_range([one, two]),
        term(highest_priority(one)) == term(highest_priority(two)),
        term(sum_of_priorities(one)) == term(sum_of_priorities(two)),
    ]
    assert proof(term(two.pods[1].priority) == LOWEST, given) == Proved()


def test_what_is_no_order_is_told() -> None:
    """That the proofs above could fail: a comparator with a tolerance is not transitive in its ties."""
    ordered = is_strict_weak_order(lambda a, b: Truth(a.term + 1 < b.term), [Integer.unknown(name) for name in "abc"])
    assert not ordered
