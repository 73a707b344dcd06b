"""What the scheduler does when pods come, change and go.  [L-021..L-033]

Two filtered handlers listen to pods: the cache's hears of pods that have a node, the queue's of pods that
have none and name this scheduler.
"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from model import queue as q
from model.api.objects import Pod
from model.api.protocol import Added, Deleted, Updated
from model.cache import pods as cached
from model.cache.state import CacheError
from model.loop.state import SchedulerState, at_next_reading
from model.quirks import quirk
from model.rules import clause, declare, reached, rule
from model.semantics import Semantics
from model.volumes.binder import delete_decisions

declare(
    "L-024", "Handlers never compare UIDs: a pod re-created between two observations looks like an update", __name__
)
declare("L-033", "A bound pod enters the cache and leaves the queue by one and the same update", __name__)

quirk("L-032", "A pod deleted while it is being bound keeps its room until the binding fails")
quirk("L-031", "A pod that changes between assumption and binding is scheduled a second time")

PodFilter = Callable[[Pod], bool]


def is_assigned(pod: Pod) -> bool:
    """[O-056]"""
    return pod.spec.node_name != ""


@rule("O-056", "A pod is ours when it names this scheduler, and assigned when it names a node")
def is_unassigned_and_ours(pod: Pod, semantics: Semantics) -> bool:
    return not is_assigned(pod) and pod.spec.scheduler_name == semantics.scheduler_name


@rule("L-021", "A handler hears additions, updates and deletions as they look through its filter")
def seen_through(passes: PodFilter, event: Added | Updated | Deleted) -> tuple[Pod | None, Pod | None]:
    """The pod before and after, None where the filter lets nothing of it through."""
    before = event.old if isinstance(event, Updated) else event.object if isinstance(event, Deleted) else None
    after = event.new if isinstance(event, Updated) else event.object if isinstance(event, Added) else None
    return (
        before if isinstance(before, Pod) and passes(before) else None,
        after if isinstance(after, Pod) and passes(after) else None,
    )


def handle_pod(state: SchedulerState, event: Added | Updated | Deleted, semantics: Semantics) -> SchedulerState:
    """Both handlers, the cache's first.  Raises Crash."""
    for passes, handle in (
        (is_assigned, handle_assigned),
        (lambda pod: is_unassigned_and_ours(pod, semantics), handle_unassigned),
    ):
        state = handle(at_next_reading(state), *seen_through(passes, event), semantics)
    return state


def handle_assigned(state: SchedulerState, old: Pod | None, new: Pod | None, semantics: Semantics) -> SchedulerState:
    if old and new:
        return update_assigned(state, old, new, semantics)
    if new:
        return add_assigned(state, new, semantics)
    return delete_assigned(state, old, semantics) if old else state


def handle_unassigned(state: SchedulerState, old: Pod | None, new: Pod | None, semantics: Semantics) -> SchedulerState:
    if old and new:
        return update_unassigned(state, old, new, semantics)
    if new:
        return add_unassigned(state, new, semantics)
    return delete_unassigned(state, old, semantics) if old else state


# --- the cache's handler ---


@rule("L-025", "An assigned pod enters the cache and wakes the pods that want it near")
def add_assigned(state: SchedulerState, pod: Pod, semantics: Semantics) -> SchedulerState:
    cache = unless_refused(cached.add_pod, state, pod, semantics.quirks)
    return evolve(state, cache=cache, queue=q.assigned_pod_added(state.queue, pod, state.now, semantics.quirks))


@rule("L-026", "An assigned pod that changed changes in the cache and wakes the pods that want it near")
def update_assigned(state: SchedulerState, old: Pod, new: Pod, semantics: Semantics) -> SchedulerState:
    cache = unless_refused(cached.update_pod, state, old, new, semantics.quirks)
    return evolve(state, cache=cache, queue=q.assigned_pod_updated(state.queue, new, state.now, semantics.quirks))


@rule("L-027", "An assigned pod that went leaves the cache, and every unschedulable pod may be tried again")
def delete_assigned(state: SchedulerState, pod: Pod, semantics: Semantics) -> SchedulerState:
    cache = unless_refused(cached.remove_pod, state, pod, semantics.quirks)
    return evolve(state, cache=cache, queue=q.move_all_to_active(state.queue, state.now, semantics.quirks))


def unless_refused(operation: Callable[..., Any], state: SchedulerState, *arguments: Any) -> Any:
    """The cache after the operation; what it refuses is only logged."""
    try:
        return operation(state.cache, *arguments)
    except CacheError:
        reached("cache: refused")
        return state.cache


# --- the queue's handler ---


@rule("L-028", "A pod without a node enters the queue")
def add_unassigned(state: SchedulerState, pod: Pod, semantics: Semantics) -> SchedulerState:
    return evolve(state, queue=q.add(state.queue, pod, state.now, semantics.quirks))


@rule("L-029", "A pod without a node that changed changes in the queue, unless the change is the scheduler's own")
@clause("L-031", "A change of an assumed pod that is not skipped puts it into the active queue a second time")
def update_unassigned(state: SchedulerState, old: Pod, new: Pod, semantics: Semantics) -> SchedulerState:
    if skip_pod_update(state, new):
        return state
    if new.uid in state.cache.assumed:
        reached("L-031")
        if not semantics.has("L-031"):
            return state
    return evolve(state, queue=q.update(state.queue, old, new, state.now, semantics.quirks))


@rule("L-030", "An update of an assumed pod is skipped when only version, node name or annotations differ")
def skip_pod_update(state: SchedulerState, pod: Pod) -> bool:
    if not pod.uid or pod.uid not in state.cache.assumed:
        return False
    return _comparable(state.cache.pods[pod.uid].pod) == _comparable(pod)


def _comparable(pod: Pod) -> Mapping[str, Any]:
    document = pod.document
    ignored = {"metadata": ("resourceVersion", "annotations"), "spec": ("nodeName",)}
    kept = {
        part: {name: value for name, value in (document.get(part) or {}).items() if name not in names}
        for part, names in ignored.items()
    }
    return {**document, **kept}


@rule(
    "L-032", "A pod that went, or that now has a node or another scheduler, leaves the queue with its volume decisions"
)
def delete_unassigned(state: SchedulerState, pod: Pod, semantics: Semantics) -> SchedulerState:
    if not semantics.has("L-032") and pod.uid in state.cache.assumed:
        assumed = state.cache.pods[pod.uid].pod
        state = evolve(state, cache=unless_refused(cached.forget_pod, state, assumed, semantics.quirks))
    return evolve(
        state,
        queue=q.delete(state.queue, pod, semantics.quirks),
        binder=delete_decisions(state.binder, pod),
    )
