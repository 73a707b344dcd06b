"""A standing cluster taken in, as the scheduler would know it.  [C-053, A-014]"""

from impl.surroundings import Surroundings
from model.api.clock import Instant
from model.api.components import Situation
from model.api.objects import Node, Pod

FINISHED = {"Succeeded", "Failed"}
"""Phases of pods that the informer does not deliver.  [L-020]"""


def surroundings(situation: Situation) -> Surroundings:
    """Everything but nodes and pods first, then nodes, then pods, each in listed order."""
    known = Surroundings()
    pods = []
    for thing in situation.cluster:
        if isinstance(thing, Pod):
            pods.append(thing)
            continue
        known.put(thing)
        if isinstance(thing, Node):
            known.cache.add_node(thing)
    if situation.resync_nodes:
        for node in situation.cluster.nodes:
            known.cache.update_node(node, node)
    for pod in pods:
        if pod.status.phase in FINISHED:
            continue
        if pod.spec.node_name:
            known.cache.add_pod(pod)
        else:
            known.queue.add(pod, Instant(0))
    known.queue.nominations.add(situation.pod)
    known.cache.tree.advance(situation.node_tree_skip)
    return known
