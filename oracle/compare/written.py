"""The volumes and claims that a scheduler wrote, whole: a recorded effect only names them.  [V-032, V-034]"""

from collections.abc import Mapping

from model.api.objects import KubernetesObject
from oracle.conform.verdict import Difference, first_difference
from oracle.environment import Step
from oracle.environment.store import Store

Written = tuple[KubernetesObject, ...]

EFFECTS = {"pvUpdate": ("PersistentVolume", "pv"), "pvcUpdate": ("PersistentVolumeClaim", "pvc")}
"""By the effect: the kind of what was written, and the member that names it."""


def written(store: Store, step: Step) -> Written:
    """As the API server has them after the step, in order of the writes."""
    found = [
        store.get(kind, said[member])
        for effect in step.effects
        for name, (kind, member) in EFFECTS.items()
        if isinstance(said := effect.get(name), Mapping)
    ]
    return tuple(thing for thing in found if thing is not None)


def compare_written(where: str, wanted: Written, actual: Written) -> Difference | None:
    """Of two that wrote the same objects."""
    for one, other in zip(wanted, actual, strict=False):
        found = first_difference(f"{where}.written.{one.kind}", one.document, other.document)
        if found is not None:
            return found
    return None
