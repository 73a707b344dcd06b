"""Pods."""

from collections.abc import Mapping
from datetime import datetime

from attrs import Factory, field, frozen

from model.api.objects.affinity import Affinity
from model.api.objects.disks import (
    AWSElasticBlockStore,
    AzureDisk,
    CinderVolume,
    GCEPersistentDisk,
    ISCSIDisk,
    RBDImage,
)
from model.api.objects.meta import Int32, KubernetesObject, ResourceRequirements


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
class Container:
    name: str = ""
    image: str = ""
    ports: tuple[ContainerPort, ...] = ()
    resources: ResourceRequirements = ResourceRequirements()


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
