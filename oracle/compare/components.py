"""Two queues, or two caches, side by side through the same operations; answers first, then the whole state."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from model.api.components import CacheComponent, CacheState, Engine, Outcome, QueueComponent, QueueState
from model.api.objects import Node, Pod
from oracle.compare.divergence import Divergence, Record, different_ends, ended, guarded
from oracle.conform import cache as caches
from oracle.conform import queue as queues
from oracle.conform.recorded import Objects
from oracle.conform.verdict import Difference, first_difference


def compare_queues(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Pods of equal priority and time are ties, unless the engine is canonical.  Raises ManifestError."""
    pods = Objects(case["pods"], Pod)
    canonical = getattr(engine, "canonical", False)
    expected_queue, queue = reference.queue(), engine.queue()
    now = 0

    def perform(one: QueueComponent, operation: Mapping[str, Any]) -> tuple[Outcome, QueueState]:
        return queues.perform(one, operation, pods, now), one.state()

    def record(operation: Mapping[str, Any], outcome: Outcome, state: QueueState) -> Record:
        result = queues.recorded_result(operation["op"], outcome, pods)
        return {"err": outcome.error, "result": result, **queues.recorded_state(state, pods, now)}

    def difference(where: str, expected: Record, actual: Record) -> Difference | None:
        if canonical:
            return first_difference(where, expected, actual)
        return first_difference(where, queues.up_to_ties(expected), queues.up_to_ties(actual))

    closed = False
    for at, operation in enumerate(case["ops"]):
        now += operation.get("ms", 0)
        closed = closed or operation["op"] == "Close"
        if operation["op"] == "Pop" and not closed and not expected_queue.state().active:
            continue  # would block
        divergence, over = _step(at, operation, (expected_queue, queue), perform, record, difference)
        if divergence is not None and operation["op"] == "Pop" and not canonical:
            divergence = None if _took_another(divergence) else divergence
            over = True
        if divergence is not None or over:
            return divergence
    return None


def _took_another(divergence: Divergence) -> bool:
    """Whether the queue only took another one of equal pods, and has legitimately gone its own way."""
    expected, actual = divergence.expected, divergence.actual
    return expected.get("result") != actual.get("result") and any(
        {expected.get("result"), actual.get("result")} <= set(group) for group in expected.get("tied", ())
    )


def compare_caches(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Raises ManifestError."""
    tables = caches.Tables(Objects(case["pods"], Pod), Objects(case["nodes"], Node))
    canonical = getattr(engine, "canonical", False)
    expected_cache, cache = reference.cache(case["ttlMs"]), engine.cache(case["ttlMs"])

    def perform(one: CacheComponent, operation: Mapping[str, Any]) -> tuple[Outcome, CacheState]:
        return caches.perform(one, operation, tables), one.state()

    def record(_: Mapping[str, Any], outcome: Outcome, state: CacheState) -> Record:
        return {**caches.recorded_answer(outcome, tables), **caches.recorded_state(state, tables)}

    expired = False

    def difference(where: str, expected: Record, actual: Record) -> Difference | None:
        if expired and not canonical:
            expected, actual = caches.without_order(expected), caches.without_order(actual)
        return first_difference(where, expected, actual)

    for at, operation in enumerate(case["ops"]):
        expired = expired or operation["op"] == "CleanupExpired"
        divergence, over = _step(at, operation, (expected_cache, cache), perform, record, difference)
        if divergence is not None or over:
            return divergence
    return None


def _step(
    at: int,
    operation: Mapping[str, Any],
    sides: tuple[Any, Any],
    perform: Callable[[Any, Mapping[str, Any]], tuple[Outcome, Any]],
    record: Callable[[Mapping[str, Any], Outcome, Any], Record],
    differ: Callable[[str, Record, Record], Difference | None],
) -> tuple[Divergence | None, bool]:
    """One operation on both; also whether both are dead.  What is equal as it was shown need not go on record."""
    where, when = f"steps[{at}] {operation['op']}", f"while it did {operation['op']}"
    expected, actual = (guarded(partial(_shown, perform, side, operation), when) for side in sides)
    if expected == actual and not ended(expected):
        return None, False
    expected, actual = (
        one if ended(one) else guarded(partial(record, operation, *one["shown"]), when) for one in (expected, actual)
    )
    if ended(expected) or ended(actual):
        difference = different_ends(where, expected, actual)
    else:
        difference = differ(where, expected, actual)
    divergence = None if difference is None else Divergence(at, operation, expected, actual, difference)
    return divergence, ended(expected)


def _shown(
    perform: Callable[[Any, Mapping[str, Any]], tuple[Outcome, Any]], side: Any, operation: Mapping[str, Any]
) -> Record:
    return {"shown": perform(side, operation)}
