"""How full a cluster is."""

from collections.abc import Iterable

from attrs import frozen

from model.api.objects import Node, Pod
from model.api.resources import Resources, add, container_sum


@frozen
class Usage:
    """Of one resource over all nodes: milli-CPU for `cpu`, bytes for memory and storage, otherwise units."""

    resource: str
    allocatable: int
    requested: int

    @property
    def share(self) -> float:
        """0.0 to 1.0, more where a cluster is overcommitted."""
        return self.requested / self.allocatable if self.allocatable else 0.0


def utilisation(nodes: Iterable[Node], pods: Iterable[Pod]) -> tuple[Usage, ...]:
    """Of every resource that some node offers, in the order cpu, memory, pods, ephemeral-storage, others by name.

    Counts the pods that name one of these nodes, each with what its regular containers request.
    """
    offered: dict[str, int] = {}
    names = set()
    for node in nodes:
        names.add(node.name)
        _tally(offered, add(Resources(), node.status.allocatable))
    requested: dict[str, int] = {}
    for pod in pods:
        if pod.spec.node_name in names:
            _tally(requested, container_sum(pod))
            requested["pods"] = requested.get("pods", 0) + 1
    basic = ["cpu", "memory", "pods", "ephemeral-storage"]
    order = basic + sorted(offered.keys() - set(basic))
    return tuple(Usage(name, offered[name], requested.get(name, 0)) for name in order if offered.get(name))


def _tally(totals: dict[str, int], amounts: Resources) -> None:
    plain = {
        "cpu": amounts.milli_cpu,
        "memory": amounts.memory,
        "ephemeral-storage": amounts.ephemeral_storage,
        "pods": amounts.allowed_pods,
    }
    for name, amount in (plain | dict(amounts.scalars)).items():
        totals[name] = totals.get(name, 0) + amount
