"""The cache as a part that can be judged alone."""

from collections.abc import Mapping

from attrs import evolve

from model import cache as c
from model.api.components import CachedPod, CacheState, NodeAggregate, Operation, Outcome, SnapshotState, ZoneState
from model.api.decode import structure
from model.api.objects import LabelSelector, Taint
from model.api.selectors import from_label_selector
from model.cache.snapshot import Snapshot, take_snapshot
from model.cache.state import Cache, CacheError
from model.node_info import NodeInfo
from model.quirks import EVERY, Quirks


class ModelCache:
    """The reference cache, with its named snapshots, behind the component protocol."""

    def __init__(self, ttl_ms: int, quirks: Quirks = EVERY) -> None:
        self._cache = Cache()
        self._snapshots: dict[str, Snapshot] = {}
        self._ttl_ms = ttl_ms
        self._quirks = quirks

    def apply(self, operation: Operation) -> Outcome:
        """Perform it.  Raises Crash."""
        try:
            match operation:
                case Operation(name="UpdateNodeInfoSnapshot", snapshot=name):
                    return Outcome(result=self._take_snapshot(name))
                case Operation(name="NodeTreeNext"):
                    tree, node = c.next_node(self._cache.tree)
                    self._cache = evolve(self._cache, tree=tree)
                    return Outcome(result=node)
                case Operation(name="IsAssumedPod" | "GetPod" | "List" | "FilteredList"):
                    return Outcome(result=answered(self._cache, operation))
            self._cache = changed(self._cache, operation, self._ttl_ms, self._quirks)
        except CacheError as error:
            return Outcome(error=str(error))
        return Outcome()

    def state(self) -> CacheState:
        return observed(self._cache)

    @property
    def nodes(self) -> Mapping[str, NodeInfo]:
        return self._cache.nodes

    def _take_snapshot(self, name: str) -> SnapshotState:
        before = self._snapshots.get(name, Snapshot())
        after = self._snapshots[name] = take_snapshot(before, self._cache, self._quirks)
        recloned = (node for node, info in after.nodes.items() if before.nodes.get(node) is not info)
        return SnapshotState(tuple(sorted(recloned)), {node: aggregate(info) for node, info in after.nodes.items()})


def changed(cache: Cache, operation: Operation, ttl_ms: int, quirks: Quirks = EVERY) -> Cache:
    """The cache after an operation that returns nothing.  Raises CacheError and Crash."""
    match operation:
        case Operation(name="AssumePod", pod=pod) if pod:
            return c.assume_pod(cache, pod, quirks)
        case Operation(name="FinishBinding", pod=pod) if pod:
            return c.finish_binding(cache, pod, operation.now, ttl_ms)
        case Operation(name="ForgetPod", pod=pod) if pod:
            return c.forget_pod(cache, pod, quirks)
        case Operation(name="AddPod", pod=pod) if pod:
            return c.add_pod(cache, pod, quirks)
        case Operation(name="UpdatePod", old=old, new=new) if old and new:
            return c.update_pod(cache, old, new, quirks)
        case Operation(name="RemovePod", pod=pod) if pod:
            return c.remove_pod(cache, pod, quirks)
        case Operation(name="AddNode", node=node) if node:
            return c.add_node(cache, node, quirks)
        case Operation(name="UpdateNode", old_node=old_node, new_node=new_node) if new_node:
            return c.update_node(cache, old_node, new_node, quirks)
        case Operation(name="RemoveNode", node=node) if node:
            return c.remove_node(cache, node, quirks)
        case Operation(name="CleanupExpired"):
            return c.expire(cache, operation.now, quirks)
    raise ValueError(f"not a cache operation with its arguments: {operation.name}")


def answered(cache: Cache, operation: Operation) -> object:
    """What a question is answered with.  Raises CacheError."""
    match operation:
        case Operation(name="IsAssumedPod", pod=pod) if pod:
            return c.is_assumed(cache, pod)
        case Operation(name="GetPod", pod=pod) if pod:
            return c.get_pod(cache, pod)
        case Operation(name="List", selector=selector) if selector is not None:
            return c.list_pods(cache, selector=from_label_selector(structure(selector, LabelSelector)))
        case Operation(name="FilteredList", node_name=node):
            return c.list_pods(cache, keep=lambda pod: pod.spec.node_name != node)
    raise ValueError(f"not a question to a cache with its arguments: {operation.name}")


def observed(cache: Cache) -> CacheState:
    """The whole state, in the form all implementations are compared in."""
    return CacheState(
        nodes={name: aggregate(info) for name, info in cache.nodes.items()},
        recent=cache.recent,
        assumed=tuple(sorted(cache.assumed)),
        pods={uid: CachedPod(state.pod, state.binding_finished, state.deadline) for uid, state in cache.pods.items()},
        images={name: (image.size, tuple(sorted(image.nodes))) for name, image in cache.images.items()},
        zones=tuple(ZoneState(zone.key, zone.names, zone.last_index) for zone in cache.tree.zones),
        zone_index=cache.tree.zone_index,
        num_nodes=cache.tree.num_nodes,
        tree_order=c.walk(cache.tree),
    )


def aggregate(info: NodeInfo) -> NodeAggregate:
    """One node's aggregate, in the form all implementations are compared in."""
    return NodeAggregate(
        node=info.node,
        pods=info.pods,
        pods_with_affinity=info.pods_with_affinity,
        requested=info.requested,
        allocatable=info.allocatable,
        nonzero=info.nonzero,
        used_ports=tuple(sorted(f"{port.ip}/{port.protocol}/{port.port}" for port in info.used_ports)),
        taints=tuple(_taint(taint) for taint in info.taints),
        image_states=info.image_states,
        conditions={
            "memoryPressure": info.memory_pressure,
            "diskPressure": info.disk_pressure,
            "pidPressure": info.pid_pressure,
        },
    )


def _taint(taint: Taint) -> dict[str, str]:
    written = {"key": taint.key, "value": taint.value, "effect": taint.effect}
    return {name: text for name, text in written.items() if text or name != "value"}
