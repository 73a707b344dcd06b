"""The scheduling queue: which pod is tried next, and which ones wait for what.  [Q-001..Q-082]"""

from model.queue.moves import (
    assigned_pod_added,
    assigned_pod_updated,
    flush_backoff,
    flush_leftover,
    move_all_to_active,
    move_pods,
)
from model.queue.operations import (
    add,
    add_if_not_present,
    add_unschedulable_if_not_present,
    close,
    delete,
    delete_nominated,
    nominate,
    num_unschedulable_pods,
    pending_pods,
    pop,
    update,
)
from model.queue.state import Entry, Queue, QueueError

__all__ = [
    "Entry",
    "Queue",
    "QueueError",
    "add",
    "add_if_not_present",
    "add_unschedulable_if_not_present",
    "assigned_pod_added",
    "assigned_pod_updated",
    "close",
    "delete",
    "delete_nominated",
    "flush_backoff",
    "flush_leftover",
    "move_all_to_active",
    "move_pods",
    "nominate",
    "num_unschedulable_pods",
    "pending_pods",
    "pop",
    "update",
]
