"""Claims, persistent volumes and their classes."""

from attrs import Factory, field, frozen

from model.api.objects.affinity import LabelSelector, NodeSelector, TopologySelectorTerm
from model.api.objects.disks import AWSElasticBlockStore, AzureDisk, CinderVolume, CSIVolumeSource, GCEPersistentDisk
from model.api.objects.meta import KubernetesObject, QuantityList, ResourceRequirements


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
