"""Attempts recorded from kube-scheduler v1.15.3: the model must agree, and the judges must notice any change."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from model.api.components import Engine
from model.engine import Reference
from oracle.conform import preempt, schedule, single
from oracle.conform.reasons import comparable
from oracle.conform.verdict import Difference
from tests.samples import recorded

JUDGES = {"schedule": schedule.judge, "preempt": preempt.judge}


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    return JUDGES.get(case["kind"], single.judge)(case, engine)


@pytest.mark.parametrize("case", recorded("schedule") + recorded("preempt") + recorded("single"))
def test_the_model_agrees(case: Mapping[str, Any]) -> None:
    assert judge(case, Reference()) is None


def altered(value: Any) -> Any:
    """Something else of the same kind."""
    match value:
        case None | bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "?"
        case list():
            return [*value, "?"]
        case _:
            return {**value, "?": {}}


RECORDED = {
    "schedule": [
        *("predicates", "podFitsOnNode", "feasible", "evaluatedNodes", "priorities", "totals", "panic", "host"),
        *("error", "errorType", "lastNodeIndexAfter", "nextNode", "interPodAffinityFixed"),
    ],
    "preempt": [
        *("scheduled", "scheduleError", "errorType", "eligible", "candidates", "perNode", "nodeTies", "victims"),
        *("nominatedPodsToClear", "nominatedPodsToClearByTie"),
    ],
}


@pytest.mark.parametrize(("kind", "member"), [(kind, member) for kind in RECORDED for member in RECORDED[kind]])
def test_every_recorded_member_counts(kind: str, member: str) -> None:
    cases = [parameter.values[0] for parameter in recorded(kind)]
    case = deepcopy(next(case for case in cases if case["expect"].get(member)))
    if member in ("panic", "scheduled"):
        del case["expect"][member]
    elif member == "interPodAffinityFixed":
        case["expect"][member]["scores"] = altered(case["expect"][member]["scores"])
    else:
        case["expect"][member] = altered(case["expect"][member])
    difference = judge(case, Reference())
    assert difference is not None
    assert difference.where.startswith(member)


def test_any_tied_node_may_be_chosen() -> None:
    cases = [parameter.values[0] for parameter in recorded("preempt")]
    case = deepcopy(next(case for case in cases if len(case["expect"]["nodeTies"]) > 1))
    expect = case["expect"]
    other = expect["nodeTies"][1]
    expect |= {
        "node": other,
        "victims": expect["perNode"][other]["victims"],
        "nominatedPodsToClear": expect["nominatedPodsToClearByTie"][other],
    }
    assert preempt.judge(case, Reference()) is None
    expect["nodeTies"].pop()
    assert preempt.judge(case, Reference()) is not None


def test_lacks_of_scalar_resources_come_in_any_order() -> None:
    mixed = ["Insufficient cpu", "Insufficient b/y", "Insufficient a/x", "node(s) had no available disk"]
    assert comparable(mixed) == comparable([mixed[i] for i in (0, 2, 1, 3)])
    assert comparable(mixed) != comparable([mixed[i] for i in (1, 0, 2, 3)])
    assert comparable(mixed) != comparable([mixed[i] for i in (0, 1, 3, 2)])
    assert comparable(mixed) != comparable([mixed[i] for i in (0, 1, 1, 2, 3)])


def test_the_gate_of_attached_volumes_shows_in_one_priority_only() -> None:
    """[P-074]"""
    cases = [parameter.values[0] for parameter in recorded("single")]
    case = next(case for case in cases if case.get("predicate") == "MaxEBSVolumeCount")
    assert judge({**case, "featureGates": {"BalanceAttachedNodeVolumes": True}}, Reference()) is None
