"""Node labels as columns: per key, the code of each row's value.  Code 0 means that the label is absent."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from impl.lanes import Flags, Ints
from model.api.objects import NodeSelector, Requirement
from model.api.selectors import Selector, SelectorError, fields_match, node_requirements, requirement_matches


class Column:
    """Any property of nodes, coded; equal values share a code.  `version` counts changes."""

    def __init__(self, capacity: int) -> None:
        self.codes: Ints = np.zeros(capacity, np.int64)
        self.values: list[Any] = [None]
        self.version = 0
        self._code_of: dict[Any, int] = {None: 0}

    def code(self, value: Any) -> int:
        """The code of a value; a new one for a value never seen."""
        code = self._code_of.get(value)
        if code is None:
            code = self._code_of[value] = len(self.values)
            self.values.append(value)
            self.version += 1
        return code

    def known(self, value: Any) -> int | None:
        return self._code_of.get(value)

    def put(self, row: int, value: Any) -> bool:
        """Whether that changed anything."""
        code = self.code(value)
        if self.codes.item(row) == code:
            return False
        self.codes[row] = code
        self.version += 1
        return True

    def fill(self, values: Sequence[Any]) -> None:
        """From the first row on."""
        for value in dict.fromkeys(values):
            self.code(value)
        self.codes[: len(values)] = list(map(self._code_of.__getitem__, values))

    def grow(self, capacity: int) -> None:
        self.codes = np.concatenate((self.codes, np.zeros(capacity - len(self.codes), np.int64)))


class LabelColumns:
    """The labels of all rows; a key becomes a column when somebody asks for it."""

    def __init__(self, capacity: int) -> None:
        self.rows: list[Mapping[str, str]] = [{} for _ in range(capacity)]
        self._columns: dict[str, Column] = {}

    def column(self, key: str) -> Column:
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = Column(len(self.rows))
            column.fill([labels.get(key) for labels in self.rows])
        return column

    def put(self, row: int, labels: Mapping[str, str]) -> bool:
        """Whether the labels differ from those before."""
        if self.rows[row] == labels:
            return False
        self.rows[row] = labels
        for key, column in self._columns.items():
            column.put(row, labels.get(key))
        return True

    def grow(self, capacity: int) -> None:
        self.rows += [{}] * (capacity - len(self.rows))
        for column in self._columns.values():
            column.grow(capacity)

    def where(self, requirement: Requirement) -> Flags:
        """The rows whose labels satisfy one requirement.  [O-064]"""
        column = self.column(requirement.key)
        match requirement.operator:
            case "In" | "NotIn":
                found = np.zeros(len(column.values), np.bool_)
                found[[code for value in requirement.values if (code := column.known(value)) is not None]] = True
                chosen = found if requirement.operator == "In" else ~found
            case "Exists" | "DoesNotExist":
                chosen = np.full(len(column.values), requirement.operator == "Exists")
                chosen[0] = not chosen[0]
            case _:
                chosen = np.array(
                    [requirement_matches(requirement, {} if v is None else {requirement.key: v}) for v in column.values]
                )
        rows: Flags = chosen[column.codes]
        return rows

    def selected(self, selector: Selector) -> Flags:
        """The rows that a selector matches.  [O-066]"""
        rows = np.full(len(self.rows), not selector.nothing)
        for requirement in selector.requirements:
            rows &= self.where(requirement)
        return rows

    def node_selected(self, selector: NodeSelector, names: Iterable[str | None]) -> Flags:
        """The rows that some term matches; a term that cannot be built matches nothing.  [P-053]"""
        rows = np.zeros(len(self.rows), np.bool_)
        for term in selector.node_selector_terms:
            if not term.match_expressions and not term.match_fields:
                continue
            try:
                found = (
                    self.selected(node_requirements(term.match_expressions))
                    if term.match_expressions
                    else np.ones(len(self.rows), np.bool_)
                )
            except SelectorError:
                continue
            if term.match_fields:
                found &= [fields_match(term.match_fields, {"metadata.name": name or ""}) for name in names]
            rows |= found
        return rows
