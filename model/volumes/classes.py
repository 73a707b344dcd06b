"""Storage classes: whose a claim or a volume is, and when it binds."""

from model.api.objects import PersistentVolume, PersistentVolumeClaim
from model.fit import PredicateError
from model.rules import clause, reached
from model.world import World

CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


@clause("O-110", "The class is named by the beta annotation, even an empty one, else by the spec")
def class_of_claim(claim: PersistentVolumeClaim) -> str:
    reached("O-110")
    return claim.annotations.get(CLASS_ANNOTATION, claim.spec.storage_class_name or "")


def class_of_volume(volume: PersistentVolume) -> str:
    """[O-110]"""
    return volume.annotations.get(CLASS_ANNOTATION, volume.spec.storage_class_name)


@clause("V-016", "A claim waits for its pod if its class says so; one of no known class does not")
def waits_for_consumer(claim: PersistentVolumeClaim, world: World) -> bool:
    """Raises PredicateError for a class without a binding mode."""
    reached("V-016")
    name = class_of_claim(claim)
    storage_class = world.classes.get(name) if name else None
    if storage_class is None:
        return False
    if storage_class.volume_binding_mode is None:
        raise PredicateError(f'VolumeBindingMode not set for StorageClass "{name}"')
    return storage_class.volume_binding_mode == "WaitForFirstConsumer"
