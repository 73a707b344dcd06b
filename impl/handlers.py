"""What the scheduler does when objects of the cluster come, change and go.  [L-020..L-043]"""

from contextlib import suppress
from typing import Any

from attrs import frozen

from impl.cache_error import CacheError
from impl.clock import Clock
from impl.surroundings import Surroundings
from model.api.objects import KubernetesObject, Node, Pod, StorageClass

WAKING = {"PersistentVolume", "PersistentVolumeClaim", "Service"}
"""Kinds of which every new or changed object may let any pod fit.  [L-037]"""


@frozen
class Handlers:
    """The event handlers; the first pod handler is the cache's, the second the queue's.  [L-021]"""

    surroundings: Surroundings
    clock: Clock
    scheduler_name: str

    def added(self, thing: KubernetesObject) -> None:
        """Raises Crash."""
        self.surroundings.put(thing)
        if isinstance(thing, Pod):
            if _is_assigned(thing):
                self._assigned_added(thing)
            elif self._is_ours(thing):
                self.surroundings.queue.add(thing, self.clock.read())
        elif isinstance(thing, Node):
            self.surroundings.cache.add_node(thing)
            self._wake_all()
        elif thing.kind in WAKING or (isinstance(thing, StorageClass) and _waits(thing)):
            self._wake_all()

    def updated(self, old: KubernetesObject, new: KubernetesObject) -> None:
        """Raises Crash."""
        self.surroundings.put(new)
        if isinstance(old, Pod) and isinstance(new, Pod):
            self._pod_to_cache(old, new)
            self._pod_to_queue(old, new)
        elif isinstance(old, Node) and isinstance(new, Node):
            self.surroundings.cache.update_node(old, new)
            if not self.surroundings.queue.unschedulable or _may_fit_more(old, new):
                self._wake_all()
        elif new.kind in WAKING:
            self._wake_all()

    def deleted(self, thing: KubernetesObject) -> None:
        """Raises Crash."""
        self.surroundings.drop(thing)
        if isinstance(thing, Pod):
            if _is_assigned(thing):
                self._assigned_deleted(thing)
            elif self._is_ours(thing):
                self._waiting_deleted(thing)
        elif isinstance(thing, Node):
            with suppress(CacheError):
                self.surroundings.cache.remove_node(thing)
        elif thing.kind == "Service":
            self._wake_all()

    # --- pods ---

    def _pod_to_cache(self, old: Pod, new: Pod) -> None:
        """[L-021, L-025..L-027]"""
        if _is_assigned(new):
            if _is_assigned(old):
                with suppress(CacheError):
                    self.surroundings.cache.update_pod(old, new)
                self.surroundings.queue.assigned_pod_added(new, self.clock.read())
            else:
                self._assigned_added(new)
        elif _is_assigned(old):
            self._assigned_deleted(old)

    def _pod_to_queue(self, old: Pod, new: Pod) -> None:
        """[L-021, L-028, L-029, L-032]"""
        was_waiting = not _is_assigned(old) and self._is_ours(old)
        if not _is_assigned(new) and self._is_ours(new):
            if not was_waiting:
                self.surroundings.queue.add(new, self.clock.read())
            elif not self._is_only_assumption(new):
                self.surroundings.queue.update(old, new, self.clock.read())
        elif was_waiting:
            self._waiting_deleted(old)

    def _assigned_added(self, pod: Pod) -> None:
        with suppress(CacheError):
            self.surroundings.cache.add_pod(pod)
        self.surroundings.queue.assigned_pod_added(pod, self.clock.read())

    def _assigned_deleted(self, pod: Pod) -> None:
        with suppress(CacheError):
            self.surroundings.cache.remove_pod(pod)
        self._wake_all()

    def _waiting_deleted(self, pod: Pod) -> None:
        self.surroundings.queue.delete(pod)
        self.surroundings.binder.delete_decisions(pod)

    def _is_ours(self, pod: Pod) -> bool:
        """[O-056]"""
        return pod.spec.scheduler_name == self.scheduler_name

    def _is_only_assumption(self, pod: Pod) -> bool:
        """The cache assumes this very pod, up to its node: the update is no news.  [L-030, L-031]"""
        try:
            if not self.surroundings.cache.is_assumed(pod):
                return False
            return _unplaced(self.surroundings.cache.get_pod(pod)) == _unplaced(pod)
        except CacheError:
            return False

    def _wake_all(self) -> None:
        self.surroundings.queue.move_all_to_active(self.clock.read())


def _is_assigned(pod: Pod) -> bool:
    """[O-056]"""
    return bool(pod.spec.node_name)


def _unplaced(pod: Pod) -> dict[str, Any]:
    return {
        **pod.document,
        "metadata": _without(pod.document, "metadata", "resourceVersion", "annotations"),
        "spec": _without(pod.document, "spec", "nodeName"),
    }


def _without(document: Any, part: str, *fields: str) -> dict[str, Any]:
    return {name: value for name, value in (document.get(part) or {}).items() if name not in fields}


def _waits(storage_class: StorageClass) -> bool:
    """[L-038]"""
    return storage_class.volume_binding_mode == "WaitForFirstConsumer"


def _may_fit_more(old: Node, new: Node) -> bool:
    """A property that decides about pods changed.  [L-043]"""
    return (
        (old.spec.unschedulable and not new.spec.unschedulable)
        or any(_field(old, *path) != _field(new, *path) for path in _DECISIVE)
        or _conditions(old) != _conditions(new)
    )


_DECISIVE = (("status", "allocatable"), ("metadata", "labels"), ("spec", "taints"))


def _field(node: Node, part: str, name: str) -> Any:
    return (node.document.get(part) or {}).get(name)


def _conditions(node: Node) -> dict[str, str]:
    return {condition.type: condition.status for condition in node.status.conditions}
