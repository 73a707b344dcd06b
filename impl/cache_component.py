"""The cache behind the protocol for judging it alone.  [C-080]"""

from collections.abc import Collection
from typing import Any

from impl.aggregate import Aggregate
from impl.cache import Cache
from impl.cache_error import CacheError
from model.api.components import (
    CachedPod,
    CacheState,
    NodeAggregate,
    Operation,
    Outcome,
    SnapshotState,
)
from model.api.decode import structure
from model.api.objects import LabelSelector, Node, Pod, Taint
from model.api.resources import NonZeroRequest, Resources
from model.api.selectors import from_label_selector


class Clones:
    """A snapshot that keeps a copy of every node, and which of them the last refresh made.  [C-041]"""

    def __init__(self) -> None:
        self.generation = 0
        self.nodes: dict[str, NodeAggregate] = {}
        self.recloned: list[str] = []

    def put(self, aggregate: Aggregate) -> None:
        self.nodes[aggregate.name] = clone(aggregate)
        self.recloned.append(aggregate.name)

    def drop(self, name: str) -> None:
        del self.nodes[name]

    def names(self) -> Collection[str]:
        return self.nodes.keys()


class OptimizedCache:
    """A components.CacheComponent; `ttl_ms`: how long a finished assumption holds."""

    def __init__(self, ttl_ms: int) -> None:
        self._cache = Cache(ttl_ms)
        self._snapshots: dict[str, Clones] = {}

    def apply(self, operation: Operation) -> Outcome:
        """Perform one operation.  Raises Crash, and ValueError for an unknown one."""
        try:
            return Outcome(result=self._perform(operation))
        except CacheError as error:
            return Outcome(error=str(error), result=False if operation.name == "IsAssumedPod" else None)

    def _perform(self, operation: Operation) -> Any:
        cache = self._cache
        match operation:
            case Operation(name="AssumePod", pod=Pod() as pod):
                cache.assume_pod(pod)
            case Operation(name="FinishBinding", pod=Pod() as pod):
                cache.finish_binding(pod, operation.now)
            case Operation(name="ForgetPod", pod=Pod() as pod):
                cache.forget_pod(pod)
            case Operation(name="AddPod", pod=Pod() as pod):
                cache.add_pod(pod)
            case Operation(name="UpdatePod", old=Pod() as old, new=Pod() as new):
                cache.update_pod(old, new)
            case Operation(name="RemovePod", pod=Pod() as pod):
                cache.remove_pod(pod)
            case Operation(name="IsAssumedPod", pod=Pod() as pod):
                return cache.is_assumed(pod)
            case Operation(name="GetPod", pod=Pod() as pod):
                return cache.get_pod(pod)
            case Operation(name="AddNode", node=Node() as node):
                cache.add_node(node)
            case Operation(name="UpdateNode", new_node=Node() as new_node):
                cache.update_node(operation.old_node, new_node)
            case Operation(name="RemoveNode", node=Node() as node):
                cache.remove_node(node)
            case Operation(name="CleanupExpired"):
                cache.expire(operation.now)
            case Operation(name="UpdateNodeInfoSnapshot"):
                return self._refreshed(operation.snapshot)
            case Operation(name="NodeTreeNext"):
                return cache.tree.take(1)[0]
            case Operation(name="List"):
                selector = from_label_selector(structure(operation.selector or {}, LabelSelector))
                return tuple(pod for pod in cache.all_pods() if selector.matches(pod.labels))
            case Operation(name="FilteredList"):
                return tuple(pod for pod in cache.all_pods() if pod.spec.node_name != operation.node_name)
            case _:
                raise ValueError(f"unknown or incomplete cache operation {operation.name}")
        return None

    def _refreshed(self, name: str) -> SnapshotState:
        snapshot = self._snapshots.setdefault(name, Clones())
        snapshot.recloned.clear()
        self._cache.recency.refresh(snapshot)
        return SnapshotState(recloned=tuple(snapshot.recloned), nodes=dict(snapshot.nodes))

    def state(self) -> CacheState:
        cache = self._cache
        return CacheState(
            nodes={name: clone(aggregate) for name, aggregate in cache.aggregates.items()},
            recent=tuple(cache.aggregates),
            assumed=tuple(sorted(cache.assumed)),
            pods={uid: CachedPod(held.pod, held.binding_finished, held.deadline) for uid, held in cache.pods.items()},
            images={name: (image.size, tuple(sorted(image.nodes))) for name, image in cache.images.by_name.items()},
            zones=cache.tree.zones(),
            zone_index=cache.tree.zone_index,
            num_nodes=cache.tree.count,
            tree_order=tuple(cache.tree.upcoming(cache.tree.count)),
        )


def clone(aggregate: Aggregate) -> NodeAggregate:
    """The aggregate as a value.  [O-099]"""
    return NodeAggregate(
        node=aggregate.node,
        pods=tuple(aggregate.pods),
        pods_with_affinity=tuple(aggregate.affinity_pods),
        requested=Resources(
            aggregate.milli_cpu, aggregate.memory, aggregate.ephemeral_storage, 0, dict(aggregate.scalars)
        ),
        allocatable=aggregate.allocatable,
        nonzero=NonZeroRequest(aggregate.nonzero_milli_cpu, aggregate.nonzero_memory),
        used_ports=tuple(sorted(f"{port.ip}/{port.protocol}/{port.port}" for port in aggregate.ports)),
        taints=tuple(_taint(taint) for taint in aggregate.taints),
        image_states=aggregate.images,
        conditions={
            "memoryPressure": aggregate.memory_pressure,
            "diskPressure": aggregate.disk_pressure,
            "pidPressure": aggregate.pid_pressure,
        },
    )


def _taint(taint: Taint) -> dict[str, str]:
    value = {"value": taint.value} if taint.value else {}
    return {"key": taint.key, **value, "effect": taint.effect}
