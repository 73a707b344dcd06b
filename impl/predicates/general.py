"""GeneralPredicates and its four parts: resources, host name, host ports, node selector.  [P-043..P-054]"""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from impl.amounts import BASE_RESOURCES
from impl.lanes import Flags, Ints, Lane, Rows
from impl.load import ByLoad
from impl.outcomes import HOST_NAME_NOT_MATCH, HOST_PORTS_TAKEN, INSUFFICIENT, NODE_SELECTOR_NOT_MATCH
from impl.predicates.check import Check, Flagged, Question, Static
from impl.trial import Trial
from model.api.ports import conflicts
from model.api.resources import is_extended
from model.api.selectors import from_map


class PodFitsResources(Flagged):
    """What is used and what the pod asks for must not exceed the allocatable.  [P-044..P-049]"""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        request, table = question.kind.request, question.table
        wanted = {"pods": 1}
        if request.milli_cpu or request.memory or request.ephemeral_storage or request.scalars:
            amounts = (request.milli_cpu, request.memory, request.ephemeral_storage)
            wanted.update(zip(BASE_RESOURCES[1:], amounts, strict=True))
            for name, amount in sorted(request.scalars.items()):
                if not (is_extended(name) and name in question.ignored_resources):
                    wanted[name] = amount
        self.reasons = tuple(INSUFFICIENT + name for name in wanted)
        self._lines = np.array([table.amounts.line(name) for name in wanted])
        self._amounts: Ints = np.array(list(wanted.values()), np.int64)
        self._by_load = ByLoad(table, super().codes)

    def codes(self, rows: Rows) -> Lane:
        return self._by_load.at(rows) if isinstance(rows, int) else super().codes(rows)

    def flags(self, rows: Rows) -> Flags:
        lines, allocatable, used = self._lines, self.table.amounts.allocatable, self.table.amounts.used
        if isinstance(rows, int):
            lacking: Flags = allocatable[lines, rows] < used[lines, rows] + self._amounts
            return lacking
        # Line by line, as numpy is slow at a column of amounts beside rows of others.
        asked = zip(lines.tolist(), self._amounts, strict=True)
        return np.array([allocatable[line, rows] < used[line, rows] + amount for line, amount in asked])

    def flags_at(self, trial: Trial) -> Flags:
        lacking: Flags = (
            self.table.amounts.allocatable[self._lines, trial.row] < trial.used[self._lines] + self._amounts
        )
        return lacking

    def shortage(self, row: int, reason: str) -> dict[str, int]:
        """Requested, used and capacity of the resource that the reason names.  [P-100]"""
        at = self.reasons.index(reason)
        line = self.table.amounts.line(reason.removeprefix(INSUFFICIENT))
        return {
            "requested": int(self._amounts[at]),
            "used": int(self.table.amounts.used[line, row]),
            "capacity": int(self.table.amounts.allocatable[line, row]),
        }


def host_name(question: Question) -> Static | None:
    """[P-050]"""
    name, table = question.pod.spec.node_name, question.table
    if not name:
        return None
    fails = np.ones(len(table.labels.rows), np.bool_)
    if (row := table.row_of.get(name)) is not None:
        fails[row] = False
    return Static.where(question, fails, HOST_NAME_NOT_MATCH)


class PodFitsHostPorts(Flagged):
    """[P-051]"""

    reasons = (HOST_PORTS_TAKEN,)

    def flags(self, rows: Rows) -> Flags:
        if isinstance(rows, int):
            return np.array([self._taken(self.table.ports[rows])])
        return np.array([[self._taken(ports) for ports in self.table.ports[rows]]], np.bool_)

    def flags_at(self, trial: Trial) -> Flags:
        return np.array([self._taken(trial.ports)])

    def _taken(self, used: object) -> bool:
        return bool(used) and any(conflicts(wanted, used) for wanted in self.question.kind.ports)  # type: ignore[arg-type]


def host_ports(question: Question) -> PodFitsHostPorts | None:
    return PodFitsHostPorts(question) if question.kind.ports else None


def match_node_selector(question: Question) -> Static | None:
    """[P-052, P-053]"""
    spec, table = question.pod.spec, question.table
    required = spec.affinity.node_affinity.required if spec.affinity and spec.affinity.node_affinity else None
    if not spec.node_selector and required is None:
        return None
    chosen = table.labels.selected(from_map(spec.node_selector))
    if required is not None:
        names = [*table.name_of, *[None] * (len(chosen) - len(table.name_of))]
        chosen &= table.labels.node_selected(required, names)
    return Static.where(question, ~chosen, NODE_SELECTOR_NOT_MATCH)


class GeneralPredicates(Check):
    """All of them, always, in order."""

    def __init__(self, question: Question, parts: Sequence[Check]) -> None:
        super().__init__(question)
        self._parts = parts

    def codes(self, rows: Rows) -> Lane:
        return reduce(self.outcomes.joined, (part.codes(rows) for part in self._parts))

    def at(self, trial: Trial) -> int:
        return reduce(self.outcomes.joined, (part.at(trial) for part in self._parts))


def general_predicates(question: Question) -> Check:
    """[P-043]"""
    parts = (PodFitsResources(question), host_name(question), host_ports(question), match_node_selector(question))
    asked = [part for part in parts if part is not None]
    return asked[0] if len(asked) == 1 else GeneralPredicates(question, asked)


def pod_fits_resources(question: Question) -> Check:
    return PodFitsResources(question)
