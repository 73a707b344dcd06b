"""What all objects have in common."""

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


@frozen
class ResourceRequirements:
    requests: QuantityList = Factory(dict)
    limits: QuantityList = Factory(dict)
