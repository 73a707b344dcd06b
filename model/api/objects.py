"""The Kubernetes objects, as far as the scheduler reads them.  [O-020]

Every class mirrors its API type: `snake_case` fields, absent lists and maps read as empty, optional
pointers as None.  A top-level object also keeps the `document` it was read from, whole: two objects
are equal exactly when their documents are, which is the deep equality of O-005, and writing an object
is handing its document back.  To change an object use `amended`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, TypeVar

from attrs import Factory, field, frozen

from model.api.quantity import Quantity

Document = Mapping[str, Any]
"""One object in Kubernetes' JSON form; treated as immutable by everybody."""

QuantityList = Mapping[str, Quantity]

Int32 = Annotated[int, "int32"]
"""An integer that the API holds in 32 bits; a plain `int` has 64."""


@frozen
class OwnerReference:
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool = False


@frozen
class ObjectMeta:
    name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    labels: Mapping[str, str] = Factory(dict)
    annotations: Mapping[str, str] = Factory(dict)
    owner_references: tuple[OwnerReference, ...] = ()
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None


@frozen
class KubernetesObject:
    """What all kinds have in common: identity, labels, and the document.  [O-010, O-011, O-060]"""

    kind: ClassVar[str]
    api_version: ClassVar[str] = "v1"
    namespaced: ClassVar[bool] = True

    document: Document = field(repr=False, kw_only=True)
    metadata: ObjectMeta = field(eq=False, kw_only=True)

    @property
    def name(self) -> str:
        return self.metadata.name

    @property
    def namespace(self) -> str:
        return self.metadata.namespace

    @property
    def uid(self) -> str:
        return self.metadata.uid

    @property
    def labels(self) -> Mapping[str, str]:
        return self.metadata.labels

    @property
    def annotations(self) -> Mapping[str, str]:
        return self.metadata.annotations

    @property
    def key(self) -> str:
        """`namespace/name`, or just `name` without a namespace.  [O-011]"""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


AnyObject = TypeVar("AnyObject", bound=KubernetesObject)

# --- selectors and affinity -----------------------------------------------------------------------


@frozen(cache_hash=True)
class Requirement:
    """One expression of a label or node selector."""

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] = ()


@frozen
class LabelSelector:
    match_labels: Mapping[str, str] = Factory(dict)
    match_expressions: tuple[Requirement, ...] = ()


@frozen
class NodeSelectorTerm:
    match_expressions: tuple[Requirement, ...] = ()
    match_fields: tuple[Requirement, ...] = ()


@frozen
class NodeSelector:
    node_selector_terms: tuple[NodeSelectorTerm, ...] = ()


@frozen
class PreferredSchedulingTerm:
    weight: Int32 = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


@frozen
class NodeAffinity:
    required: NodeSelector | None = None
    preferred: tuple[PreferredSchedulingTerm, ...] = ()


@frozen
class PodAffinityTerm:
    label_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] = ()
    topology_key: str = ""


@frozen
class WeightedPodAffinityTerm:
    weight: Int32 = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


@frozen
class PodAffinity:
    """Affinity or anti-affinity to other pods; which of the two, the owner's field says."""

    required: tuple[PodAffinityTerm, ...] = ()
    preferred: tuple[WeightedPodAffinityTerm, ...] = ()


@frozen
class Affinity:
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


# --- pods -----------------------------------------------------------------------------------------


@frozen
class Toleration:
    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""


@frozen
class ContainerPort:
    host_ip: str = ""
    host_port: Int32 = 0
    protocol: str = ""


@frozen
class ResourceRequirements:
    requests: QuantityList = Factory(dict)
    limits: QuantityList = Factory(dict)


@frozen
class Container:
    name: str = ""
    image: str = ""
    ports: tuple[ContainerPort, ...] = ()
    resources: ResourceRequirements = ResourceRequirements()


@frozen
class GCEPersistentDisk:
    pd_name: str = ""
    read_only: bool = False


@frozen
class AWSElasticBlockStore:
    volume_id: str = ""
    read_only: bool = False


@frozen
class ISCSIDisk:
    target_portal: str = ""
    iqn: str = ""
    lun: Int32 = 0
    read_only: bool = False

    @property
    def unit(self) -> tuple[str, str, int]:
        """What one disk is."""
        return self.target_portal, self.iqn, self.lun


@frozen
class RBDImage:
    monitors: tuple[str, ...] = ()
    image: str = ""
    pool: str = ""
    read_only: bool = False


@frozen
class AzureDisk:
    disk_name: str = ""


@frozen
class CinderVolume:
    volume_id: str = ""


@frozen
class CSIVolumeSource:
    driver: str = ""
    volume_handle: str = ""


@frozen
class ClaimSource:
    claim_name: str = ""


@frozen
class Volume:
    """A volume of a pod; at most one source is set."""

    name: str = ""
    gce_persistent_disk: GCEPersistentDisk | None = None
    aws_elastic_block_store: AWSElasticBlockStore | None = None
    iscsi: ISCSIDisk | None = None
    rbd: RBDImage | None = None
    azure_disk: AzureDisk | None = None
    cinder: CinderVolume | None = None
    persistent_volume_claim: ClaimSource | None = None


@frozen
class PodCondition:
    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    last_probe_time: datetime | None = None
    last_transition_time: datetime | None = None


@frozen
class PodSpec:
    node_name: str = ""
    scheduler_name: str = ""
    priority: Int32 | None = None
    priority_class_name: str = ""
    preemption_policy: str | None = None
    node_selector: Mapping[str, str] = Factory(dict)
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] = ()
    containers: tuple[Container, ...] = ()
    init_containers: tuple[Container, ...] = ()
    volumes: tuple[Volume, ...] = ()


@frozen
class PodStatus:
    phase: str = ""
    nominated_node_name: str = ""
    conditions: tuple[PodCondition, ...] = ()
    start_time: datetime | None = None


@frozen
class Pod(KubernetesObject):
    kind = "Pod"

    spec: PodSpec = field(default=PodSpec(), eq=False)
    status: PodStatus = field(default=PodStatus(), eq=False)

    @property
    def priority(self) -> int:
        """int32; 0 when unset, whatever the class name says.  [O-050]"""
        return self.spec.priority or 0

    @property
    def full_name(self) -> str:
        """`name_namespace`, the key of the unschedulable map.  [O-010]"""
        return f"{self.name}_{self.namespace}"

    @property
    def is_terminating(self) -> bool:
        return self.metadata.deletion_timestamp is not None


# --- nodes ----------------------------------------------------------------------------------------


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


# --- storage --------------------------------------------------------------------------------------


@frozen
class ClaimSpec:
    storage_class_name: str | None = None
    volume_name: str = ""
    volume_mode: str | None = None
    access_modes: tuple[str, ...] = ()
    selector: LabelSelector | None = None
    resources: ResourceRequirements = ResourceRequirements()


@frozen
class PersistentVolumeClaim(KubernetesObject):
    kind = "PersistentVolumeClaim"

    spec: ClaimSpec = field(default=ClaimSpec(), eq=False)


@frozen
class ObjectReference:
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""


@frozen
class VolumeNodeAffinity:
    required: NodeSelector | None = None


@frozen
class VolumeSpec:
    capacity: QuantityList = Factory(dict)
    access_modes: tuple[str, ...] = ()
    claim_ref: ObjectReference | None = None
    storage_class_name: str = ""
    volume_mode: str | None = None
    node_affinity: VolumeNodeAffinity | None = None
    gce_persistent_disk: GCEPersistentDisk | None = None
    aws_elastic_block_store: AWSElasticBlockStore | None = None
    azure_disk: AzureDisk | None = None
    cinder: CinderVolume | None = None
    csi: CSIVolumeSource | None = None


@frozen
class VolumeStatus:
    phase: str = ""


@frozen
class PersistentVolume(KubernetesObject):
    kind = "PersistentVolume"
    namespaced = False

    spec: VolumeSpec = field(default=VolumeSpec(), eq=False)
    status: VolumeStatus = field(default=VolumeStatus(), eq=False)


@frozen
class TopologyExpression:
    key: str = ""
    values: tuple[str, ...] = ()


@frozen
class TopologySelectorTerm:
    match_label_expressions: tuple[TopologyExpression, ...] = ()


@frozen
class StorageClass(KubernetesObject):
    kind = "StorageClass"
    api_version = "storage.k8s.io/v1"
    namespaced = False

    provisioner: str = field(default="", eq=False)
    volume_binding_mode: str | None = field(default=None, eq=False)
    allowed_topologies: tuple[TopologySelectorTerm, ...] = field(default=(), eq=False)


@frozen
class CSIDriver:
    name: str = ""
    node_id: str = ""


@frozen
class CSINodeSpec:
    drivers: tuple[CSIDriver, ...] = ()


@frozen
class CSINode(KubernetesObject):
    """Part of the vocabulary for later releases; v1.15 reads nothing of it.  [O-020]"""

    kind = "CSINode"
    api_version = "storage.k8s.io/v1beta1"
    namespaced = False

    spec: CSINodeSpec = field(default=CSINodeSpec(), eq=False)


# --- workloads and budgets ------------------------------------------------------------------------


@frozen
class MapSelectorSpec:
    """A spec that selects pods by a plain map; None and the empty map differ.  [O-068]"""

    selector: Mapping[str, str] | None = None


@frozen
class LabelSelectorSpec:
    """A spec that selects pods by a LabelSelector; None and the empty selector differ.  [O-067]"""

    selector: LabelSelector | None = None


@frozen
class Service(KubernetesObject):
    kind = "Service"

    spec: MapSelectorSpec = field(default=MapSelectorSpec(), eq=False)


@frozen
class ReplicationController(KubernetesObject):
    kind = "ReplicationController"

    spec: MapSelectorSpec = field(default=MapSelectorSpec(), eq=False)


@frozen
class ReplicaSet(KubernetesObject):
    kind = "ReplicaSet"
    api_version = "apps/v1"

    spec: LabelSelectorSpec = field(default=LabelSelectorSpec(), eq=False)


@frozen
class StatefulSet(KubernetesObject):
    kind = "StatefulSet"
    api_version = "apps/v1"

    spec: LabelSelectorSpec = field(default=LabelSelectorSpec(), eq=False)


@frozen
class BudgetStatus:
    disruptions_allowed: Int32 = 0
    disrupted_pods: Mapping[str, Any] = Factory(dict)


@frozen
class PodDisruptionBudget(KubernetesObject):
    kind = "PodDisruptionBudget"
    api_version = "policy/v1beta1"

    spec: LabelSelectorSpec = field(default=LabelSelectorSpec(), eq=False)
    status: BudgetStatus = field(default=BudgetStatus(), eq=False)


@frozen
class PriorityClass(KubernetesObject):
    """Resolved at admission; the scheduler itself reads `spec.priority`.  [O-020]"""

    kind = "PriorityClass"
    api_version = "scheduling.k8s.io/v1"
    namespaced = False

    value: Int32 = field(default=0, eq=False)
    global_default: bool = field(default=False, eq=False)
    preemption_policy: str | None = field(default=None, eq=False)


@frozen
class PodGroupSpec:
    min_member: Int32 = 0


@frozen
class PodGroup(KubernetesObject):
    """Pods that are of use only together, as kube-batch and Volcano schedule them; v1.15 knows nothing of it."""

    kind = "PodGroup"
    api_version = "scheduling.volcano.sh/v1beta1"

    spec: PodGroupSpec = field(default=PodGroupSpec(), eq=False)


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
