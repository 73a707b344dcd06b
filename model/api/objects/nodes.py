"""Nodes."""

from attrs import Factory, field, frozen

from model.api.objects.meta import KubernetesObject, QuantityList


@frozen
class Taint:
    key: str = ""
    value: str = ""
    effect: str = ""


@frozen
class NodeCondition:
    type: str = ""
    status: str = ""


@frozen
class ContainerImage:
    names: tuple[str, ...] = ()
    size_bytes: int = 0


@frozen
class NodeSpec:
    unschedulable: bool = False
    taints: tuple[Taint, ...] = ()


@frozen
class NodeStatus:
    allocatable: QuantityList = Factory(dict)
    conditions: tuple[NodeCondition, ...] = ()
    images: tuple[ContainerImage, ...] = ()


@frozen
class Node(KubernetesObject):
    kind = "Node"
    namespaced = False

    spec: NodeSpec = field(default=NodeSpec(), eq=False)
    status: NodeStatus = field(default=NodeStatus(), eq=False)
