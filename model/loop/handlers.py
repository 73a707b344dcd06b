"""What the scheduler does when objects of the cluster come, change and go.  [L-034..L-043]"""

from collections.abc import Mapping

from attrs import evolve

from model import queue as q
from model.api.objects import (
    KubernetesObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Service,
    StorageClass,
)
from model.api.protocol import Added, Deleted, Updated
from model.cache import nodes as cached
from model.loop.pods import handle_pod, unless_refused
from model.loop.state import SchedulerState, at_next_reading
from model.quirks import quirk
from model.rules import clause, declare, reached, rule
from model.semantics import Semantics
from model.volumes.binder import drop, put

Delivery = Added | Updated | Deleted

STORES: Mapping[str, str] = {
    "Node": "nodes",
    "Service": "services",
    "ReplicationController": "replication_controllers",
    "ReplicaSet": "replica_sets",
    "StatefulSet": "stateful_sets",
    "PersistentVolume": "volumes",
    "PersistentVolumeClaim": "claims",
    "StorageClass": "classes",
    "PodDisruptionBudget": "budgets",
}
"""The informer stores of a World by kind; pods are looked up in the cache instead."""

declare("L-041", "Which event wakes which unschedulable pods is the sum of the handlers", __name__)


@clause("L-039", "Controllers and budgets have no handler; their stores are read when needed")
@clause("L-040", "An object of a kind nobody handles is ignored")
def handle(state: SchedulerState, event: Delivery, semantics: Semantics) -> SchedulerState:
    """One delivery of an informer: into its store, then to its handlers in their order.  Raises Crash."""
    thing = event.new if isinstance(event, Updated) else event.object
    state = at_next_reading(stored(state, event, thing))
    match thing:
        case Pod():
            return handle_pod(state, event, semantics)
        case Node():
            return handle_node(state, event, semantics)
        case PersistentVolume() | PersistentVolumeClaim():
            return handle_storage(state, event, thing, semantics)
        case Service():
            return woken(state, semantics)
        case StorageClass():
            return handle_class(state, event, semantics)
    reached("L-039" if thing.kind in STORES else "L-040")
    return state


def stored(state: SchedulerState, event: Delivery, thing: KubernetesObject) -> SchedulerState:
    """The informer's own store with the object as it is now."""
    if thing.kind not in STORES:
        return state
    store = dict(getattr(state.stores, STORES[thing.kind]))
    if isinstance(event, Deleted):
        store.pop(thing.key, None)
    else:
        store[thing.key] = thing
    return evolve(state, stores=evolve(state.stores, **{STORES[thing.kind]: store}))


def woken(state: SchedulerState, semantics: Semantics) -> SchedulerState:
    """Every unschedulable pod may be tried again.  [Q-060]"""
    return evolve(state, queue=q.move_all_to_active(state.queue, state.now, semantics.quirks))


# --- nodes ---


def handle_node(state: SchedulerState, event: Delivery, semantics: Semantics) -> SchedulerState:
    match event:
        case Added(Node() as node):
            return add_node(state, node, semantics)
        case Updated(Node() as old, Node() as new):
            return update_node(state, old, new, semantics)
        case Deleted(Node() as node):
            return delete_node(state, node, semantics)
    return state


@rule("L-034", "A new node enters the cache, and every unschedulable pod may be tried again")
def add_node(state: SchedulerState, node: Node, semantics: Semantics) -> SchedulerState:
    return woken(evolve(state, cache=cached.add_node(state.cache, node, semantics.quirks)), semantics)


@rule("L-035", "A changed node wakes pods when the change may matter, or when there are none to wake")
def update_node(state: SchedulerState, old: Node, new: Node, semantics: Semantics) -> SchedulerState:
    state = evolve(state, cache=cached.update_node(state.cache, old, new, semantics.quirks))
    if q.num_unschedulable_pods(state.queue) == 0 or scheduling_properties_changed(old, new):
        return woken(state, semantics)
    return state


quirk("L-036", "Who could go elsewhere once a node and its topology are gone is not woken")


@rule("L-036", "A node that went leaves the cache and wakes nobody")
def delete_node(state: SchedulerState, node: Node, semantics: Semantics) -> SchedulerState:
    state = evolve(state, cache=unless_refused(cached.remove_node, state, node, semantics.quirks))
    return state if semantics.has("L-036") else woken(state, semantics)


@rule(
    "L-043",
    "A change matters if the node becomes schedulable or its allocatable, labels, taints or condition statuses change",
)
def scheduling_properties_changed(old: Node, new: Node) -> bool:
    became_schedulable = old.spec.unschedulable and not new.spec.unschedulable
    return became_schedulable or _properties(old) != _properties(new)


def _properties(node: Node) -> tuple[object, ...]:
    """Compared as the API wrote them: absent and empty differ, and the order of taints counts.  [O-005]"""
    document = node.document
    return (
        (document.get("status") or {}).get("allocatable"),
        (document.get("metadata") or {}).get("labels"),
        (document.get("spec") or {}).get("taints"),
        {condition.type: condition.status for condition in node.status.conditions},
    )


# --- storage and services ---


@rule("L-037", "A volume, claim or service that came or changed wakes all; only of services also one that went")
def handle_storage(
    state: SchedulerState, event: Delivery, thing: PersistentVolume | PersistentVolumeClaim, semantics: Semantics
) -> SchedulerState:
    """The volume binder listens too, and first.  [V-002]"""
    if isinstance(event, Deleted):
        return evolve(state, binder=drop(state.binder, thing))
    return woken(evolve(state, binder=put(state.binder, thing)), semantics)


@rule("L-038", "Of storage classes only a new one whose claims wait for their pods wakes anybody")
def handle_class(state: SchedulerState, event: Delivery, semantics: Semantics) -> SchedulerState:
    match event:
        case Added(StorageClass(volume_binding_mode="WaitForFirstConsumer")):
            return woken(state, semantics)
    return state
