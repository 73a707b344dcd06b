"""Opinions counted, and those kept that somebody should read."""

from collections import Counter
from collections.abc import Iterable

from attrs import Factory, define

from oracle.verify.opinion import Opinion, Standing


@define
class Tally:
    """`counts` by standing and by the rule that allows it; `disputed`: refuted, or not decided in time; `excused`.

    `every`: one decision of so many is judged.
    """

    every: int = 1

    counts: Counter[tuple[Standing, str]] = Factory(Counter)
    disputed: list[Opinion] = Factory(list)
    excused: list[Opinion] = Factory(list)

    def add(self, opinions: Iterable[Opinion]) -> None:
        for opinion in opinions:
            self.counts[opinion.standing, opinion.rule] += 1
            if opinion.standing in (Standing.DISAGREES, Standing.UNKNOWN):
                self.disputed.append(opinion)
            elif opinion.standing is Standing.ALLOWED:
                self.excused.append(opinion)

    def __str__(self) -> str:
        """`812 agrees, 3 allowed by v1.15 [E-061]`"""
        told = (
            f"{count} {standing.value}{f' [{rule}]' if rule else ''}"
            for (standing, rule), count in sorted(self.counts.items(), key=lambda each: (each[0][0].value, each[0][1]))
        )
        return ", ".join(told) or "nothing to judge"
