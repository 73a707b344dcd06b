"""The snapshot of the cache that one scheduling cycle looks at.  [C-041..C-045]"""

from collections.abc import Mapping
from itertools import takewhile

from attrs import Factory, frozen

from model.cache.state import Cache
from model.node_info import NodeInfo
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule

quirk("C-043", "The snapshot keeps a node that is gone while pods remain on it, as it was")

declare("C-044", "Between cycles the snapshot stays as it is: preemption looks at that of the failed cycle", __name__)
declare("C-045", "An aggregate carries no volume counters from one cycle to the next", __name__)
declare("C-041", "One snapshot serves all cycles, brought up to date at the start of each", __name__)


@frozen
class Snapshot:
    """`nodes`: aggregates by node name; `generation`: the highest one the cache had."""

    nodes: Mapping[str, NodeInfo] = Factory(dict)
    generation: int = 0


@rule("C-042", "What changed since is taken over where there is a node object; surplus names go when the sizes differ")
@clause("C-043", "A node that is gone stays as it was while its aggregate has pods, or while the sizes happen to agree")
def take_snapshot(snapshot: Snapshot, cache: Cache, quirks: Quirks = EVERY) -> Snapshot:
    """UpdateNodeInfoSnapshot."""
    if "C-043" not in quirks:
        return Snapshot({name: info for name, info in cache.nodes.items() if info.node}, cache.generation)
    recent_first = reversed(cache.nodes.items())
    changed = dict(takewhile(lambda item: item[1].generation > snapshot.generation, recent_first))
    if any(info.node is None and name in snapshot.nodes for name, info in changed.items()):
        reached("C-043")
    nodes = {**snapshot.nodes, **{name: info for name, info in changed.items() if info.node}}
    if len(nodes) > len(cache.nodes):
        nodes = {name: info for name, info in nodes.items() if name in cache.nodes}
    return Snapshot(nodes, _highest_generation(cache) or snapshot.generation)


def _highest_generation(cache: Cache) -> int:
    """0 for an empty cache."""
    return next(reversed(cache.nodes.values())).generation if cache.nodes else 0
