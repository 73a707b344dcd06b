"""What is known of a cluster, arranged for asking: nodes with their pods, nominations, storage by key.

Pods that finished are left out, as the scheduler's informer leaves them out; a pod on a node that does not
exist is kept under that node's name.
"""

from collections.abc import Mapping
from functools import cached_property

from attrs import frozen

from model.api.cluster import Cluster
from model.api.objects import (
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    Service,
    StorageClass,
    Volume,
)
from model.api.ports import HostPort, host_ports
from model.api.resources import Resources, add, container_sum
from model.api.selectors import required_anti_affinity_terms

FINISHED = ("Succeeded", "Failed")


@frozen(eq=False)
class NodeFacts:
    """One node with the pods on it, in listed order."""

    node: Node
    pods: tuple[Pod, ...] = ()

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def labels(self) -> Mapping[str, str]:
        return self.node.labels

    def is_beside(self, other: "NodeFacts", key: str) -> bool:
        """Both carry the label, with the same value; a node without it is near nothing.  [P-094, P-097]"""
        return key in self.labels and self.labels[key] == other.labels.get(key)

    @cached_property
    def allocatable(self) -> Resources:
        """[O-094]"""
        return add(Resources(), self.node.status.allocatable)

    @cached_property
    def requests(self) -> tuple[tuple[Pod, Resources], ...]:
        """What each pod counts for.  [O-045]"""
        return tuple((pod, container_sum(pod)) for pod in self.pods)

    @cached_property
    def ports(self) -> tuple[tuple[HostPort, Pod], ...]:
        return tuple((port, pod) for pod in self.pods for port in host_ports(pod))

    @cached_property
    def volumes(self) -> tuple[tuple[Volume, Pod], ...]:
        return tuple((volume, pod) for pod in self.pods for volume in pod.spec.volumes)


@frozen(eq=False)
class Facts:
    nodes: Mapping[str, NodeFacts]
    pods_on: Mapping[str, tuple[Pod, ...]]
    nominated: Mapping[str, tuple[Pod, ...]]
    """Pods without a node, by the node they are nominated to."""
    claims: Mapping[str, PersistentVolumeClaim]
    volumes: Mapping[str, PersistentVolume]
    classes: Mapping[str, StorageClass]
    services: tuple[Service, ...]
    budgets: tuple[PodDisruptionBudget, ...]

    @classmethod
    def of(cls, cluster: Cluster, nominated: Mapping[str, tuple[Pod, ...]] | None = None) -> "Facts":
        """`nominated`: who is nominated where, if it is not what the pods' status says."""
        pods_on: dict[str, list[Pod]] = {}
        nominations: dict[str, list[Pod]] = {}
        for pod in cluster.pods:
            if pod.status.phase in FINISHED:
                continue
            if pod.spec.node_name:
                pods_on.setdefault(pod.spec.node_name, []).append(pod)
            elif pod.status.nominated_node_name:
                nominations.setdefault(pod.status.nominated_node_name, []).append(pod)
        grouped = {name: tuple(pods) for name, pods in pods_on.items()}
        return cls(
            nodes={node.name: NodeFacts(node, grouped.get(node.name, ())) for node in cluster.nodes},
            pods_on=grouped,
            nominated={name: tuple(pods) for name, pods in nominations.items()} if nominated is None else nominated,
            claims={claim.key: claim for claim in cluster.persistent_volume_claims},
            volumes={volume.name: volume for volume in cluster.persistent_volumes},
            classes={each.name: each for each in cluster.storage_classes},
            services=cluster.services,
            budgets=cluster.pod_disruption_budgets,
        )

    @cached_property
    def placed(self) -> tuple[tuple[Pod, NodeFacts], ...]:
        """Every pod on a node that exists."""
        return tuple((pod, node) for node in self.nodes.values() for pod in node.pods)

    @cached_property
    def repelling(self) -> tuple[tuple[Pod, NodeFacts], ...]:
        """Those with a required anti-affinity."""
        return tuple((pod, node) for pod, node in self.placed if required_anti_affinity_terms(pod))
