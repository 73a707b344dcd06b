"""What the cache keeps for one node, changed in place.  [O-090..O-096]"""

from impl.footprint import Footprint, footprint
from model.api.components import ImageState
from model.api.integers import int64
from model.api.objects import Node, Pod, Taint
from model.api.ports import HostPort
from model.api.protocol import Crash
from model.api.resources import Resources, add

NIL_DEREFERENCE = "runtime error: invalid memory address or nil pointer dereference"


class AggregateError(Exception):
    """A pod could not be taken off a node; the message is kube-scheduler's.  [O-093]"""


class Aggregate:
    """milli-CPU, bytes and units in use; the amounts may differ from the sum over `pods`.  [O-090, O-093]

    `generation` is set by the cache.  `images` is replaced, never changed.
    """

    __slots__ = (
        "affinity_pods",
        "allocatable",
        "disk_pressure",
        "ephemeral_storage",
        "generation",
        "images",
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

    def add_pod(self, pod: Pod) -> None:
        """Count a pod, without looking for duplicates.  [O-092]"""
        taken = footprint(pod)
        self.pods.append(pod)
        if taken.has_affinity:
            self.affinity_pods.append(pod)
        self.ports.update(taken.ports)
        self._count(taken, 1)

    def remove_pod(self, pod: Pod) -> None:
        """Take out the entry with the pod's UID, and what the pod as given takes.  [O-093, O-096]

        Raises AggregateError if there is none, and Crash if there is no node object either.
        """
        _take_out(self.affinity_pods, pod.uid)
        if not _take_out(self.pods, pod.uid):
            if self.node is None:
                raise Crash(NIL_DEREFERENCE)
            raise AggregateError(f"no corresponding pod {pod.name} in pods of node {self.node.name}")
        taken = footprint(pod)
        self.ports.difference_update(taken.ports)
        self._count(taken, -1)

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

    def _count(self, taken: Footprint, sign: int) -> None:
        self.milli_cpu = int64(self.milli_cpu + sign * taken.milli_cpu)
        self.memory = int64(self.memory + sign * taken.memory)
        self.ephemeral_storage = int64(self.ephemeral_storage + sign * taken.ephemeral_storage)
        self.nonzero_milli_cpu = int64(self.nonzero_milli_cpu + sign * taken.nonzero_milli_cpu)
        self.nonzero_memory = int64(self.nonzero_memory + sign * taken.nonzero_memory)
        for name, amount in taken.scalars:
            self.scalars[name] = int64(self.scalars.get(name, 0) + sign * amount)


def _take_out(pods: list[Pod], uid: str) -> bool:
    """Remove the first pod with this UID; the last one takes its place."""
    for at, held in enumerate(pods):
        if held.metadata.uid == uid:
            pods[at] = pods[-1]
            pods.pop()
            return True
    return False
