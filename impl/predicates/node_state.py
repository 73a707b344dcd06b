"""Predicates on the node object alone: conditions, unschedulable, taints, pressure, label presence."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from impl.labels import Column
from impl.outcomes import (
    DISK_PRESSURE,
    LABELS_NOT_PRESENT,
    MEMORY_PRESSURE,
    NETWORK_UNAVAILABLE,
    NOT_READY,
    PID_PRESSURE,
    TAINTS_NOT_TOLERATED,
    UNSCHEDULABLE,
)
from impl.predicates.check import Check, Factory, Question, Static
from model.api.objects import Taint
from model.api.resources import is_best_effort
from model.api.tolerations import any_tolerates, tolerates_all

UNSCHEDULABLE_TAINT = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")


def _by_value(question: Question, column: Column, reasons: Callable[[Any], Iterable[str]]) -> Static | None:
    """Work the verdict out once per distinct value."""
    codes = [question.outcomes.code(*reasons(value)) for value in column.values]
    return Static(question, np.array(codes, np.int32)[column.codes]) if any(codes) else None


def check_node_condition(question: Question) -> Check | None:
    """[P-041]"""
    table = question.table

    def reasons(conditions: tuple[tuple[str, str], ...] | None) -> Iterable[str]:
        for type_, status in conditions or ():
            if type_ == "Ready" and status != "True":
                yield NOT_READY
            elif type_ == "NetworkUnavailable" and status != "False":
                yield NETWORK_UNAVAILABLE

    ready = _by_value(question, table.column("conditions"), reasons)
    schedulable = _by_value(question, table.column("unschedulable"), lambda value: (UNSCHEDULABLE,) if value else ())
    if ready is None or schedulable is None:
        return ready or schedulable
    everything = slice(None)
    return Static(question, question.outcomes.joined(ready.codes(everything), schedulable.codes(everything)))


def check_node_unschedulable(question: Question) -> Check | None:
    """[P-042]"""
    if any_tolerates(question.pod.spec.tolerations, UNSCHEDULABLE_TAINT):
        return None
    return _by_value(question, question.table.column("unschedulable"), lambda value: (UNSCHEDULABLE,) if value else ())


def _tolerates(*effects: str) -> Factory:
    def factory(question: Question) -> Check | None:
        tolerations = question.pod.spec.tolerations

        def reasons(taints: tuple[Taint, ...] | None) -> Iterable[str]:
            if not tolerates_all(tolerations, taints or (), lambda taint: taint.effect in effects):
                yield TAINTS_NOT_TOLERATED

        return _by_value(question, question.table.column("taints"), reasons)

    return factory


pod_tolerates_node_taints = _tolerates("NoSchedule", "NoExecute")
"""[P-056]"""
pod_tolerates_node_no_execute_taints = _tolerates("NoExecute")
"""[P-058]"""


def _pressure(position: int, reason: str) -> Factory:
    def factory(question: Question) -> Check | None:
        return _by_value(
            question,
            question.table.pressures,
            lambda statuses: (reason,) if statuses and statuses[position] == "True" else (),
        )

    return factory


def check_node_memory_pressure(question: Question) -> Check | None:
    """Only best-effort pods mind.  [P-084]"""
    return _pressure(0, MEMORY_PRESSURE)(question) if is_best_effort(question.pod) else None


check_node_disk_pressure = _pressure(1, DISK_PRESSURE)
"""[P-085]"""
check_node_pid_pressure = _pressure(2, PID_PRESSURE)
"""[P-086]"""


def check_node_label_presence(labels: Iterable[str], presence: bool) -> Factory:
    """[P-059]"""

    def factory(question: Question) -> Check | None:
        columns = question.table.labels
        fails = np.zeros(len(columns.rows), np.bool_)
        for label in labels:
            fails |= (columns.column(label).codes > 0) != presence
        return Static.where(question, fails, LABELS_NOT_PRESENT)

    return factory
