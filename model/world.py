"""What one scheduling attempt can see."""

from collections.abc import Mapping

from attrs import Factory, frozen

from model.api.objects import (
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    StorageClass,
)
from model.node_info import NodeInfo
from model.rules import declare

declare("V-051", "The basic check reads the claims of the informer, all else the binder's view of them", __name__)


@frozen
class World:
    """The informer stores (by key, in order of arrival) and the cache, live.  [A-005]

    `volumes` and `claims` are the informer stores; `binder_volumes` and `binder_claims` the volume
    binder's view of them, assumptions included.  [V-002, V-051]
    """

    nodes: Mapping[str, Node] = Factory(dict)
    services: Mapping[str, Service] = Factory(dict)
    replication_controllers: Mapping[str, ReplicationController] = Factory(dict)
    replica_sets: Mapping[str, ReplicaSet] = Factory(dict)
    stateful_sets: Mapping[str, StatefulSet] = Factory(dict)
    volumes: Mapping[str, PersistentVolume] = Factory(dict)
    claims: Mapping[str, PersistentVolumeClaim] = Factory(dict)
    classes: Mapping[str, StorageClass] = Factory(dict)
    budgets: Mapping[str, PodDisruptionBudget] = Factory(dict)
    binder_volumes: Mapping[str, PersistentVolume] = Factory(dict)
    binder_claims: Mapping[str, PersistentVolumeClaim] = Factory(dict)
    cached: Mapping[str, NodeInfo] = Factory(dict)
    """The cache's aggregates by node name, live (not the snapshot)."""
    nominated: Mapping[str, tuple[Pod, ...]] = Factory(dict)
    """The queue's nominated pods by node name, in list order.  [Q-034]"""


Snapshot = Mapping[str, NodeInfo]
"""Node name -> aggregate, as of the start of the cycle.  [C-041]"""
