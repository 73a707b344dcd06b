"""Explanations of the waiting pods of generated clusters say what the reference decides, and what they advise helps."""

import json
from collections.abc import Iterator
from itertools import combinations

import pytest
from attrs import evolve

from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.configuration import Configuration, ConfigurationError
from model.api.objects import Pod
from model.api.protocol import Crash
from model.engine import Reference
from oracle.conform.situation import read_situation
from oracle.explain import document, explain, lines
from oracle.explain.changing import changed
from oracle.explain.explanation import Explanation
from oracle.smt.changes import Change
from oracle.strategies import case_from_seed
from oracle.trace import read_trace


def waiting(kind: str, seed: int) -> Iterator[tuple[Cluster, Pod, Configuration]]:
    """Extenders are not asked; a pod that names a node is explained as if it did not, so it is left out."""
    case = case_from_seed(kind, f"explain/{seed}")
    if kind == "e2e":
        trace = read_trace(case)
        pods = [pod for pod in trace.cluster.pods if not pod.spec.node_name]
        yield from ((trace.cluster, pod, evolve(trace.configuration, extenders=())) for pod in pods)
    else:
        situation = read_situation(case)
        if not situation.pod.spec.node_name:
            yield situation.cluster, situation.pod, evolve(situation.configuration, extenders=())


@pytest.mark.parametrize(("kind", "count"), [("schedule", 60), ("preempt", 50), ("e2e", 25)])
def test_explanations_are_right(kind: str, count: int) -> None:
    failing = 0
    for seed in range(count):
        for cluster, pod, configuration in waiting(kind, seed):
            try:
                found = explain(cluster, pod, configuration)
            except (ConfigurationError, Crash):
                continue
            assert list(lines(found))
            assert json.dumps(document(found), default=str)
            others = cluster.having(pods=tuple(other for other in cluster.pods if other.key != pod.key))
            agrees(found, Situation(others, pod, configuration))
            failing += found.error is not None
    assert failing > count // 10


def agrees(found: Explanation, situation: Situation) -> None:
    decision = Reference().decide(situation)
    assert (found.crash is None) == (decision.crash is None)
    if decision.crash is not None:
        return
    assert (found.host, found.error) == (decision.host, decision.error)
    if found.evictions is not None:
        preemption = Reference().preempt(situation)
        assert found.evictions.node == preemption.node
        victims = preemption.per_node[preemption.node].pods if preemption.node else ()
        assert tuple(victim.pod.name for victim in found.evictions.victims) == tuple(victims)
    for suggestion in found.suggestions:
        assert helps(suggestion.changes, situation)
        for size in range(len(suggestion.changes)):
            assert not any(helps(part, situation) for part in combinations(suggestion.changes, size))


def helps(changes: tuple[Change, ...], situation: Situation) -> bool:
    cluster, pod = changed(changes, situation.cluster, situation.pod)
    return Reference().decide(evolve(situation, cluster=cluster, pod=pod)).host is not None
