"""The scheduler cache: what the scheduler believes runs where, its own decisions included.  [C-001..C-071]"""

from model.cache.node_tree import NodeTree, next_node, walk
from model.cache.nodes import add_node, remove_node, update_node
from model.cache.pods import (
    add_pod,
    assume_pod,
    expire,
    finish_binding,
    forget_pod,
    get_pod,
    is_assumed,
    list_pods,
    remove_pod,
    update_pod,
)
from model.cache.snapshot import Snapshot, take_snapshot
from model.cache.state import Cache, CacheError, PodState

__all__ = [
    "Cache",
    "CacheError",
    "NodeTree",
    "PodState",
    "Snapshot",
    "add_node",
    "add_pod",
    "assume_pod",
    "expire",
    "finish_binding",
    "forget_pod",
    "get_pod",
    "is_assumed",
    "list_pods",
    "next_node",
    "remove_node",
    "remove_pod",
    "take_snapshot",
    "update_node",
    "update_pod",
    "walk",
]
