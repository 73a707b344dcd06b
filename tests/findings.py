"""Findings for tests of reports: the reference lacking one thing, in small cases."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from model.api.configuration import Configuration
from model.engine import Reference
from model.semantics import Semantics
from oracle.compare import compare
from oracle.compare.signature import signature
from oracle.compare.wording import sentence
from oracle.finding import Finding

Document = dict[str, Any]

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\x1b[31m|`*[x](y)'
"""A name that no API server would take, but a file can hold."""


class Lacking(Reference):
    """The reference without a predicate or a priority."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._lacks = name

    def semantics(self, configuration: Configuration) -> Semantics:
        whole = super().semantics(configuration)
        predicates = tuple(p for p in whole.predicates if p.name != self._lacks)
        priorities = tuple(p for p in whole.priorities if p.name != self._lacks)
        return evolve(whole, predicates=predicates, priorities=priorities)


def found(case: Mapping[str, Any], engine: Reference, quirk: str | None = None) -> Finding:
    """The finding of a case that shows a difference; `quirk` "": not to be looked for."""
    divergence = compare(case, engine)
    assert divergence is not None
    return Finding(
        signature=signature(case, divergence),
        sentence=sentence(case, divergence, "python:somewhere:Else"),
        kind=case["kind"],
        scheduler="python:somewhere:Else",
        seed="7/3",
        trace=case,
        step=divergence.step,
        expected=divergence.expected,
        actual=divergence.actual,
        differences=(divergence.difference,),
        quirk=quirk,
        followed=divergence.followed,
    )


def node(
    name: str, zone: str = "", cpu: str = "4", taint: str = "", labels: Mapping[str, str] | None = None
) -> Document:
    named = {"failure-domain.beta.kubernetes.io/zone": zone} if zone else {}
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": {**named, **(labels or {})}},
        "spec": {"taints": [{"key": taint, "effect": "NoSchedule"}]} if taint else {},
        "status": {"allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "10"}},
    }


def pod(name: str, cpu: str = "500m", priority: int = 0, on: str = "", **metadata: Any) -> Document:
    container = {"name": "c", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}", **metadata},
        "spec": {"nodeName": on, "priority": priority, "schedulerName": "default-scheduler", "containers": [container]},
        "status": {"phase": "Running" if on else "Pending"},
    }


def trace(nodes: list[Document], pods: list[Document], *events: Mapping[str, Any]) -> Document:
    cycle = {"op": "scheduleOne"}
    return {"kind": "e2e", "cluster": {"nodes": nodes, "pods": pods}, "config": {}, "events": [*events, cycle]}


def tainted_host() -> Finding:
    """The other side overlooks a taint; the untainted nodes are fuller, so that it goes there."""
    nodes = [node("n1", "east", taint="dedicated"), node("n2", "east"), node("n3", "west", cpu="1")]
    pods = [pod("running", "3", on="n2"), pod("web", "1", priority=5), pod("last", "800m", on="n3", priority=2)]
    return found(trace(nodes, pods), Lacking("PodToleratesNodeTaints"))


def preemption() -> Finding:
    """Two candidates; the other side takes the true highest priority of the victims."""
    nodes = [node("n1", cpu="2"), node("n2", cpu="2")]
    pods = [
        pod("a", "1", priority=1, on="n1", labels={"app": "guarded"}),
        pod("b", "1", priority=3, on="n1"),
        pod("c", "2", priority=2, on="n2", labels={"app": "guarded"}),
    ]
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "guard", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "guarded"}}},
        "status": {"disruptionsAllowed": 0},
    }
    config = {
        "alwaysCheckAllPredicates": False,
        "hardPodAffinitySymmetricWeight": 1,
        "percentageOfNodesToScore": 100,
    }
    cluster = {"podDisruptionBudgets": [budget], "nodes": nodes, "pods": pods}
    case = {"kind": "preempt", "cluster": cluster, "config": config, "pod": pod("new", "2", priority=10)}
    return found(case, Reference().without("E-035"))


def queue() -> Finding:
    """A status update of a pod that is backing off."""
    old, new = pod("p"), pod("p")
    old["metadata"]["resourceVersion"], new["metadata"]["resourceVersion"] = "1", "2"
    new["status"]["message"] = "still waiting"
    operations: list[Document] = [
        {"op": "Add", "pod": "p-1"},
        {"op": "Pop"},
        {"op": "MoveAllToActiveQueue"},
        {"op": "AddUnschedulableIfNotPresent", "pod": "p-1", "cycle": "current"},
        {"op": "Update", "old": "p-1", "new": "p-2"},
    ]
    return found({"kind": "queue", "pods": {"p-1": old, "p-2": new}, "ops": operations}, Reference().without("Q-051"))


def cache() -> Finding:
    """Two nodes that hold the same image."""
    nodes = {name: node(name) for name in ("n1", "n2")}
    for document in nodes.values():
        document["status"]["images"] = [{"names": ["app:1"], "sizeBytes": 1000}]
    operations = [{"op": "AddNode", "node": name} for name in nodes]
    case = {"kind": "cache", "ttlMs": 30000, "pods": {}, "nodes": nodes, "ops": operations}
    return found(case, Reference().without("C-053"))


def hostile() -> Finding:
    """Hostile text wherever a cluster can hold text."""
    pods = [pod("p" + HOSTILE, labels={HOSTILE: HOSTILE}), pod("q" + HOSTILE, on="n" + HOSTILE)]
    nodes = [node("n" + HOSTILE, zone=HOSTILE, taint=HOSTILE, labels={HOSTILE: HOSTILE})]
    return found(trace(nodes, pods), Lacking("PodToleratesNodeTaints"))


def hostile_victims() -> Finding:
    """Hostile names where pods are evicted."""
    victim = pod("p" + HOSTILE, "2", on="n" + HOSTILE, labels={"app": HOSTILE})
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": HOSTILE, "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": HOSTILE}}},
        "status": {"disruptionsAllowed": 0},
    }
    cluster = {
        "podDisruptionBudgets": [budget],
        "nodes": [node("n" + HOSTILE, zone=HOSTILE, cpu="2")],
        "pods": [victim],
    }
    config = {"alwaysCheckAllPredicates": False, "hardPodAffinitySymmetricWeight": 1, "percentageOfNodesToScore": 100}
    case = {"kind": "preempt", "cluster": cluster, "config": config, "pod": pod("new" + HOSTILE, "2", priority=10)}
    whole = found(case, Lacking("GeneralPredicates"))
    return evolve(whole, actual={**whole.expected, "node": None, "victims": [], "perNode": {}})


def big(size: int) -> Finding:
    """One decision in a cluster of so many nodes."""
    taints = ("dedicated", "", "")
    nodes = [node(f"node-{at:04}", zone=f"zone-{at % 9}", taint=taints[at % 3]) for at in range(size)]
    pods = [pod(f"pod-{at:05}", on=f"node-{at % size:04}", priority=at % 4) for at in range(2 * size)]
    config = {
        "alwaysCheckAllPredicates": False,
        "hardPodAffinitySymmetricWeight": 1,
        "percentageOfNodesToScore": 100,
    }
    case = {"kind": "schedule", "cluster": {"nodes": nodes, "pods": pods}, "config": config, "pod": pod("new")}
    return found(case, Lacking("PodToleratesNodeTaints"))
