"""What admission adds when an object is created, where it takes other objects to know.

Pods get the number of their priority class, claims the default storage class.
"""

from collections.abc import Iterable, Iterator

from model.api.decode import amended
from model.api.objects import KubernetesObject, PersistentVolumeClaim, Pod, PriorityClass, StorageClass

SYSTEM_PRIORITIES = {"system-cluster-critical": 2000000000, "system-node-critical": 2000001000}
_OLD_CLASS = "volume.beta.kubernetes.io/storage-class"
_IS_DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")


def admitted(things: Iterable[KubernetesObject], created: Iterable[KubernetesObject]) -> Iterator[KubernetesObject]:
    """The objects, those that are new (`created`) as admission would have let them in.

    A pod whose class is not among the objects keeps priority 0, a system class apart.
    """
    things = list(things)
    new = {id(thing) for thing in created}
    classes = [thing for thing in things if isinstance(thing, PriorityClass)]
    values = SYSTEM_PRIORITIES | {each.name: each.value for each in classes}
    values[""] = max((each.value for each in classes if each.global_default), default=0)
    storage = [
        t for t in things if isinstance(t, StorageClass) and any(t.annotations.get(k) == "true" for k in _IS_DEFAULT)
    ]
    for thing in things:
        if id(thing) not in new:
            yield thing
        elif isinstance(thing, Pod) and thing.spec.priority is None and values.get(thing.spec.priority_class_name):
            yield amended(thing, {"spec": {"priority": values[thing.spec.priority_class_name]}})
        elif isinstance(thing, PersistentVolumeClaim) and _lacks_class(thing) and len(storage) == 1:
            yield amended(thing, {"spec": {"storageClassName": storage[0].name}})
        else:
            yield thing


def _lacks_class(claim: PersistentVolumeClaim) -> bool:
    return claim.spec.storage_class_name is None and _OLD_CLASS not in claim.annotations
