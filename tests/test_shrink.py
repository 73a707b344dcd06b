"""Shrinking: what remains is small, still fails in the same way, and is the same every time."""

from typing import Any

import pytest

from model.engine import Reference
from oracle.compare import compare
from oracle.compare.signature import signature
from oracle.mutants import mutated
from oracle.shrink import shrink, shrink_divergence
from oracle.shrink.edits import drop, put, renamed, walk
from oracle.strategies import case_from_seed
from tests.mutants import MUTANTS


def test_a_divergence_keeps_its_signature_and_loses_the_rest() -> None:
    engine = mutated(MUTANTS["port-conflict"])
    case = next(
        case
        for number in range(2000)
        if compare(case := case_from_seed("schedule", f"shrink/{number}"), engine) is not None
    )
    small = shrink_divergence(case, engine)
    before, after = compare(case, engine), compare(small, engine)
    assert before is not None
    assert after is not None
    assert signature(small, after) == signature(case, before)
    assert len(small["cluster"]["nodes"]) == 1
    assert len(small["cluster"]["pods"]) == 1
    assert shrink_divergence(case, engine) == small


def test_agreement_cannot_be_shrunk() -> None:
    with pytest.raises(ValueError, match="agrees"):
        shrink_divergence(case_from_seed("queue", "1"), Reference())


def test_only_what_matters_is_left() -> None:
    def has_a_long_wait(candidate: dict[str, Any]) -> bool:
        return sum(int(event.get("ms", 0)) for event in candidate["events"]) >= 30_000

    case = next(filter(has_a_long_wait, (case_from_seed("e2e", str(number)) for number in range(100))))
    small = shrink(case, has_a_long_wait)
    assert small == {"kind": "e2e", "cluster": {}, "config": {}, "events": [{"op": "advance", "ms": 30_000}]}


def test_two_nodes_become_one() -> None:
    nodes = [{"metadata": {"name": name}} for name in ("n1", "n2", "n3")]
    pods = [{"metadata": {"name": "p"}, "spec": {"nodeName": name}} for name in ("n2", "n3")]
    case = {"kind": "e2e", "cluster": {"nodes": nodes, "pods": pods}, "config": {}, "events": []}

    def has_two_pods_on_nodes(candidate: dict[str, Any]) -> bool:
        names = {node["metadata"]["name"] for node in candidate["cluster"].get("nodes", ())}
        return sum(pod.get("spec", {}).get("nodeName") in names for pod in candidate["cluster"].get("pods", ())) == 2

    small = shrink(case, has_two_pods_on_nodes)
    assert [node["metadata"]["name"] for node in small["cluster"]["nodes"]] == ["n1"]


def test_tries_are_limited() -> None:
    tried = []

    def count(candidate: dict[str, Any]) -> bool:
        tried.append(candidate)
        return False

    shrink(case_from_seed("e2e", "1"), count, tries=10)
    assert len(tried) == 10


def test_edits_leave_the_original() -> None:
    document = {"a": [{"b": 1}], "c": "x/y"}
    assert put(document, ("a", 0, "b"), 2) == {"a": [{"b": 2}], "c": "x/y"}
    assert drop(document, ("a", 0, "b")) == {"a": [{}], "c": "x/y"}
    assert renamed(document, {"y": "z"}) == {"a": [{"b": 1}], "c": "x/z"}
    assert [path for path, _ in walk(document)] == [(), ("a",), ("a", 0), ("a", 0, "b"), ("c",)]
    assert document == {"a": [{"b": 1}], "c": "x/y"}
