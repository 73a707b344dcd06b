"""The surprising rules of v1.15.3, each a switch by its rule ID.

A module that knows a quirk registers it beside the code that asks `"P-048" in quirks`.  With the quirk
taken out the code does what a reader of the documentation would expect.
"""

from collections.abc import Container

from attrs import frozen


@frozen
class Quirk:
    """`mended`: the release that changed it, "" where none of 1.15 did."""

    id: str
    statement: str
    mended: str = ""


QUIRKS: dict[str, Quirk] = {}


def quirk(rule_id: str, statement: str, mended: str = "") -> None:
    """Register a switch; call it at module level, next to the code it switches."""
    QUIRKS[rule_id] = Quirk(rule_id, statement, mended)


class _Every:
    def __contains__(self, _: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "EVERY"


Quirks = Container[str]
EVERY: Quirks = _Every()
"""All quirks: v1.15.3 as it is."""


@frozen
class Without:
    """All quirks but these."""

    ids: frozenset[str]

    def __contains__(self, rule_id: object) -> bool:
        return rule_id not in self.ids
