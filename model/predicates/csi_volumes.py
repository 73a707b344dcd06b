"""MaxCSIVolumeCountPred: a node attaches only so many volumes of one CSI driver."""

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha1

from model.api.objects import PersistentVolumeClaim, Pod
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo, volume_limits
from model.predicates import reasons
from model.predicates.claims import Claimed, claimed
from model.quirks import quirk
from model.rules import clause, reached, rule

quirk("P-076", "Volumes of different drivers with one handle count as one volume")

Handle = tuple[str, ...]
"""A volume's handle, marked as real or as a placeholder."""


@clause("P-075", "Fits where nothing is limited: the gate is off, the pod has no volumes, the node no limits")
def max_csi_volume_count(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError for a claim reference without a name."""
    limits = volume_limits(info) if attempt.pod.spec.volumes else {}
    if not limits or not attempt.semantics.gates.get("AttachVolumeLimit", True):
        reached("P-075")
        return FITS
    return _within(limits, attempt, info)


@rule("P-078", "No driver whose volumes the pod adds to has more than its limit; the others may")
def _within(limits: Mapping[str, int], attempt: Attempt, info: NodeInfo) -> Fit:
    wanted = dict(handles(attempt, attempt.pod))
    if not wanted:
        return FITS
    attached = {handle: key for pod in info.pods for handle, key in handles(attempt, pod)}
    before = Counter(attached.values())
    new = Counter(key for handle, key in wanted.items() if handle not in attached)
    if any(key in limits and before[key] + count > limits[key] for key, count in new.items()):
        return (reasons.MAX_VOLUME_COUNT_EXCEEDED,)
    return FITS


@rule("P-076", "A claimed volume's handle with its driver's limit; the class's provisioner while there is no volume")
def handles(attempt: Attempt, pod: Pod) -> Iterator[tuple[Handle, str]]:
    """Raises PredicateError."""
    for found in claimed(pod, attempt.world):
        driver, handle = _driver_and_handle(attempt, found)
        if driver and handle:
            known_as = (handle, "volume" if found.volume else "claim")
            yield known_as if attempt.semantics.has("P-076") else (driver, *known_as), limit_key(driver)


def _driver_and_handle(attempt: Attempt, found: Claimed) -> tuple[str, str]:
    """Both empty for what is no CSI volume."""
    if found.volume:
        csi = found.volume.spec.csi
        return (csi.driver, csi.volume_handle) if csi else ("", "")
    return (_provisioner(attempt, found.claim), found.key) if found.claim else ("", "")


def _provisioner(attempt: Attempt, claim: PersistentVolumeClaim) -> str:
    """The class's; here the annotation that may name a class does not count."""
    storage_class = attempt.world.classes.get(claim.spec.storage_class_name or "")
    return storage_class.provisioner if storage_class else ""


@rule("P-077", "The limit of a driver has its name; from 40 bytes on 23 bytes and a hash of it")
def limit_key(driver: str) -> str:
    name = driver.encode()
    if len(name) < 40:
        return f"attachable-volumes-csi-{driver}"
    # A name that is cut within a character is in no text that a node can send.
    return f"attachable-volumes-csi-{name[:23].decode(errors='surrogateescape')}{sha1(name).hexdigest()[:16]}"
