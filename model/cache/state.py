"""What the scheduler cache consists of, and how an aggregate in it changes.  [C-001..C-004, C-011, C-040]"""

from collections.abc import Mapping

from attrs import Factory, evolve, frozen

from model.api.clock import Instant
from model.api.objects import Pod
from model.cache.images import Images
from model.cache.node_tree import NodeTree
from model.node_info import NO_UID, NodeInfo, NodeInfoError, add_pod, remove_pod
from model.quirks import EVERY, Quirks
from model.rules import declare, rule

ASSUMED_POD_TTL_MS = 30_000
CLEANUP_PERIOD_MS = 1_000

declare("C-002", "An assumed pod lives 30 s after its binding finished; expiry is looked for every second", __name__)


class CacheError(Exception):
    """An operation the cache refused; the message is kube-scheduler's.  [C-012..C-022, C-032]"""


@frozen
class PodState:
    """`deadline`: when an assumed pod expires, known once its binding has finished."""

    pod: Pod
    deadline: Instant | None = None
    binding_finished: bool = False


declare("C-001", "Pods by UID, the assumed ones, aggregates by node name, the node tree, and the images", __name__)


@frozen
class Cache:
    """`nodes`: the longest unchanged first; `pods` and `assumed` by UID; `generation`: the last one given out."""

    nodes: dict[str, NodeInfo] = Factory(dict)
    pods: Mapping[str, PodState] = Factory(dict)
    assumed: frozenset[str] = frozenset()
    tree: NodeTree = NodeTree()
    images: Images = Factory(dict)
    generation: int = 0

    @property
    def recent(self) -> tuple[str, ...]:
        """Node names, most recently changed first.  [C-040]"""
        return tuple(reversed(self.nodes))


@rule("C-003", "The cache tells pods apart by UID and refuses a pod without one")
@rule("O-013", "A pod's key in the cache is its UID; without one it has none")
def pod_key(pod: Pod) -> str:
    """Raises CacheError.  [O-013]"""
    if not pod.uid:
        raise CacheError(NO_UID)
    return pod.uid


@rule("O-091", "Every change of an aggregate takes the next generation, of one counter for all nodes")
@rule("C-040", "Whatever changed becomes the most recent: descending generation is the order of the last change")
def with_changed(cache: Cache, name: str, info: NodeInfo) -> Cache:
    generation = cache.generation + 1
    others = dict(cache.nodes)
    others.pop(name, None)
    return evolve(cache, nodes={**others, name: evolve(info, generation=generation)}, generation=generation)


def with_remains(cache: Cache, name: str, info: NodeInfo) -> Cache:
    """An aggregate with neither pods nor a node object is dropped, any other is changed.  [C-011, C-032]"""
    if info.pods or info.node:
        return with_changed(cache, name, info)
    others = dict(cache.nodes)
    del others[name]
    return evolve(cache, nodes=others)


@rule("C-011", "A pod is counted on the node it names, which need not exist")
def aggregate_add(cache: Cache, pod: Pod, quirks: Quirks = EVERY) -> Cache:
    name = aggregate_name(pod)
    return with_changed(cache, name, add_pod(cache.nodes.get(name, NodeInfo()), pod, quirks))


def aggregate_remove(cache: Cache, pod: Pod, quirks: Quirks = EVERY) -> Cache:
    """Raises CacheError and Crash.  [C-011]"""
    name = aggregate_name(pod)
    if name not in cache.nodes:
        raise CacheError(f"node {name} is not found")
    try:
        return with_remains(cache, name, remove_pod(cache.nodes[name], pod, quirks))
    except NodeInfoError as error:
        raise CacheError(str(error)) from None


@rule("C-004", "The empty name is a node name like any other")
def aggregate_name(pod: Pod) -> str:
    return pod.spec.node_name
