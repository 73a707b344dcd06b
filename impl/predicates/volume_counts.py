"""How many volumes of a type a node can attach.  [P-066..P-078]"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha1
from typing import TypeAlias

from attrs import frozen

from impl.outcomes import FITS, TOO_MANY_VOLUMES
from impl.pod_kind import PodKind
from impl.predicates.check import Check, Factory, Question
from impl.stores import Stores
from impl.trial import Trial
from model.api.objects import Node, Volume, VolumeSpec

VolumeId: TypeAlias = str | tuple[str, str]
"""What the storage calls the volume; for an unknown one, namespace and name of its claim."""

NO_CLAIM_NAME = "PersistentVolumeClaim had no name"
CSI_PREFIX = "attachable-volumes-csi-"
_INSTANCE_TYPE = "beta.kubernetes.io/instance-type"
_NITRO = re.compile(r"^[cmr]5.*|t3|z1d")


class VolumeLookupError(Exception):
    """A claim that cannot be followed; the message is kube-scheduler's."""


@frozen
class VolumeType:
    """A type of volume: its limit's resource name, how to read its id, and the limit where the node tells none."""

    resource: str
    id_of: Callable[[Volume | VolumeSpec], str | None]
    default_limit: Callable[[Node], int]


def _ebs_limit(node: Node) -> int:
    """[P-071]"""
    return 25 if _NITRO.search(node.labels.get(_INSTANCE_TYPE, "")) else 39


EBS = VolumeType(
    "attachable-volumes-aws-ebs",
    lambda v: v.aws_elastic_block_store.volume_id if v.aws_elastic_block_store else None,
    _ebs_limit,
)
GCE = VolumeType(
    "attachable-volumes-gce-pd",
    lambda v: v.gce_persistent_disk.pd_name if v.gce_persistent_disk else None,
    lambda node: 16,
)
AZURE = VolumeType(
    "attachable-volumes-azure-disk", lambda v: v.azure_disk.disk_name if v.azure_disk else None, lambda node: 16
)
CINDER = VolumeType("attachable-volumes-cinder", lambda v: v.cinder.volume_id if v.cinder else None, lambda node: 256)


def _claimed_id(type_: VolumeType, namespace: str, name: str, stores: Stores) -> VolumeId | None:
    """The id behind a claim; a placeholder while nobody knows, so it counts for every type.  [P-067]"""
    if not name:
        raise VolumeLookupError(NO_CLAIM_NAME)
    claim = stores.claims.get(f"{namespace}/{name}")
    volume = stores.volumes.get(claim.spec.volume_name) if claim and claim.spec.volume_name else None
    return type_.id_of(volume.spec) if volume else (namespace, name)


def _ids(type_: VolumeType, kind: PodKind, stores: Stores) -> set[VolumeId]:
    """Raises VolumeLookupError.  [P-067]"""
    found: set[VolumeId] = set()
    for volume in kind.sample.spec.volumes:
        id_: VolumeId | None = type_.id_of(volume)
        if id_ is None and volume.persistent_volume_claim:
            id_ = _claimed_id(type_, kind.namespace, volume.persistent_volume_claim.claim_name, stores)
        if id_ is not None:
            found.add(id_)
    return found


class MaxVolumeCount(Check):
    """[P-068..P-073]"""

    columnar = local = False

    def __init__(self, question: Question, type_: VolumeType) -> None:
        super().__init__(question)
        self._type = type_

    def at(self, trial: Trial) -> int:
        question, type_, stores = self.question, self._type, self.question.surroundings.stores
        try:
            new = _ids(type_, question.kind, stores)
            if not new:
                return FITS
            existing = set().union(*(_ids(type_, kind, stores) for kind in trial.kinds if kind.sample.spec.volumes))
        except VolumeLookupError as error:
            return self.outcomes.error(str(error))
        added = len(new - existing)
        limit = self.table.amounts.known_limit(type_.resource, trial.row) if question.count_volumes else None
        if limit is None:
            limit = question.max_volumes or type_.default_limit(trial.node)
        if len(existing) + added > limit:
            return self.outcomes.code(TOO_MANY_VOLUMES)
        return FITS


def max_volume_count(type_: VolumeType) -> Factory:
    return lambda question: MaxVolumeCount(question, type_) if question.kind.sample.spec.volumes else None


@cache
def csi_limit_key(driver: str) -> str:
    """[P-077]"""
    name = driver.encode()
    if len(name) < 40:
        return CSI_PREFIX + driver
    return CSI_PREFIX + name[:23].decode(errors="surrogateescape") + sha1(name).hexdigest()[:16]


def _csi_handles(kinds: Iterable[PodKind], stores: Stores) -> dict[VolumeId, str]:
    """Handle -> limit key; the driver is no part of the handle.  Raises VolumeLookupError.  [P-076]"""
    handles: dict[VolumeId, str] = {}
    for kind in kinds:
        for name in kind.claims:
            driver, handle = _driver_and_handle(kind.namespace, name, stores)
            if driver and handle:
                handles[handle] = csi_limit_key(driver)
    return handles


def _driver_and_handle(namespace: str, name: str, stores: Stores) -> tuple[str, VolumeId]:
    if not name:
        raise VolumeLookupError(NO_CLAIM_NAME)
    claim = stores.claims.get(f"{namespace}/{name}")
    if claim is None:
        return "", ""
    volume = stores.volumes.get(claim.spec.volume_name) if claim.spec.volume_name else None
    if volume:
        source = volume.spec.csi
        return (source.driver, source.volume_handle) if source else ("", "")
    class_ = stores.classes.get(claim.spec.storage_class_name or "")
    return (class_.provisioner, (namespace, name)) if class_ else ("", "")


class MaxCSIVolumeCount(Check):
    """No new handles: fits, even on a node over its limits.  [P-075, P-078]"""

    columnar = local = False

    def at(self, trial: Trial) -> int:
        limits = self.table.amounts.volume_limits(trial.row)
        if not limits:
            return FITS
        stores = self.question.surroundings.stores
        try:
            new = _csi_handles((self.question.kind,), stores)
            attached = _csi_handles(trial.kinds, stores) if new else {}
        except VolumeLookupError as error:
            return self.outcomes.error(str(error))
        counts = _counts(attached)
        for key, added in _counts({h: key for h, key in new.items() if h not in attached}).items():
            if key in limits and counts.get(key, 0) + added > limits[key]:
                return self.outcomes.code(TOO_MANY_VOLUMES)
        return FITS


def _counts(handles: Mapping[VolumeId, str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for key in handles.values():
        counts[key] = counts.get(key, 0) + 1
    return counts


def max_csi_volume_count(question: Question) -> Check | None:
    return MaxCSIVolumeCount(question) if question.count_volumes and question.kind.sample.spec.volumes else None
