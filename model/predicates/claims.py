"""The claims and volumes behind a pod's volumes, as the informer stores have them."""

from collections.abc import Iterator

from attrs import frozen

from model.api.objects import PersistentVolume, PersistentVolumeClaim, Pod
from model.fit import PredicateError
from model.world import World


@frozen
class Claimed:
    """A volume of a pod that refers to a claim; `claim` and `volume` are None where the store lacks them.

    `volume` is None, too, while the claim names none.
    """

    namespace: str
    name: str
    claim: PersistentVolumeClaim | None
    volume: PersistentVolume | None

    @property
    def key(self) -> str:
        """Stands for the volume while that is not known; to be kept apart from real ones.  [P-067, P-076]"""
        return f"{self.namespace}/{self.name}"


def claimed(pod: Pod, world: World) -> Iterator[Claimed]:
    """The pod's volumes that refer to claims, in order.  Raises PredicateError for a nameless reference."""
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim:
            yield look_up(volume.persistent_volume_claim.claim_name, pod.namespace, world)


def look_up(name: str, namespace: str, world: World) -> Claimed:
    """Raises PredicateError for an empty name.  [P-067, P-076, P-081]"""
    if not name:
        raise PredicateError("PersistentVolumeClaim had no name")
    claim = world.claims.get(f"{namespace}/{name}")
    return Claimed(namespace, name, claim, world.volumes.get(claim.spec.volume_name) if claim else None)
