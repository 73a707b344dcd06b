"""Faults of the loop around the algorithm: event handlers, requeueing, assuming, binding, evicting."""

from oracle.mutants import Mutant

LOOP = (
    Mutant(
        "B11",
        "Mended: the deletion of a node wakes all pods",
        "impl.handlers:Handlers.deleted",
        "self.surroundings.cache.remove_node(thing)",
        "self._wake_all()\n                self.surroundings.cache.remove_node(thing)",
        ("L-036",),
    ),
    Mutant(
        "B16-bind",
        "A pod whose binding failed is not queued again",
        "impl.binding:Bindings._finish",
        'self._failures.record(pod, error, SCHEDULER_ERROR, f"Binding rejected: {error}", api)',
        "return",
        ("L-097",),
    ),
    Mutant(
        "B17",
        "A pod that has a node by now is queued again",
        "impl.requeue:Requeue._attempt",
        "elif not stored.spec.node_name:",
        "else:",
        ("L-053",),
    ),
    Mutant(
        "B19-finalizers",
        "Mended: a new finalizer of an assumed pod is no news",
        "impl.handlers:_unplaced",
        '"metadata", "resourceVersion", "annotations"',
        '"metadata", "resourceVersion", "annotations", "finalizers"',
        ("L-031",),
    ),
    Mutant(
        "B19-status",
        "Mended: a new status of an assumed pod is no news",
        "impl.handlers:_unplaced",
        "**pod.document,",
        '**{**pod.document, "status": None},',
        ("L-031",),
    ),
    Mutant(
        "B20",
        "The addition of a pod is missed after every third cycle",
        "impl.handlers:Handlers.added",
        "elif self._is_ours(thing):",
        "elif self._is_ours(thing) and self.surroundings.queue.cycle % 3 != 2:",
        ("L-028",),
    ),
    Mutant(
        "B23-gone",
        "A preemptor that is gone is nominated all the same",
        "impl.preempting:preempt",
        "if isinstance(preemptor, ApiError):\n        return",
        "if isinstance(preemptor, ApiError):\n        preemptor = pod",
        ("L-110",),
    ),
    Mutant(
        "B38",
        "Mended: when a victim cannot be deleted, the others are",
        "impl.preempting:_evict",
        "if api.call(DeletePod(victim)) is not None:\n            return False",
        "if api.call(DeletePod(victim)) is not None:\n            continue",
        ("L-110",),
    ),
    Mutant(
        "B58-skip",
        "A failed binding leaves the pod assumed",
        "impl.binding:Bindings._finish",
        "self._forget(pod)",
        "pass",
        ("L-097",),
    ),
    Mutant(
        "B58-other",
        "After a failed binding the pod as it was before the assumption is forgotten",
        "impl.binding:Bindings._forget",
        "self._cache.forget_pod(pod)",
        "from attrs import evolve\n\n            "
        'self._cache.forget_pod(evolve(pod, spec=evolve(pod.spec, node_name="")))',
        ("L-097",),
    ),
    Mutant(
        "B67",
        "A pod is assumed only when no volume is to be bound",
        "impl.cycle:Cycle._place",
        "self.surroundings.cache.assume_pod(assumed)",
        "all_bound and self.surroundings.cache.assume_pod(assumed)",
        ("L-050",),
    ),
    Mutant(
        "B68",
        "Mended: a pod that is deleted while it is being bound is forgotten",
        "impl.handlers:Handlers._waiting_deleted",
        "self.surroundings.queue.delete(pod)",
        "self.surroundings.queue.delete(pod)\n        with suppress(CacheError):\n"
        "            self.surroundings.cache.forget_pod(self.surroundings.cache.get_pod(pod))",
        ("L-032",),
    ),
)
