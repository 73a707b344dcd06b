"""The scheduler cache by itself: two nodes in two zones, and two pods, one of which is heard of elsewhere."""

from collections.abc import Hashable, Sequence
from typing import Any

from model.api.components import CacheComponent, Engine
from model.api.objects import Node, Pod
from oracle.compare.divergence import Record
from oracle.conform import cache as caches
from oracle.conform.recorded import Objects
from oracle.explore.queue import pod
from oracle.explore.universe import Happening, from_now

TTL_MS = 30_000
ZONE = "failure-domain.beta.kubernetes.io/zone"


def node(name: str, zone: str, version: str) -> dict[str, Any]:
    meta = {"name": name, "labels": {ZONE: zone}, "resourceVersion": version}
    allocatable = {"cpu": "2", "memory": "2Gi", "pods": "10"}
    images = [{"names": [f"app:{version}"], "sizeBytes": 100}]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": meta,
        "spec": {},
        "status": {"allocatable": allocatable, "images": images},
    }


NODES = {"n1-1": node("n1", "a", "1"), "n1-2": node("n1", "b", "2"), "n2-1": node("n2", "b", "1")}
PODS = {
    "p-1": pod("p", "1", nodeName="n1"),
    "p-2": pod("p", "2", nodeName="n1"),
    "p-3": pod("p", "3", nodeName="n2"),
    "q-1": pod("q", "4", nodeName="n1"),
}


class CacheSide:
    """`Advance` is not an operation of a cache: only the clock moves."""

    def __init__(self, cache: CacheComponent, tables: caches.Tables) -> None:
        self.cache, self.now = cache, 0
        self._tables = tables

    def perform(self, happening: Happening) -> Any:
        if happening["op"] == "Advance":
            self.now += happening["ms"]
            return None
        return caches.perform(self.cache, {**happening, "ms": self.now}, self._tables)

    def record(self, happening: Happening) -> Record:
        outcome = self.perform(happening)
        answer = caches.recorded_answer(outcome, self._tables) if outcome is not None else {}
        return {"nowMs": self.now, **answer, **caches.recorded_state(self.cache.state(), self._tables)}


class CacheUniverse:
    name = "cache"
    usual_depth = 5
    happenings: tuple[Happening, ...] = (
        {"op": "AssumePod", "pod": "p-1"},
        {"op": "AssumePod", "pod": "q-1"},
        {"op": "FinishBinding", "pod": "p-1"},
        {"op": "ForgetPod", "pod": "p-1"},
        {"op": "AddPod", "pod": "p-1"},
        {"op": "AddPod", "pod": "p-3"},
        {"op": "UpdatePod", "old": "p-1", "new": "p-2"},
        {"op": "RemovePod", "pod": "p-1"},
        {"op": "AddNode", "node": "n1-1"},
        {"op": "AddNode", "node": "n2-1"},
        {"op": "UpdateNode", "old": "n1-1", "new": "n1-2"},
        {"op": "RemoveNode", "node": "n1-1"},
        {"op": "UpdateNodeInfoSnapshot", "snapshot": "s1"},
        {"op": "NodeTreeNext", "count": 1},
        {"op": "Advance", "ms": TTL_MS + 1},
        {"op": "CleanupExpired"},
    )

    def __init__(self) -> None:
        self._tables = caches.Tables(Objects(PODS, Pod), Objects(NODES, Node))

    def side(self, engine: Engine) -> CacheSide:
        return CacheSide(engine.cache(TTL_MS), self._tables)

    def can(self, happening: Happening, record: Record) -> bool:
        return True

    def key(self, side: CacheSide, record: Record) -> Hashable:
        """What the snapshot holds shows only when it is taken once more."""
        snapshot = side.record({"op": "UpdateNodeInfoSnapshot", "snapshot": "s1"})["snapshot"]
        state = {name: value for name, value in record.items() if name not in ("err", "result", "snapshot")}
        return from_now(state, record["nowMs"]), from_now(snapshot, 0)

    def broken(self, side: CacheSide, record: Record) -> str | None:
        """Always: the pods on the nodes are the pods the cache knows, each once."""
        there = sorted(reference.partition("-")[0] for info in record["nodes"].values() for reference in info["pods"])
        known = sorted(state["pod"].partition("-")[0] for state in record["podStates"].values())
        return None if there == known else f"the cache knows {known}, and has {there} on its nodes"

    def case(self, path: Sequence[Happening]) -> dict[str, Any]:
        now, operations = 0, []
        for happening in path:
            if happening["op"] == "Advance":
                now += happening["ms"]
            else:
                operations.append({**happening, "ms": now})
        return {"kind": "cache", "ttlMs": TTL_MS, "pods": PODS, "nodes": NODES, "ops": operations}
