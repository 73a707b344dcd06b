"""The aggregate the scheduler keeps for one node.  [O-090..O-100]"""

from collections.abc import Iterable, Mapping

from attrs import Factory, evolve, frozen

from model.api.components import ImageState
from model.api.integers import int64
from model.api.objects import Node, Pod, Taint
from model.api.ports import HostPort, host_ports
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.api.resources import NonZeroRequest, Resources, add, container_sum, nonzero_request, pod_request
from model.api.selectors import has_affinity_constraints
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule

NO_UID = "Cannot get cache key for pod with empty UID"

quirk("O-045", "What init containers ask for does not count once the pod is on a node")
quirk("O-093", "A pod takes away from its node what it claims to have used, not what was counted for it")
quirk("O-094", "A pressure a node no longer reports stays as last reported")
quirk("O-096", "A host port claimed by two pods is free as soon as one of them goes")

declare("O-090", "A node's object, pods, ports, requests, allocatable, taints, pressures and images", __name__)
declare("O-097", "Ports conflict on one address or where either has the wildcard: model.api.ports.conflicts", __name__)
declare("O-099", "A clone shares nothing that changes, so a frozen aggregate is its own clone", __name__)


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

    @property
    def labels(self) -> Mapping[str, str]:
        """The node's labels; none without a node object."""
        return self.node.labels if self.node else {}


@rule("O-092", "Adding a pod adds its requests, ports and affinity entry, without looking for duplicates")
def add_pod(info: NodeInfo, pod: Pod, quirks: Quirks = EVERY) -> NodeInfo:
    return evolve(
        info,
        pods=(*info.pods, pod),
        pods_with_affinity=(*info.pods_with_affinity, pod)
        if has_affinity_constraints(pod)
        else info.pods_with_affinity,
        used_ports=info.used_ports.union(host_ports(pod)),
        requested=_plus(info.requested, _counted(pod, quirks), 1),
        nonzero=_nonzero_plus(info.nonzero, nonzero_request(pod), 1),
    )


@rule("O-093", "Removing moves the last entry into the pod's place, and takes off what the pod as given asks for")
def remove_pod(info: NodeInfo, pod: Pod, quirks: Quirks = EVERY) -> NodeInfo:
    """Raises NodeInfoError, and Crash when neither the pod nor the node object is there."""
    if not pod.uid:
        raise NodeInfoError(NO_UID)
    held = next((held for held in info.pods if held.uid == pod.uid), None)
    if held is None:
        if info.node is None and "O-093" in quirks:
            raise Crash(NIL_DEREFERENCE)
        raise NodeInfoError(f"no corresponding pod {pod.name} in pods of node {info.name}")
    leaving = pod if "O-093" in quirks else held
    remaining = _without(info.pods, pod.uid)
    return evolve(
        info,
        pods=remaining,
        pods_with_affinity=_without(info.pods_with_affinity, pod.uid),
        used_ports=_without_ports(info.used_ports, leaving, remaining, quirks),
        requested=_plus(info.requested, _counted(leaving, quirks), -1),
        nonzero=_nonzero_plus(info.nonzero, nonzero_request(leaving), -1),
    )


def _counted(pod: Pod, quirks: Quirks) -> Resources:
    """What a pod on a node is counted for.  [O-045]"""
    return container_sum(pod) if "O-045" in quirks else pod_request(pod)


@rule("O-096", "The ports in use are a set of address, protocol and port: what one pod releases is free")
def _without_ports(
    used: frozenset[HostPort], leaving: Pod, remaining: tuple[Pod, ...], quirks: Quirks
) -> frozenset[HostPort]:
    released = used.difference(host_ports(leaving))
    return released if "O-096" in quirks else released.union(*(host_ports(pod) for pod in remaining))


def _without(pods: tuple[Pod, ...], uid: str) -> tuple[Pod, ...]:
    """The first entry with the UID goes, and the last entry takes its place."""
    at = next((i for i, held in enumerate(pods) if held.uid == uid), None)
    if at is None:
        return pods
    *kept, last = pods
    return tuple(last if i == at else held for i, held in enumerate(kept))


@rule("O-094", "Setting the node takes over its allocatable and taints; a condition it does not report stays as it was")
def set_node(info: NodeInfo, node: Node, quirks: Quirks = EVERY) -> NodeInfo:
    reported = {condition.type: condition.status for condition in node.status.conditions}
    before = info if "O-094" in quirks else NodeInfo()
    return evolve(
        info,
        node=node,
        allocatable=add(Resources(), node.status.allocatable),
        taints=node.spec.taints,
        memory_pressure=reported.get("MemoryPressure", before.memory_pressure),
        disk_pressure=reported.get("DiskPressure", before.disk_pressure),
        pid_pressure=reported.get("PIDPressure", before.pid_pressure),
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


def filter_out_pods(info: NodeInfo, pods: Iterable[Pod]) -> tuple[Pod, ...]:
    """The list variant of `holds`: by UID, and everything passes without a node object.  [O-100]"""
    uids = {held.uid for held in info.pods}
    return tuple(pod for pod in pods if info.node is None or pod.spec.node_name != info.name or pod.uid in uids)
