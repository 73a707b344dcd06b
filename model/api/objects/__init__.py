"""The Kubernetes objects, as far as the scheduler reads them.  [O-020]

Every class mirrors its API type: `snake_case` fields, absent lists and maps read as empty, optional
pointers as None.  A top-level object also keeps the `document` it was read from, whole: two objects
are equal exactly when their documents are, which is the deep equality of O-005, and writing an object
is handing its document back.  To change an object use `amended`.
"""

from collections.abc import Mapping

from model.api.objects.affinity import (
    Affinity,
    LabelSelector,
    NodeAffinity,
    NodeSelector,
    NodeSelectorTerm,
    PodAffinity,
    PodAffinityTerm,
    PreferredSchedulingTerm,
    Requirement,
    TopologyExpression,
    TopologySelectorTerm,
    WeightedPodAffinityTerm,
)
from model.api.objects.disks import (
    AWSElasticBlockStore,
    AzureDisk,
    CinderVolume,
    CSIVolumeSource,
    GCEPersistentDisk,
    ISCSIDisk,
    RBDImage,
)
from model.api.objects.meta import (
    AnyObject,
    Document,
    Int32,
    KubernetesObject,
    ObjectMeta,
    OwnerReference,
    QuantityList,
    ResourceRequirements,
)
from model.api.objects.nodes import ContainerImage, Node, NodeCondition, NodeSpec, NodeStatus, Taint
from model.api.objects.pods import (
    ClaimSource,
    Container,
    ContainerPort,
    Pod,
    PodCondition,
    PodSpec,
    PodStatus,
    Toleration,
    Volume,
)
from model.api.objects.storage import (
    ClaimSpec,
    CSIDriver,
    CSINode,
    CSINodeSpec,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeNodeAffinity,
    VolumeSpec,
    VolumeStatus,
)
from model.api.objects.workloads import (
    BudgetStatus,
    LabelSelectorSpec,
    MapSelectorSpec,
    PodDisruptionBudget,
    PodGroup,
    PodGroupSpec,
    PriorityClass,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
)

__all__ = [
    "KINDS",
    "AWSElasticBlockStore",
    "Affinity",
    "AnyObject",
    "AzureDisk",
    "BudgetStatus",
    "CSIDriver",
    "CSINode",
    "CSINodeSpec",
    "CSIVolumeSource",
    "CinderVolume",
    "ClaimSource",
    "ClaimSpec",
    "Container",
    "ContainerImage",
    "ContainerPort",
    "Document",
    "GCEPersistentDisk",
    "ISCSIDisk",
    "Int32",
    "KubernetesObject",
    "LabelSelector",
    "LabelSelectorSpec",
    "MapSelectorSpec",
    "Node",
    "NodeAffinity",
    "NodeCondition",
    "NodeSelector",
    "NodeSelectorTerm",
    "NodeSpec",
    "NodeStatus",
    "ObjectMeta",
    "ObjectReference",
    "OwnerReference",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Pod",
    "PodAffinity",
    "PodAffinityTerm",
    "PodCondition",
    "PodDisruptionBudget",
    "PodGroup",
    "PodGroupSpec",
    "PodSpec",
    "PodStatus",
    "PreferredSchedulingTerm",
    "PriorityClass",
    "QuantityList",
    "RBDImage",
    "ReplicaSet",
    "ReplicationController",
    "Requirement",
    "ResourceRequirements",
    "Service",
    "StatefulSet",
    "StorageClass",
    "Taint",
    "Toleration",
    "TopologyExpression",
    "TopologySelectorTerm",
    "Volume",
    "VolumeNodeAffinity",
    "VolumeSpec",
    "VolumeStatus",
    "WeightedPodAffinityTerm",
]

KINDS: Mapping[str, type[KubernetesObject]] = {
    kind.kind: kind
    for kind in (
        StorageClass,
        PersistentVolume,
        PersistentVolumeClaim,
        Service,
        ReplicationController,
        ReplicaSet,
        StatefulSet,
        PodDisruptionBudget,
        CSINode,
        PriorityClass,
        PodGroup,
        Node,
        Pod,
    )
}
"""The kinds this project knows, in the order in which a cluster is fed to a scheduler."""
