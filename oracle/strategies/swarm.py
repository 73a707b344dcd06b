"""Drawing, with features switched off at random: what a case lacks decides what the rest of it can reach.

A case with every feature in it rarely gets past the first refusal; one with three of them goes deep.
"""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

FEATURES = (
    "affinity",
    "anti-affinity",
    "api-failures",
    "best-effort",
    "big",
    "bind-failures",
    "budgets",
    "claims",
    "conditions",
    "contests",
    "controllers",
    "crowds",
    "disks",
    "during",
    "extended-resources",
    "extenders",
    "finished",
    "foreign-binds",
    "graceful",
    "holds",
    "huge",
    "images",
    "init-containers",
    "invalid",
    "kubelet",
    "late-watches",
    "namespaces",
    "node-affinity",
    "node-churn",
    "node-selectors",
    "nominated",
    "policy",
    "ports",
    "preferences",
    "priorities",
    "restarts",
    "reused-names",
    "services",
    "start-times",
    "taints",
    "terminating",
    "unschedulable",
    "volume-limits",
    "zones",
)


class Draw:
    """A source of choices.  Equal seeds draw equal cases.  `within`: the features there may be, None for all.

    `flaw`: a number that tells what is invalid in this case.
    """

    def __init__(self, random: Random, within: Collection[str] | None = None) -> None:
        self.random = random
        density = random.choice((0.08, 0.15, 0.25, 0.5, 0.9))
        on = {feature: random.random() < density for feature in FEATURES}
        self._within = frozenset(FEATURES if within is None else within)
        self._on = {feature: chosen and feature in self._within for feature, chosen in on.items()}
        self.flaw = int(random.random() * 1000)
        self._serial = 0

    def has(self, feature: str) -> bool:
        """Whether this case may contain it."""
        return self._on[feature]

    def understood(self, *features: str) -> bool:
        """Whether there may be such cases, whatever this one has."""
        return self._within.issuperset(features)

    def chance(self, probability: float, feature: str | None = None) -> bool:
        """Whether to do it this time; never where its feature is off."""
        return (feature is None or self._on[feature]) and self.random.random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self.random.random() * len(choices))]

    def weighted(self, weights: Mapping[T, int]) -> T:
        return self.random.choices(tuple(weights), tuple(weights.values()))[0]

    def some(self, choices: Sequence[T], most: int, least: int = 0) -> list[T]:
        """Different ones, in any order."""
        wanted = min(self.number(least, most), len(choices))
        return self.random.sample(choices, wanted)

    def number(self, lowest: int, highest: int) -> int:
        return lowest + int(self.random.random() * (highest - lowest + 1))

    def serial(self) -> int:
        """A number no other call gives: for UIDs."""
        self._serial += 1
        return self._serial
