"""Claims: whether their volumes can be had on a node, and whether the node is in the volumes' zone."""

from impl.assume_cache import VolumeError
from impl.claims import claim_class
from impl.outcomes import FITS, VOLUME_BIND_CONFLICT, VOLUME_NODE_CONFLICT, VOLUME_ZONE_CONFLICT
from impl.predicates.check import Check, Question
from impl.predicates.volume_counts import NO_CLAIM_NAME, VolumeLookupError
from impl.stores import Stores
from impl.table import REGION, ZONE
from impl.trial import Trial
from model.api.objects import PersistentVolumeClaim


class CheckVolumeBinding(Check):
    """Asks the volume binder, which remembers its answer.  [P-079]"""

    columnar = local = False

    def at(self, trial: Trial) -> int:
        try:
            unbound_ok, bound_ok = self.question.surroundings.binder.find(self.question.pod, trial.node)
        except VolumeError as error:
            return self.outcomes.error(str(error))
        reasons = ((VOLUME_NODE_CONFLICT, bound_ok), (VOLUME_BIND_CONFLICT, unbound_ok))
        return self.outcomes.code(*(reason for reason, ok in reasons if not ok))


def check_volume_binding(question: Question) -> Check | None:
    return CheckVolumeBinding(question) if question.kind.claims else None


class NoVolumeZoneConflict(Check):
    """[P-080..P-083]"""

    columnar = local = False

    def at(self, trial: Trial) -> int:
        labels = trial.node.labels
        if ZONE not in labels and REGION not in labels:
            return FITS
        stores, namespace = self.question.surroundings.stores, self.question.kind.namespace
        try:
            for name in self.question.kind.claims:
                for key, zones in _zones(namespace, name, stores):
                    if labels.get(key, "") not in zones:
                        return self.outcomes.code(VOLUME_ZONE_CONFLICT)
        except VolumeLookupError as error:
            return self.outcomes.error(str(error))
        return FITS


def _zones(namespace: str, name: str, stores: Stores) -> list[tuple[str, set[str]]]:
    """The zones and regions that the claim's volume is in, nothing while it may be chosen freely."""
    if not name:
        raise VolumeLookupError(NO_CLAIM_NAME)
    claim = stores.claims.get(f"{namespace}/{name}")
    if claim is None:
        raise VolumeLookupError(f'persistentvolumeclaim "{name}" not found')
    if not claim.spec.volume_name:
        _must_wait(claim, stores)
        return []
    volume = stores.volumes.get(claim.spec.volume_name)
    if volume is None:
        raise VolumeLookupError(f'persistentvolume "{claim.spec.volume_name}" not found')
    found = []
    for key in (ZONE, REGION):
        if key in volume.labels:
            zones = {part.strip() for part in volume.labels[key].split("__")}
            if "" not in zones:
                found.append((key, zones))
    return found


def _must_wait(claim: PersistentVolumeClaim, stores: Stores) -> None:
    """An unbound claim is fine only when it waits for its first consumer.  [P-082]"""
    name = claim_class(claim)
    class_ = stores.classes.get(name) if name else None
    if class_ is not None:
        if class_.volume_binding_mode is None:
            raise VolumeLookupError(f'VolumeBindingMode not set for StorageClass "{name}"')
        if class_.volume_binding_mode == "WaitForFirstConsumer":
            return
    raise VolumeLookupError(f'PersistentVolumeClaim was not found: "{claim.name}"')


def no_volume_zone_conflict(question: Question) -> Check | None:
    return NoVolumeZoneConflict(question) if question.kind.claims else None
