"""What the cache keeps for one node, changed in place.  [O-090..O-096]"""

from collections.abc import Sequence
from typing import Any

from impl.pod_kind import PodKind
from model.api.components import ImageState
from model.api.integers import int64
from model.api.objects import Node, Pod, Taint
from model.api.ports import HostPort
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.api.resources import Resources, add


class AggregateError(Exception):
    """A pod could not be taken off a node; the message is kube-scheduler's.  [O-093]"""


class Aggregate:
    """milli-CPU, bytes and units in use; the amounts may differ from the sum over `pods`.  [O-090, O-093]

    `kinds`: those of the pods, in their order.  `generation` is set by the cache.  `images` is replaced, never changed.
    """

    __slots__ = (
        "affinity_pods",
        "allocatable",
        "disk_pressure",
        "ephemeral_storage",
        "generation",
        "images",
        "kinds",
        "memory",
        "memory_pressure",
        "milli_cpu",
        "name",
        "node",
        "nonzero_memory",
        "nonzero_milli_cpu",
        "pid_pressure",
        "pods",
        "ports",
        "scalars",
        "taints",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.node: Node | None = None
        self.pods: list[Pod] = []
        self.kinds: list[PodKind] = []
        self.affinity_pods: list[Pod] = []
        self.ports: set[HostPort] = set()
        self.milli_cpu = self.memory = self.ephemeral_storage = 0
        self.scalars: dict[str, int] = {}
        self.nonzero_milli_cpu = self.nonzero_memory = 0
        self.allocatable = Resources()
        self.taints: tuple[Taint, ...] = ()
        self.memory_pressure = self.disk_pressure = self.pid_pressure = ""
        self.images: dict[str, ImageState] = {}
        self.generation = 0

    def add_pod(self, pod: Pod, kind: PodKind) -> None:
        """Count a pod, without looking for duplicates.  [O-092]"""
        self.pods.append(pod)
        self.kinds.append(kind)
        if kind.has_affinity:
            self.affinity_pods.append(pod)
        self.ports.update(kind.ports)
        self._count(kind, 1)

    def remove_pod(self, pod: Pod, kind: PodKind) -> None:
        """Take out the entry with the pod's UID, and what the pod as given takes.  [O-093, O-096]

        Raises AggregateError if there is none, and Crash if there is no node object either.
        """
        if (at := _place_of(self.affinity_pods, pod.uid)) is not None:
            _take_out(self.affinity_pods, at)
        at = _place_of(self.pods, pod.uid)
        if at is None:
            if self.node is None:
                raise Crash(NIL_DEREFERENCE)
            raise AggregateError(f"no corresponding pod {pod.name} in pods of node {self.node.name}")
        _take_out(self.pods, at)
        _take_out(self.kinds, at)
        self.ports.difference_update(kind.ports)
        self._count(kind, -1)

    def set_node(self, node: Node) -> None:
        """A condition that the node does not report stays as it was.  [O-094]"""
        self.node = node
        self.allocatable = add(Resources(), node.status.allocatable)
        self.taints = node.spec.taints
        for condition in node.status.conditions:
            if condition.type == "MemoryPressure":
                self.memory_pressure = condition.status
            elif condition.type == "DiskPressure":
                self.disk_pressure = condition.status
            elif condition.type == "PIDPressure":
                self.pid_pressure = condition.status

    def remove_node(self) -> None:
        """The pods and what they use stay.  [O-095]"""
        self.node = None
        self.allocatable = Resources()
        self.taints = ()
        self.memory_pressure = self.disk_pressure = self.pid_pressure = "Unknown"
        self.images = {}

    def _count(self, kind: PodKind, sign: int) -> None:
        taken, nonzero = kind.footprint, kind.nonzero
        self.milli_cpu = int64(self.milli_cpu + sign * taken.milli_cpu)
        self.memory = int64(self.memory + sign * taken.memory)
        self.nonzero_milli_cpu = int64(self.nonzero_milli_cpu + sign * nonzero.milli_cpu)
        self.nonzero_memory = int64(self.nonzero_memory + sign * nonzero.memory)
        if taken.ephemeral_storage:
            self.ephemeral_storage = int64(self.ephemeral_storage + sign * taken.ephemeral_storage)
        if taken.scalars:
            for name, amount in taken.scalars.items():
                self.scalars[name] = int64(self.scalars.get(name, 0) + sign * amount)


def _place_of(pods: Sequence[Pod], uid: str) -> int | None:
    """Of the first pod with this UID."""
    return next((at for at, held in enumerate(pods) if held.metadata.uid == uid), None)


def _take_out(things: list[Any], at: int) -> None:
    """The last one takes its place."""
    things[at] = things[-1]
    things.pop()
