"""The cluster that is served: its objects, its past, and what the scheduler did to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from time import monotonic

from attrs import evolve

from model.api.objects import KubernetesObject, Pod
from model.api.protocol import ApiError
from oracle.environment.kubelet import start_bound_pods
from oracle.environment.server import Server
from oracle.environment.store import Store
from oracle.environment.volume_controller import bind_claims
from oracle.live.deeds import Deed
from oracle.live.documents import Documents
from oracle.live.history import History

MOST_DEEDS = 100_000
"""Requests that a scheduler may make about pods before it counts as flooding the server."""

LINGERING_MS = 200
"""How long a victim that is deleted gracefully stays."""


class World:
    """Used by several threads; who reads more than one thing, or writes, holds `lock` (`writing` does).

    Kubelets and the PV controller act at once.  `graceful`: a running victim lingers for a moment.
    """

    def __init__(self) -> None:
        self.lock = RLock()
        self.history = History()
        self.server = Server(Store(self.history))
        self.documents = Documents()
        self.deeds: list[Deed] = []
        self.graceful = False
        self.flooded = False
        self.watched: set[str] = set()
        """Kinds that some client has watched."""
        self._start = self._active = monotonic()
        self._going: dict[str, tuple[str, int]] = {}
        """Pods on their way out: uid, and when it will be over (ms)."""

    @property
    def now(self) -> int:
        """Milliseconds since the server started."""
        return int((monotonic() - self._start) * 1000)

    @property
    def revision(self) -> int:
        return self.history.revision

    @property
    def idle(self) -> float:
        """Seconds since something happened."""
        return monotonic() - self._active

    def pods(self) -> list[Pod]:
        with self.lock:
            return [pod for pod in self.server.store.all("Pod") if isinstance(pod, Pod)]

    @contextmanager
    def writing(self) -> Iterator[Server]:
        """Let something happen; the kubelets and the controllers follow."""
        with self.lock:
            before = self.revision
            self.server.now = self.now
            yield self.server
            start_bound_pods(self.server)
            bind_claims(self.server)
            if self.revision != before:
                self._active = monotonic()

    def did(self, deed: Deed) -> None:
        """Put on record what the scheduler asked for."""
        self._active = monotonic()
        if len(self.deeds) < MOST_DEEDS:
            self.deeds.append(evolve(deed, when=self.now))
        else:
            self.flooded = True

    @property
    def is_lingering(self) -> bool:
        """Whether somebody is on the way out."""
        return bool(self._going)

    def evict(self, key: str) -> ApiError | None:
        """As the scheduler wants it."""
        return self.delete_pod(key, self.graceful)

    def delete_pod(self, key: str, graceful: bool) -> ApiError | None:
        with self.writing() as server:
            refused = server.delete("Pod", key, graceful)
            left = server.store.get("Pod", key)
            if left is not None:
                self._going.setdefault(key, (left.uid, self.now + LINGERING_MS))
            return refused

    def reap(self) -> None:
        """Pods whose time has come are gone."""
        with self.lock:
            due = [key for key, (_, end) in self._going.items() if end <= self.now]
            for key in due:
                uid, _ = self._going.pop(key)
                pod = self.server.store.get("Pod", key)
                if pod is not None and pod.uid == uid:
                    with self.writing() as server:
                        server.store.remove(pod)

    def clear(self) -> None:
        """Everything goes, pods first and nodes before what they depend on."""
        with self.writing() as server:
            for kind in ("Pod", "Node", *_OTHERS):
                for thing in server.store.all(kind):
                    server.store.remove(thing)
            self._going.clear()

    def create(self, thing: KubernetesObject) -> KubernetesObject | ApiError:
        with self.writing() as server:
            return server.create(thing)


_OTHERS = (
    "PodDisruptionBudget",
    "StatefulSet",
    "ReplicaSet",
    "ReplicationController",
    "Service",
    "PersistentVolumeClaim",
    "PersistentVolume",
    "StorageClass",
    "CSINode",
    "PriorityClass",
)
