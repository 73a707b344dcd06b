"""Which rules of the specification a search used, and which outcomes it reached, how often."""

import sys
from collections.abc import Iterator, Mapping
from math import log10

from attrs import frozen

from model.rules import RULES, Rule
from model.unmodelled import load_rules
from oracle.reach import OUTCOMES, why_not

AREAS: Mapping[str, str] = {
    "O": "Objects",
    "Q": "Queue",
    "C": "Cache",
    "L": "Control loop",
    "A": "Algorithm",
    "P": "Predicates",
    "V": "Volumes",
    "S": "Priorities",
    "E": "Preemption",
}
"""By the letter of the rule IDs, in the order of a pod's way."""

HOTTEST = 5


@frozen
class Use:
    """`count` is None for a rule that is a table or a constant and cannot be counted."""

    rule: Rule
    count: int | None

    @property
    def heat(self) -> str:
        """`table`, or 0 for never to 5 for ten thousand times and more."""
        if self.count is None:
            return "table"
        return str(0 if not self.count else min(1 + int(log10(self.count)), HOTTEST))

    @property
    def why_not(self) -> str:
        return why_not(self.rule.id, self.count)


@frozen
class File:
    """A module of the model, and the rules of one area that stand in it."""

    name: str
    uses: tuple[Use, ...]


@frozen
class Area:
    name: str
    files: tuple[File, ...]

    @property
    def countable(self) -> tuple[Use, ...]:
        return tuple(use for file in self.files for use in file.uses if use.count is not None)

    @property
    def used(self) -> int:
        return sum(1 for use in self.countable if use.count)

    @property
    def unused(self) -> tuple[Use, ...]:
        return tuple(use for use in self.countable if not use.count)


@frozen
class Outcome:
    """An outcome worth reaching that is no rule; `sort` is what stands before the colon of its name.

    `why_not`: it cannot be reached.
    """

    sort: str
    name: str
    count: int
    why_not: str


def areas(coverage: Mapping[str, int]) -> Iterator[Area]:
    load_rules()
    for letter, name in AREAS.items():
        files: dict[str, list[Use]] = {}
        for rule_id, rule in sorted(RULES.items()):
            if rule_id.startswith(letter + "-"):
                count = coverage.get(rule_id, 0) if rule.counted else None
                files.setdefault(_module(rule), []).append(Use(rule, count))
        yield Area(name, tuple(File(file, tuple(uses)) for file, uses in sorted(files.items())))


def outcomes(coverage: Mapping[str, int]) -> Iterator[Outcome]:
    for what in sorted({*coverage, *OUTCOMES}):
        if what not in RULES:
            sort, _, name = what.rpartition(": ")
            count = coverage.get(what, 0)
            yield Outcome(sort, name, count, why_not(what, count))


def _module(rule: Rule) -> str:
    parts = rule.where.split(".")
    while len(parts) > 1 and ".".join(parts) not in sys.modules:
        parts.pop()
    return ".".join(parts)
