"""The aggregate the scheduler keeps for one node.  [O-090..O-100]"""

from collections.abc import Mapping

from attrs import Factory, evolve, frozen

from model.api.components import ImageState
from model.api.integers import int64
from model.api.objects import Node, Pod, Taint
from model.api.ports import HostPort, host_ports
from model.api.protocol import Crash
from model.api.resources import NonZeroRequest, Resources, add, container_sum, nonzero_request
from model.api.selectors import has_affinity_constraints
from model.rules import clause, reached, rule

NO_UID = "Cannot get cache key for pod with empty UID"


class NodeInfoError(Exception):
    """An operation on the aggregate failed; the message is kube-scheduler's.  [O-093]"""


@frozen
class NodeInfo:
    """Frozen, so a clone is the value itself.  [O-090, O-099]

    `generation` orders changes over all nodes; the statuses are `""` until a node object tells them.
    """

    node: Node | None = None
    pods: tuple[Pod, ...] = ()
    pods_with_affinity: tuple[Pod, ...] = ()
    used_ports: frozenset[HostPort] = frozenset()
    requested: Resources = Resources()
    nonzero: NonZeroRequest = NonZeroRequest()
    allocatable: Resources = Resources()
    taints: tuple[Taint, ...] = ()
    memory_pressure: str = ""
    disk_pressure: str = ""
    pid_pressure: str = ""
    image_states: Mapping[str, ImageState] = Factory(dict)
    generation: int = 0

    @property
    def name(self) -> str:
        """The node's name; "" without a node object."""
        return self.node.name if self.node else ""


@rule("O-092", "Adding a pod adds its requests, ports and affinity entry, without looking for duplicates")
def add_pod(info: NodeInfo, pod: Pod) -> NodeInfo:
    return evolve(
        info,
        pods=(*info.pods, pod),
        pods_with_affinity=(*info.pods_with_affinity, pod)
        if has_affinity_constraints(pod)
        else info.pods_with_affinity,
        used_ports=info.used_ports | set(host_ports(pod)),
        requested=_plus(info.requested, container_sum(pod), 1),
        nonzero=_nonzero_plus(info.nonzero, nonzero_request(pod), 1),
    )


@rule("O-093", "Removing takes the entry with the pod's UID out, and the requests and ports of the pod as given")
def remove_pod(info: NodeInfo, pod: Pod) -> NodeInfo:
    """Raises NodeInfoError, and Crash when neither the pod nor the node object is there."""
    if not pod.uid:
        raise NodeInfoError(NO_UID)
    if all(held.uid != pod.uid for held in info.pods):
        if info.node is None:
            raise Crash("invalid memory address or nil pointer dereference")
        raise NodeInfoError(f"no corresponding pod {pod.name} in pods of node {info.node.name}")
    return evolve(
        info,
        pods=_without(info.pods, pod.uid),
        pods_with_affinity=_without(info.pods_with_affinity, pod.uid),
        used_ports=info.used_ports - set(host_ports(pod)),
        requested=_plus(info.requested, container_sum(pod), -1),
        nonzero=_nonzero_plus(info.nonzero, nonzero_request(pod), -1),
    )


def _without(pods: tuple[Pod, ...], uid: str) -> tuple[Pod, ...]:
    """The first entry with the UID goes, and the last entry takes its place."""
    at = next((i for i, held in enumerate(pods) if held.uid == uid), None)
    if at is None:
        return pods
    *kept, last = pods
    return tuple(last if i == at else held for i, held in enumerate(kept))


@rule("O-094", "Setting the node takes over its allocatable and taints; a condition it does not report stays as it was")
def set_node(info: NodeInfo, node: Node) -> NodeInfo:
    reported = {condition.type: condition.status for condition in node.status.conditions}
    return evolve(
        info,
        node=node,
        allocatable=add(Resources(), node.status.allocatable),
        taints=node.spec.taints,
        memory_pressure=reported.get("MemoryPressure", info.memory_pressure),
        disk_pressure=reported.get("DiskPressure", info.disk_pressure),
        pid_pressure=reported.get("PIDPressure", info.pid_pressure),
    )


@rule("O-095", "Removing the node keeps the pods and what they use")
def remove_node(info: NodeInfo) -> NodeInfo:
    return evolve(
        info,
        node=None,
        allocatable=Resources(),
        taints=(),
        memory_pressure="Unknown",
        disk_pressure="Unknown",
        pid_pressure="Unknown",
        image_states={},
    )


def _plus(total: Resources, amounts: Resources, sign: int) -> Resources:
    scalars = dict(total.scalars)
    for name, amount in amounts.scalars.items():
        scalars[name] = int64(scalars.get(name, 0) + sign * amount)
    return Resources(
        milli_cpu=int64(total.milli_cpu + sign * amounts.milli_cpu),
        memory=int64(total.memory + sign * amounts.memory),
        ephemeral_storage=int64(total.ephemeral_storage + sign * amounts.ephemeral_storage),
        allowed_pods=total.allowed_pods,
        scalars=scalars,
    )


def _nonzero_plus(total: NonZeroRequest, amounts: NonZeroRequest, sign: int) -> NonZeroRequest:
    return NonZeroRequest(
        int64(total.milli_cpu + sign * amounts.milli_cpu), int64(total.memory + sign * amounts.memory)
    )


@clause("O-098", "The volume limits of a node are its allocatable scalars named attachable-volumes-*")
def volume_limits(info: NodeInfo) -> Mapping[str, int]:
    reached("O-098")
    return {name: limit for name, limit in info.allocatable.scalars.items() if name.startswith("attachable-volumes-")}


@rule("O-100", "A pod said to be on this node counts only while the aggregate holds one of its name")
def holds(info: NodeInfo, pod: Pod) -> bool:
    return pod.spec.node_name != info.name or any(
        (held.name, held.namespace) == (pod.name, pod.namespace) for held in info.pods
    )
