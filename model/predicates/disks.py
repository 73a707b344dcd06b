"""NoDiskConflict: no inline disk of the pod is in exclusive use on the node.  Claims are not looked at."""

from model.api.objects import Volume
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo
from model.predicates import reasons
from model.quirks import Quirks, quirk
from model.rules import rule


def no_disk_conflict(attempt: Attempt, info: NodeInfo) -> Fit:
    """Pods of any state on the node count; the pod's own volumes are not compared.  [P-055]"""
    volumes, quirks = attempt.pod.spec.volumes, attempt.semantics.quirks
    if volumes and any(_exclude(v, w, quirks) for v in volumes for q in info.pods for w in q.spec.volumes):
        return (reasons.DISK_CONFLICT,)
    return FITS


quirk("P-055", "iSCSI disks of one name are one disk, whatever their portals and unit numbers")


@rule("P-055", "Two mounts of a disk exclude each other unless both only read; with EBS even then")
def _exclude(v: Volume, w: Volume, quirks: Quirks) -> bool:
    """An iSCSI disk is known by its name alone, an RBD image by a common monitor, pool and image."""
    if v.gce_persistent_disk and w.gce_persistent_disk:
        one, other = v.gce_persistent_disk, w.gce_persistent_disk
        return one.pd_name == other.pd_name and not (one.read_only and other.read_only)
    if v.aws_elastic_block_store and w.aws_elastic_block_store:
        return v.aws_elastic_block_store.volume_id == w.aws_elastic_block_store.volume_id
    if v.iscsi and w.iscsi:
        same = v.iscsi.iqn == w.iscsi.iqn if "P-055" in quirks else v.iscsi.unit == w.iscsi.unit
        return same and not (v.iscsi.read_only and w.iscsi.read_only)
    if v.rbd and w.rbd:
        return (
            not set(v.rbd.monitors).isdisjoint(w.rbd.monitors)
            and (v.rbd.pool, v.rbd.image) == (w.rbd.pool, w.rbd.image)
            and not (v.rbd.read_only and w.rbd.read_only)
        )
    return False
