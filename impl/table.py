"""The snapshot as columns: one row per node, refreshed from the cache at the start of a cycle.  [C-041, C-042]

A row may outlive its node (C-043).  `log` holds the rows that changed, in order; `epoch` moves when a node
object's content or the set of rows changed.  Whoever keeps something per row compares both.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from impl.aggregate import Aggregate
from impl.amounts import Amounts
from impl.labels import Column, LabelColumns
from impl.lanes import Ints
from impl.pair_index import PairIndex
from impl.pod_kind import PodKind, PodKinds
from model.api.avoided_pods import ANNOTATION as AVOIDED_PODS
from model.api.components import ImageState
from model.api.objects import Node, Pod
from model.api.ports import HostPort

ZONE = "failure-domain.beta.kubernetes.io/zone"
REGION = "failure-domain.beta.kubernetes.io/region"
LONGEST_LOG = 65536
ROOM_AT_FIRST = 64
"""Rows; doubled whenever there are more."""


class Table:
    """`log`: the rows that changed, in order; `tick` counts them and grows for ever."""

    def __init__(self, kinds: PodKinds) -> None:
        self.generation = 0
        self.epoch = 0
        self.membership = 0
        """Moves when a row comes or goes."""
        self.log: list[int] = []
        self.tick = 0
        self.row_of: dict[str, int] = {}
        self.name_of: list[str | None] = []
        """As long as there are rows; what follows has room for more."""
        self._places: dict[str, int] = {}
        """Rows kept for names that are to come."""
        self.nodes: list[Node | None] = []
        self.pods: list[list[Pod]] = []
        self.kinds_of_row: list[list[PodKind]] = []
        """Rows where no pod ever was share a list, which stays empty; as for `pods`."""
        self.ports: list[frozenset[HostPort]] = []
        self.images: list[Mapping[str, ImageState]] = []
        capacity = ROOM_AT_FIRST
        self._lengthen(capacity)
        self.with_images = 0
        """Rows whose node has any."""
        self.amounts = Amounts(capacity)
        self.with_affinity: Ints = np.zeros(capacity, np.int64)
        """Pods with affinity constraints on each row."""
        self.labels = LabelColumns(capacity)
        self.pressures = Column(capacity)
        """Memory, disk and PID pressure, as last reported."""
        self._properties: dict[str, Column] = {}
        self.volumes: dict[int, tuple[int, int]] = {}
        """Row -> volumes allocatable and requested, told from outside only.  [S-031]"""
        self.kinds = kinds
        self.pairs = PairIndex(self.labels)
        self._free: list[int] = []

    # --- the cache's view: a snapshot to refresh ---------------------------------------------------

    def names(self) -> Collection[str]:
        return self.row_of.keys()

    def drop(self, name: str) -> None:
        """The row goes, with its pods."""
        row = self.row_of.pop(name)
        self._set_pods(row, [], [])
        self.name_of[row] = self.nodes[row] = None
        self.ports[row] = frozenset()
        self.with_images -= bool(self.images[row])
        self.images[row] = {}
        self.amounts.drop(row)
        self.labels.put(row, {})
        self._free.append(row)
        self.epoch += 1
        self.membership += 1

    def put(self, aggregate: Aggregate) -> None:
        """Take over the aggregate as it is now."""
        row = self.row_of.get(aggregate.name)
        if row is None:
            row = self._new_row(aggregate.name)
        if self.nodes[row] is not aggregate.node or self.images[row] is not aggregate.images:
            self._set_node(row, aggregate)
        self.amounts.put(row, aggregate)
        self.with_affinity[row] = len(aggregate.affinity_pods)
        if self.ports[row] or aggregate.ports:
            self.ports[row] = frozenset(aggregate.ports)
        self._set_pods(row, aggregate.pods, aggregate.kinds)
        if len(self.log) == LONGEST_LOG:
            self.log.clear()
        self.log.append(row)
        self.tick += 1

    def _set_pods(self, row: int, pods: list[Pod], kinds: list[PodKind]) -> None:
        held, held_kinds = self.pods[row], self.kinds_of_row[row]
        kept = len(held)
        if pods and not kept:
            held, held_kinds = self.pods[row], self.kinds_of_row[row] = [], []
        if len(pods) >= kept and (not kept or (pods[0] is held[0] and pods[:kept] == held)):
            for at in range(kept, len(pods)):
                held.append(pods[at])
                held_kinds.append(kinds[at])
                self.pairs.place(row, pods[at], kinds[at])
            return
        before = {id(pod) for pod in held}
        after = {id(pod) for pod in pods}
        for pod, kind in zip(held, held_kinds, strict=True):
            if id(pod) not in after:
                self.pairs.place(row, pod, kind, -1)
        for pod, kind in zip(pods, kinds, strict=True):
            if id(pod) not in before:
                self.pairs.place(row, pod, kind)
        self.pods[row], self.kinds_of_row[row] = list(pods), list(kinds)

    def _set_node(self, row: int, aggregate: Aggregate) -> None:
        node = aggregate.node
        assert node is not None
        self.nodes[row] = node
        changed = self.images[row] != aggregate.images
        if changed:
            self.with_images += bool(aggregate.images) - bool(self.images[row])
        self.images[row] = aggregate.images
        self.amounts.put_allocatable(row, aggregate.allocatable)
        changed |= self.labels.put(row, node.metadata.labels)
        pressures = aggregate.memory_pressure, aggregate.disk_pressure, aggregate.pid_pressure
        changed |= self.pressures.put(row, pressures)
        for name, column in self._properties.items():
            changed |= column.put(row, _PROPERTIES[name](node))
        self.epoch += changed

    # --- the algorithm's view ----------------------------------------------------------------------

    @property
    def rows(self) -> slice:
        """All rows, also those out of use."""
        return slice(0, len(self.name_of))

    def changed_since(self, tick: int) -> Collection[int] | None:
        """The rows that changed, or None when that is no longer known."""
        behind = self.tick - tick
        if behind > len(self.log):
            return None
        if behind == 1:
            return self.log[-1:]
        return set(self.log[-behind:]) if behind else ()

    def column(self, name: str) -> Column:
        """A property of nodes, by its name in `_PROPERTIES`; it becomes a column when somebody asks for it."""
        column = self._properties.get(name)
        if column is None:
            column = self._properties[name] = Column(len(self.with_affinity))
            read = _PROPERTIES[name]
            column.fill([read(node) if node else None for node in self.nodes])
        return column

    # --- room --------------------------------------------------------------------------------------

    def arrange(self, names: Sequence[str]) -> None:
        """Of an empty table: the rows of these, should they come, are to be in this order.

        Whoever then wants the values of rows that follow one another takes a slice.
        """
        while len(self.nodes) < len(names):
            self._double()
        self.name_of = [None] * len(names)
        self._places = dict(zip(names, range(len(names)), strict=True))

    def _new_row(self, name: str) -> int:
        row = self._places.pop(name, None)
        if row is None and self._free:
            row = self._free.pop()
        if row is None:
            row = len(self.name_of)
            if row == len(self.with_affinity):
                self._double()
            self.name_of.append(name)
        else:
            self.name_of[row] = name
        self.row_of[name] = row
        self.epoch += 1
        self.membership += 1
        return row

    def _double(self) -> None:
        self._lengthen(len(self.nodes))
        self.amounts.grow()
        self.with_affinity = np.concatenate((self.with_affinity, np.zeros_like(self.with_affinity)))
        for column in (self.pressures, *self._properties.values()):
            column.grow(len(self.with_affinity))
        self.labels.grow(len(self.with_affinity))
        self.pairs.grow(len(self.with_affinity))

    def _lengthen(self, more: int) -> None:
        self.nodes += [None] * more
        self.pods += [[]] * more
        self.kinds_of_row += [[]] * more
        self.ports += [frozenset()] * more
        self.images += [{}] * more


def _zone(node: Node) -> tuple[str, str] | None:
    """[S-056]"""
    labels = node.metadata.labels
    region, zone = labels.get(REGION, ""), labels.get(ZONE, "")
    return (region, zone) if region or zone else None


_PROPERTIES: Mapping[str, Callable[[Node], Any]] = {
    "zone": _zone,
    "taints": lambda node: node.spec.taints or None,
    "unschedulable": lambda node: node.spec.unschedulable or None,
    "conditions": lambda node: tuple([(c.type, c.status) for c in node.status.conditions]) or None,
    "avoided pods": lambda node: node.annotations.get(AVOIDED_PODS) or None,
}
"""None stands for the absence of what the property is about."""
