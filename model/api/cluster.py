"""A cluster: everything the API server holds, kind by kind."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, fields, frozen

from model.api.decode import ManifestError, decode, encode
from model.api.objects import (
    KINDS,
    CSINode,
    KubernetesObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    PodGroup,
    PriorityClass,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    StorageClass,
)


@frozen
class Cluster:
    """Objects in the order in which they were listed; the order of the fields is the order of feeding."""

    storage_classes: tuple[StorageClass, ...] = ()
    persistent_volumes: tuple[PersistentVolume, ...] = ()
    persistent_volume_claims: tuple[PersistentVolumeClaim, ...] = ()
    services: tuple[Service, ...] = ()
    replication_controllers: tuple[ReplicationController, ...] = ()
    replica_sets: tuple[ReplicaSet, ...] = ()
    stateful_sets: tuple[StatefulSet, ...] = ()
    pod_disruption_budgets: tuple[PodDisruptionBudget, ...] = ()
    csi_nodes: tuple[CSINode, ...] = ()
    priority_classes: tuple[PriorityClass, ...] = ()
    pod_groups: tuple[PodGroup, ...] = ()
    nodes: tuple[Node, ...] = ()
    pods: tuple[Pod, ...] = ()

    def __iter__(self) -> Iterator[KubernetesObject]:
        for attribute in FIELD_OF_KIND.values():
            yield from getattr(self, attribute)

    @classmethod
    def of(cls, things: Iterable[KubernetesObject]) -> "Cluster":
        """Sort objects by kind, keeping their order within a kind."""
        lists: dict[str, list[Any]] = {attribute: [] for attribute in FIELD_OF_KIND.values()}
        for thing in things:
            lists[FIELD_OF_KIND[thing.kind]].append(thing)
        return cls(**{attribute: tuple(found) for attribute, found in lists.items()})

    def having(self, **lists: tuple[Any, ...]) -> "Cluster":
        """The cluster with some lists replaced."""
        return evolve(self, **lists)


FIELD_OF_KIND: Mapping[str, str] = dict(zip(KINDS, (f.name for f in fields(Cluster)), strict=True))
"""`Pod` -> `pods`, ..."""

LIST_NAMES: Mapping[str, str] = {
    "storageClasses": "StorageClass",
    "persistentVolumes": "PersistentVolume",
    "persistentVolumeClaims": "PersistentVolumeClaim",
    "services": "Service",
    "replicationControllers": "ReplicationController",
    "replicaSets": "ReplicaSet",
    "statefulSets": "StatefulSet",
    "podDisruptionBudgets": "PodDisruptionBudget",
    "csiNodes": "CSINode",
    "priorityClasses": "PriorityClass",
    "podGroups": "PodGroup",
    "nodes": "Node",
    "pods": "Pod",
}
"""The lists of a trace's `cluster`, by their name in JSON."""


def read_cluster(lists: Mapping[str, Any]) -> Cluster:
    """Read the `cluster` of a trace: lists of objects by name.  Raises ManifestError."""
    things: list[KubernetesObject] = []
    for name, documents in lists.items():
        if name not in LIST_NAMES:
            raise ManifestError(f"cluster.{name}: unknown list")
        if not isinstance(documents, list):
            raise ManifestError(f"cluster.{name}: expected a list")
        kind = KINDS[LIST_NAMES[name]]
        for at, document in enumerate(documents):
            thing = decode(document, kind)
            if document.get("kind") not in (None, "", kind.kind):
                raise ManifestError(f"cluster.{name}[{at}].kind: expected {kind.kind}, got {document['kind']!r:.60}")
            things.append(thing)
    return Cluster.of(things)


def write_cluster(cluster: Cluster) -> dict[str, Any]:
    """The reverse of `read_cluster`; empty lists are left out."""
    lists = {name: [encode(t) for t in getattr(cluster, FIELD_OF_KIND[kind])] for name, kind in LIST_NAMES.items()}
    return {name: documents for name, documents in lists.items() if documents}
