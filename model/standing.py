"""A standing cluster, as a scheduler that has just taken it in sees it."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from model.api.clock import Instant
from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.objects import AnyObject, Pod
from model.cache.node_tree import NodeTree, take
from model.cache.nodes import add_node, update_node
from model.cache.pods import add_pod
from model.cache.snapshot import Snapshot, take_snapshot
from model.cache.state import Cache
from model.node_info import NodeInfo
from model.queue import add, nominate
from model.queue.state import Queue
from model.quirks import EVERY, Quirks
from model.rules import rule
from model.world import World

START = Instant(0)


@frozen
class Standing:
    """What an attempt needs besides the pod: the stores, the snapshot by node name, and the node tree."""

    world: World
    snapshot: Mapping[str, NodeInfo]
    tree: NodeTree


def standing(situation: Situation, quirks: Quirks = EVERY) -> Standing:
    """Nodes in listed order, once more as updates if asked for, then pods; earlier cycles have moved the tree on."""
    cache = filled_cache(situation.cluster, situation.resync_nodes, quirks)
    queue = filled_queue(situation.cluster.pods, situation.pod, quirks)
    world = world_of(situation.cluster, cache, queue)
    tree = cache.tree
    tree, _ = take(tree, situation.node_tree_skip)
    return Standing(world, take_snapshot(Snapshot(), cache, quirks).nodes, tree)


def filled_cache(cluster: Cluster, resync_nodes: bool, quirks: Quirks) -> Cache:
    """Holds the pods that have a node and are not finished."""
    cache = Cache()
    for node in cluster.nodes:
        cache = add_node(cache, node, quirks)
    if resync_nodes:
        for node in cluster.nodes:
            cache = update_node(cache, node, node, quirks)
    for pod in unfinished(cluster.pods):
        if pod.spec.node_name:
            cache = add_pod(cache, pod, quirks)
    return cache


def filled_queue(pods: Iterable[Pod], about: Pod, quirks: Quirks) -> Queue:
    """Holds the other waiting pods; of the pod itself, taken out already, the nomination stays."""
    queue = Queue()
    for pod in unfinished(pods):
        if not pod.spec.node_name:
            queue = add(queue, pod, START, quirks)
    return nominate(queue, about, "")


@rule("L-020", "A pod that has ended is not watched: it is never seen, or seen to go")
def unfinished(pods: Iterable[Pod]) -> Iterable[Pod]:
    """The scheduler watches no pod that has ended.  [L-020]"""
    return (pod for pod in pods if pod.status.phase not in ("Succeeded", "Failed"))


def world_of(cluster: Cluster, cache: Cache, queue: Queue) -> World:
    """The volume binder has assumed nothing yet."""
    volumes = by_key(cluster.persistent_volumes)
    claims = by_key(cluster.persistent_volume_claims)
    return World(
        nodes=by_key(cluster.nodes),
        services=by_key(cluster.services),
        replication_controllers=by_key(cluster.replication_controllers),
        replica_sets=by_key(cluster.replica_sets),
        stateful_sets=by_key(cluster.stateful_sets),
        volumes=volumes,
        claims=claims,
        classes=by_key(cluster.storage_classes),
        budgets=by_key(cluster.pod_disruption_budgets),
        binder_volumes=volumes,
        binder_claims=claims,
        cached=cache.nodes,
        nominated=queue.nominated_by_node,
    )


def by_key(things: Iterable[AnyObject]) -> Mapping[str, AnyObject]:
    return {thing.key: thing for thing in things}
