"""Nodes that come, change and go.  [C-030..C-034, C-053]"""

from attrs import evolve

from model.api.objects import Node
from model.cache import node_tree
from model.cache.images import add_node_images, recounted, remove_node_images
from model.cache.node_tree import NodeTree
from model.cache.state import Cache, CacheError, with_changed, with_remains
from model.node_info import NodeInfo, set_node
from model.node_info import remove_node as removed_node
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule

quirk("C-033", "Where a removed node is listed, and its images, are read off the object given, not the one kept")
quirk("C-053", "A node does not learn that other nodes hold its images until its own object changes")

declare("C-034", "An aggregate may hold pods before its node is known, and after it is gone", __name__)


@rule("C-030", "A node that came is listed last in its zone and enters its images; it takes over pods counted before")
def add_node(cache: Cache, node: Node, quirks: Quirks = EVERY) -> Cache:
    """AddNode."""
    return _with_node(cache, node, node_tree.add(cache.tree, node, quirks), quirks)


@rule("C-031", "A node that changed is treated as one that came, but moves in the tree only when its zone changed")
def update_node(cache: Cache, old: Node | None, new: Node, quirks: Quirks = EVERY) -> Cache:
    """UpdateNode.  Raises Crash."""
    return _with_node(cache, new, node_tree.update(cache.tree, old, new, quirks), quirks)


@clause("C-053", "How many nodes hold an image a node learns from its own changes only")
def _with_node(cache: Cache, node: Node, tree: NodeTree, quirks: Quirks) -> Cache:
    info = cache.nodes.get(node.name, NodeInfo())
    images = remove_node_images(cache.images, info.node) if info.node else cache.images
    images, states = add_node_images(images, node)
    if any(state.num_nodes > 1 for state in states.values()):
        reached("C-053")
    known = evolve(set_node(info, node, quirks), image_states=states)
    return _told(evolve(with_changed(cache, node.name, known), tree=tree, images=images), quirks)


@rule("C-032", "A node that went leaves the tree and its images; while it has pods its aggregate stays")
@clause("C-033", "An object given without the labels and images of the node leaves tree and image entries behind")
def remove_node(cache: Cache, node: Node, quirks: Quirks = EVERY) -> Cache:
    """RemoveNode.  Raises CacheError."""
    if node.name not in cache.nodes:
        raise CacheError(f"node {node.name} is not found")
    info = cache.nodes[node.name]
    if info.node and info.node != node:
        reached("C-033")
        if "C-033" not in quirks:
            node = info.node
    remaining = with_remains(cache, node.name, removed_node(info))
    tree, images = node_tree.without(cache.tree, node, quirks), remove_node_images(cache.images, node)
    return _told(evolve(remaining, tree=tree, images=images), quirks)


def _told(cache: Cache, quirks: Quirks) -> Cache:
    """Without C-053, every node learns at once how many nodes hold its images."""
    if "C-053" in quirks:
        return cache
    for name, info in cache.nodes.items():
        states = recounted(cache.images, info.image_states)
        if states != info.image_states:
            cache = with_changed(cache, name, evolve(info, image_states=states))
    return cache
