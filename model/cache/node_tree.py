"""The order in which nodes are tried: one of each zone in turn.  [C-060..C-071]

The tree keeps its position between scheduling cycles, and a node that comes or goes does not reset it.
"""

from attrs import evolve, frozen

from model.api.objects import Node
from model.api.protocol import NIL_DEREFERENCE, Crash
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule
from model.zones import zone_key

quirk("C-062", "A node may be listed in two zones at once")
quirk(
    "C-064",
    "Updating a node within its zone does not list it; without the old version a node in a zone ends the process",
)
quirk("C-069", "Taking out a node during a pass may skip or repeat others")


class NodeTreeError(Exception):
    """The message is kube-scheduler's.  [C-063]"""


@frozen
class Zone:
    """`last_index`: how many of `names` were given in this pass."""

    key: str
    names: tuple[str, ...] = ()
    last_index: int = 0


declare("A-010", "Nodes are visited zone by zone in turn, in the order of this tree", __name__)
declare("A-011", "The positions stay when nodes come and go", __name__)
declare("A-013", "A round that found every zone exhausted starts again when the next name is asked for", __name__)
declare(
    "C-061",
    "The zones in order of appearance, each with its node names and a position, and a position among zones",
    __name__,
)
declare("C-070", "How many nodes to try goes by num_nodes, which may differ from the nodes that exist", __name__)


@frozen
class NodeTree:
    zones: tuple[Zone, ...] = ()
    zone_index: int = 0
    num_nodes: int = 0


@rule("C-060", 'A node belongs to the zone its region and zone label make, "" without both')
def zone_of(node: Node) -> str:
    return zone_key(node.labels)


@rule("C-062", "A new node goes to the end of its zone, a new zone to the end; listed twice only in different zones")
def add(tree: NodeTree, node: Node, quirks: Quirks = EVERY) -> NodeTree:
    if "C-062" not in quirks:
        tree = _out_of_other_zones(tree, node, quirks)
    at = _zone_at(tree, zone_of(node))
    if at is None:
        zone = Zone(zone_of(node), (node.name,))
        return evolve(tree, zones=(*tree.zones, zone), num_nodes=tree.num_nodes + 1)
    zone = tree.zones[at]
    if node.name in zone.names:
        reached("node tree: listed already")
        return tree
    grown = evolve(zone, names=(*zone.names, node.name))
    return evolve(tree, zones=_replaced(tree.zones, at, grown), num_nodes=tree.num_nodes + 1)


def _out_of_other_zones(tree: NodeTree, node: Node, quirks: Quirks) -> NodeTree:
    for zone in tree.zones:
        if zone.key != zone_of(node) and node.name in zone.names:
            tree = _remove(tree, zone.key, node.name, quirks)
    return tree


@rule("C-063", "A node leaves the zone its labels say; an empty zone goes; no position is adjusted")
def remove(tree: NodeTree, node: Node, quirks: Quirks = EVERY) -> NodeTree:
    """Raises NodeTreeError."""
    return _remove(tree, zone_of(node), node.name, quirks)


def _remove(tree: NodeTree, key: str, name: str, quirks: Quirks) -> NodeTree:
    at = _zone_at(tree, key)
    if at is None or name not in tree.zones[at].names:
        raise NodeTreeError(f"node {name} in group {key} was not found")
    smaller = _smaller(tree.zones[at], name, quirks)
    zones = _replaced(tree.zones, at, smaller) if smaller.names else tree.zones[:at] + tree.zones[at + 1 :]
    position = tree.zone_index
    if "C-069" not in quirks and not smaller.names and at < position:
        position -= 1
    return NodeTree(zones, position, tree.num_nodes - 1)


@clause("C-069", "A node taken out during a pass shifts those behind it under the positions")
def _smaller(zone: Zone, name: str, quirks: Quirks) -> Zone:
    at = zone.names.index(name)
    names = zone.names[:at] + zone.names[at + 1 :]
    if at >= zone.last_index:
        return evolve(zone, names=names)
    reached("C-069")
    return evolve(zone, names=names, last_index=zone.last_index if "C-069" in quirks else zone.last_index - 1)


@rule("C-064", "Only a change of zone matters: the node leaves the old one and goes to the end of the new one")
def update(tree: NodeTree, old: Node | None, new: Node, quirks: Quirks = EVERY) -> NodeTree:
    """Raises Crash."""
    if "C-064" not in quirks and (old is None or zone_of(old) == zone_of(new)):
        return add(tree, new, quirks)
    if (zone_of(old) if old else "") == zone_of(new):
        return tree
    if old is None:
        raise Crash(NIL_DEREFERENCE)
    reached("node tree: changed zone")
    return add(without(tree, old, quirks), new, quirks)


def without(tree: NodeTree, node: Node, quirks: Quirks = EVERY) -> NodeTree:
    """The tree with the node removed, or as it is when the node is not where its labels say."""
    try:
        return remove(tree, node, quirks)
    except NodeTreeError:
        return tree


@rule("C-066", "The next node of the next zone that has one left in this pass; when none has, a new pass begins")
@clause("C-065", "A pass starts at the first node of the first zone")
@clause("C-067", "A pass takes one node of each zone in turn and skips zones that are used up")
@clause("C-068", "The position stays: what asks next continues where the last one stopped")
@clause("C-071", "Asked by many at once, the tree gives the names it would give to one")
def take(tree: NodeTree, count: int) -> tuple[NodeTree, tuple[str, ...]]:
    """The tree, moved on, and the next `count` names; an empty tree gives "" whenever it is asked."""
    if not tree.zones:
        return tree, ("",) * count
    zones, at = tree.zones, tree.zone_index
    given = [zone.last_index for zone in zones]
    if any(given):
        reached("C-068")
    if count > 1:
        reached("C-071")
    names: list[str] = []
    used_up = 0
    while len(names) < count:
        at = at if at < len(zones) else 0
        if given[at] < len(zones[at].names):
            names.append(zones[at].names[given[at]])
            given[at] += 1
            used_up = 0
        else:
            reached("C-067")
            used_up += 1
        at += 1
        if used_up >= len(zones):
            reached("C-065")
            given, at = [0] * len(zones), 0
    moved = tuple(evolve(zone, last_index=index) for zone, index in zip(zones, given, strict=True))
    return NodeTree(moved, at, tree.num_nodes), tuple(names)


def next_node(tree: NodeTree) -> tuple[NodeTree, str]:
    tree, (name,) = take(tree, 1)
    return tree, name


def walk(tree: NodeTree) -> tuple[str, ...]:
    """What a cycle that tries every node would be given from here."""
    return take(tree, tree.num_nodes)[1]


def _zone_at(tree: NodeTree, key: str) -> int | None:
    return next((at for at, zone in enumerate(tree.zones) if zone.key == key), None)


def _replaced(zones: tuple[Zone, ...], at: int, zone: Zone) -> tuple[Zone, ...]:
    return (*zones[:at], zone, *zones[at + 1 :])
