"""The informer stores: every watched object as the scheduler last heard of it.  [L-023, A-005]"""

from collections import Counter
from typing import Any

from model.api.objects import (
    KubernetesObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    StorageClass,
)

WORKLOADS = ("Service", "ReplicationController", "ReplicaSet", "StatefulSet")


class Stores:
    """By key, in order of arrival.  For whoever derives from them, `versions` counts the changes of each kind,
    and `workload_version` those of services and controllers together.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.services: dict[str, Service] = {}
        self.replication_controllers: dict[str, ReplicationController] = {}
        self.replica_sets: dict[str, ReplicaSet] = {}
        self.stateful_sets: dict[str, StatefulSet] = {}
        self.volumes: dict[str, PersistentVolume] = {}
        self.claims: dict[str, PersistentVolumeClaim] = {}
        self.classes: dict[str, StorageClass] = {}
        self.budgets: dict[str, PodDisruptionBudget] = {}
        self.versions: Counter[str] = Counter()
        self.workload_version = 0
        self._of_kind: dict[str, dict[str, Any]] = {
            "Node": self.nodes,
            "Service": self.services,
            "ReplicationController": self.replication_controllers,
            "ReplicaSet": self.replica_sets,
            "StatefulSet": self.stateful_sets,
            "PersistentVolume": self.volumes,
            "PersistentVolumeClaim": self.claims,
            "StorageClass": self.classes,
            "PodDisruptionBudget": self.budgets,
        }

    def put(self, thing: KubernetesObject) -> None:
        """Kinds that nobody looks up are not kept."""
        if (store := self._of_kind.get(thing.kind)) is not None:
            store[thing.key] = thing
            self._count(thing.kind)

    def drop(self, thing: KubernetesObject) -> None:
        if (store := self._of_kind.get(thing.kind)) is not None:
            store.pop(thing.key, None)
            self._count(thing.kind)

    def _count(self, kind: str) -> None:
        self.versions[kind] += 1
        self.workload_version += kind in WORKLOADS
