"""Everything the algorithm looks at besides the pod."""

from attrs import define, field

from impl.cache import Cache
from impl.queue import Queue
from impl.stores import Stores
from impl.volumes import VolumeBinder
from model.api.objects import KubernetesObject, PersistentVolume, PersistentVolumeClaim


@define
class Surroundings:
    """The live state of one scheduler; its parts change in place."""

    cache: Cache = field(factory=Cache)
    stores: Stores = field(factory=Stores)
    queue: Queue = field(factory=Queue)
    binder: VolumeBinder = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.binder = VolumeBinder(self.stores)

    def put(self, thing: KubernetesObject) -> None:
        """An informer has it: the store first, then the binder's own view.  [V-002]"""
        self.stores.put(thing)
        if isinstance(thing, PersistentVolume):
            self.binder.volumes.put(thing)
        elif isinstance(thing, PersistentVolumeClaim):
            self.binder.claims.put(thing)

    def drop(self, thing: KubernetesObject) -> None:
        """An informer lost it."""
        self.stores.drop(thing)
        if isinstance(thing, PersistentVolume):
            self.binder.volumes.drop(thing)
        elif isinstance(thing, PersistentVolumeClaim):
            self.binder.claims.drop(thing)
