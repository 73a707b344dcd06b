"""Disks that cannot be mounted twice.  [P-055]"""

from collections.abc import Iterator

from model.api.objects import Volume
from oracle.smt.changes import DropVolume, RemovePods
from oracle.smt.constraint import Constraint
from oracle.smt.formula import every, no
from oracle.smt.question import Question


def no_disk_conflict(question: Question) -> Iterator[Constraint]:
    """Only volumes named in the pods themselves are looked at, claims are not."""
    for volume in question.pod.spec.volumes:
        if volume.persistent_volume_claim is not None:
            continue
        against = [(pod, present) for other, pod, present in question.resident_volumes if _conflict(volume, other)]
        if against:
            holders = tuple(dict.fromkeys(pod.key for pod, _ in against))
            yield Constraint(
                "P-055",
                f"the disk of volume {volume.name} is in use by {', '.join(holders)}",
                every(no(present) for _, present in against),
                changes=(DropVolume(volume.name), RemovePods(holders)),
            )


def _conflict(one: Volume, other: Volume) -> bool:
    """The same disk, unless both only read; reading alone does not help with EBS."""
    if one.gce_persistent_disk and other.gce_persistent_disk:
        gce, held = one.gce_persistent_disk, other.gce_persistent_disk
        return gce.pd_name == held.pd_name and not (gce.read_only and held.read_only)
    if one.aws_elastic_block_store and other.aws_elastic_block_store:
        return one.aws_elastic_block_store.volume_id == other.aws_elastic_block_store.volume_id
    if one.iscsi and other.iscsi:
        return one.iscsi.iqn == other.iscsi.iqn and not (one.iscsi.read_only and other.iscsi.read_only)
    if one.rbd and other.rbd:
        image, used = one.rbd, other.rbd
        shared = any(monitor in used.monitors for monitor in image.monitors)
        same = (image.pool, image.image) == (used.pool, used.image)
        return shared and same and not (image.read_only and used.read_only)
    return False
