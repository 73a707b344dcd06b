"""Recorded runs of the scheduling queue.

Pods of equal priority and timestamp are ties, and any of them may be taken: `active` is compared as a sequence
of groups, and a run that takes another member of the recorded group has legitimately parted from the record.
An engine that declares itself `canonical` breaks ties as the record does, and is compared exactly.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from model.api.clock import Instant
from model.api.components import Engine, Operation, Outcome, QueueComponent, QueueState, WaitingPod
from model.api.objects import Pod
from model.api.protocol import Crash
from oracle.conform.recorded import Objects, expanded
from oracle.conform.verdict import Difference, first_difference


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    """The first difference; None where all agree, as far as the record binds."""
    queue, pods, now = engine.queue(), Objects(case["pods"], Pod), 0
    canonical = getattr(engine, "canonical", False)
    for at, (recorded, (step, state)) in enumerate(zip(case["ops"], expanded(case["expect"]["steps"]), strict=True)):
        where = f"steps[{at}] {recorded['op']}"
        now += recorded.get("ms", 0)
        try:
            outcome = Outcome() if step.get("empty") else perform(queue, recorded, pods, now)
        except Crash as crash:
            return None if "fatal" in step else Difference(f"{where}.crash", None, str(crash))
        if "fatal" in step:
            return Difference(f"{where}.crash", step["fatal"], None)
        if outcome.error != step["err"]:
            return Difference(f"{where}.err", step["err"], outcome.error)
        result = recorded_result(recorded["op"], outcome, pods)
        if result != step.get("result"):
            if not canonical and result in step.get("tiedAtPop", ()):
                return None
            return Difference(f"{where}.result", step.get("result"), result)
        actual = recorded_state(queue.state(), pods, now)
        if not canonical:
            state, actual = up_to_ties(state), up_to_ties(actual)
        if (difference := first_difference(where, state, actual)) is not None:
            return difference
    return None


def perform(queue: QueueComponent, recorded: Mapping[str, Any], pods: Objects, now: int) -> Outcome:
    """One recorded operation at `now` ms.  Time passes by itself.  Do not ask for Pop of an empty queue: it blocks."""
    if recorded["op"] == "Advance":
        return Outcome()
    return queue.apply(
        Operation(
            recorded["op"],
            Instant(now),
            pod=pods.get(recorded.get("pod")),
            old=pods.get(recorded.get("old")),
            new=pods.get(recorded.get("new")),
            node_name=recorded.get("node", ""),
            cycle=_cycle(queue, recorded["cycle"]) if "cycle" in recorded else 0,
        )
    )


def _cycle(queue: QueueComponent, recorded: str | int) -> int:
    """The pod's scheduling cycle, recorded relative to the queue's current one."""
    current = queue.state().scheduling_cycle
    return current if recorded == "current" else current + int(recorded)


def recorded_result(name: str, outcome: Outcome, pods: Objects) -> Any:
    if name == "Pop":
        return pods.reference(outcome.result)
    if outcome.result is None:
        return None
    references = pods.references(outcome.result)
    return sorted(references) if name == "PendingPods" else references


def recorded_state(state: QueueState, pods: Objects, now: int) -> Mapping[str, Any]:
    def waiting(waiting_pods: tuple[WaitingPod, ...]) -> list[Mapping[str, Any]]:
        return [
            {
                "pod": pods.reference(waiting.pod),
                "timestampMs": waiting.timestamp.ms,
                "backoffUntilMs": waiting.backoff_until.ms if waiting.backoff_until else None,
            }
            for waiting in waiting_pods
        ]

    return {
        "nowMs": now,
        "active": [pods.reference(waiting.pod) for waiting in state.active],
        "activeTs": [waiting.timestamp.ms for waiting in state.active],
        "tied": _tied(state, pods),
        "backoff": waiting(state.backoff),
        "unschedulable": waiting(state.unschedulable),
        "podBackoff": {
            key: {"attempts": entry.attempts, "lastUpdateMs": entry.last_update.ms}
            for key, entry in state.pod_backoff.items()
        },
        "nominated": {node: pods.references(nominated) for node, nominated in state.nominated.items()},
        "schedulingCycle": state.scheduling_cycle,
        "moveRequestCycle": state.move_request_cycle,
    }


def _tied(state: QueueState, pods: Objects) -> list[list[str]]:
    groups = groupby(state.active, key=lambda waiting: (waiting.pod.priority, waiting.timestamp.ms))
    members = (sorted(pods.references(tuple(waiting.pod for waiting in group))) for _, group in groups)
    return [group for group in members if len(group) > 1]


def up_to_ties(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """`active` as a sequence of groups of equals."""
    group_of = {pod: group for group in state["tied"] for pod in group}
    groups = groupby(state["active"], key=lambda pod: group_of.get(pod, [pod]))
    return {**state, "active": [group for group, _ in groups]}
