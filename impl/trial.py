"""A node as it would be with some of its pods gone or others added; the table stays as it is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from impl.pod_kind import PodKind
from impl.table import Table
from model.api.objects import Node, Pod
from model.api.ports import HostPort

if TYPE_CHECKING:
    from impl.predicates.check import Check


class Trial:
    """One row to play with.  `watchers` are told of every pod that goes or comes; `notes` are theirs."""

    def __init__(self, table: Table, row: int, watchers: Sequence["Check"] = ()) -> None:
        self.table = table
        self.row = row
        self.used = table.amounts.used[:, row].copy()
        self.pods = list(table.pods[row])
        self.kinds = list(table.kinds_of_row[row])
        self.ports: set[HostPort] | frozenset[HostPort] = table.ports[row]
        self.notes: dict[Check, Any] = {}
        self._watchers = watchers
        for watcher in watchers:
            watcher.start(self)

    def copy(self) -> "Trial":
        """Another one in the same state."""
        copy = Trial(self.table, self.row)
        copy.used, copy.ports = self.used.copy(), self.ports
        copy.pods, copy.kinds = list(self.pods), list(self.kinds)
        copy.notes = {check: note.copy() for check, note in self.notes.items()}
        copy._watchers = self._watchers
        return copy

    @property
    def node(self) -> Node:
        node = self.table.nodes[self.row]
        assert node is not None
        return node

    def remove(self, pod: Pod, kind: PodKind) -> None:
        """`pod`: one of `pods`.  [E-020]"""
        at = -1 if self.pods[-1] is pod else next(at for at, held in enumerate(self.pods) if held is pod)
        self.pods[at], self.kinds[at] = self.pods[-1], self.kinds[-1]
        self.pods.pop()
        self.kinds.pop()
        self.used -= self.table.amounts.of(kind)
        if kind.ports:
            self.ports = self.ports.difference(kind.ports)
        for watcher in self._watchers:
            watcher.removed(self, pod, kind)

    def add(self, pod: Pod, kind: PodKind) -> None:
        """[E-020, P-021]"""
        self.pods.append(pod)
        self.kinds.append(kind)
        amounts = self.table.amounts.of(kind)
        if len(amounts) > len(self.used):
            self.used = np.concatenate((self.used, np.zeros(len(amounts) - len(self.used), np.int64)))
        self.used += amounts
        if kind.ports:
            self.ports = self.ports.union(kind.ports)
        for watcher in self._watchers:
            watcher.added(self, pod, kind)
