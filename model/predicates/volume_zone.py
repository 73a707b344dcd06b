"""NoVolumeZoneConflict: the volumes behind the pod's claims are in the node's zone and region."""

from collections.abc import Mapping

from model.api.objects import PersistentVolume, PersistentVolumeClaim
from model.attempt import Attempt
from model.fit import FITS, Fit, PredicateError
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.absent_node import node_of
from model.predicates.claims import Claimed, claimed
from model.quirks import quirk
from model.rules import clause, reached, rule
from model.volumes.classes import waits_for_consumer

ZONE_LABELS = ("failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region")

quirk("P-083", "A volume's region excludes a node that says only its zone, and the reverse")


@clause("P-080", "A pod without volumes fits, and so does a node that tells neither zone nor region")
def no_volume_zone_conflict(attempt: Attempt, info: NodeInfo) -> Fit:
    """Raises PredicateError for a claim or volume that is missing, or not bound and not waiting."""
    if not attempt.pod.spec.volumes:
        return FITS
    labels = node_of(info).labels
    place = {key: labels[key] for key in ZONE_LABELS if key in labels}
    if not place:
        reached("P-080")
        return FITS
    for found in claimed(attempt.pod, attempt.world):
        volume = _volume(attempt, found)
        if volume and not _is_there(attempt, volume, place):
            return (reasons.VOLUME_ZONE_CONFLICT,)
    return FITS


@rule("P-081", "The claim must exist, and if it names a volume the volume too")
def _volume(attempt: Attempt, found: Claimed) -> PersistentVolume | None:
    """None for a claim that is bound only once the pod has a node.  Raises PredicateError."""
    if found.claim is None:
        raise PredicateError(f'persistentvolumeclaim "{found.name}" not found')
    if not found.claim.spec.volume_name:
        _require_waiting(attempt, found.claim)
    elif found.volume is None:
        raise PredicateError(f'persistentvolume "{found.claim.spec.volume_name}" not found')
    return found.volume


@rule("P-082", "An unbound claim passes only if its class waits for the first consumer")
def _require_waiting(attempt: Attempt, claim: PersistentVolumeClaim) -> None:
    if not waits_for_consumer(claim, attempt.world):
        raise PredicateError(f'PersistentVolumeClaim was not found: "{claim.name}"')


@rule(
    "P-083",
    "For each of the volume's zone and region labels the node's value, empty if it has none, is among its values",
)
def _is_there(attempt: Attempt, volume: PersistentVolume, place: Mapping[str, str]) -> bool:
    for key in ZONE_LABELS:
        if key not in volume.labels or (key not in place and not attempt.semantics.has("P-083")):
            continue
        allowed = [part.strip() for part in volume.labels[key].split("__")]
        if all(allowed) and place.get(key, "") not in allowed:
            return False
    return True
