"""One claim of a scheduler, and what Z3 makes of it."""

from enum import Enum

from attrs import evolve, frozen


class Standing(Enum):
    AGREES = "proved"
    """Proved."""
    ALLOWED = "allowed by v1.15"
    """Not the best, but what the rule named by the opinion is known to do."""
    DISAGREES = "refuted"
    """Refuted."""
    UNKNOWN = "unknown"
    """Nothing was proved in the time given."""


@frozen
class Opinion:
    """`claim`: what the scheduler says, `sort` in a word or two.  `rule`: why it is allowed.  `says`: the evidence.

    `step`: index of the event after which it said so, None for a single decision.
    """

    claim: str
    standing: Standing
    rule: str = ""
    says: str = ""
    sort: str = ""
    step: int | None = None

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.claim}: {self.standing.value}{rule}{': ' if self.says else ''}{self.says}"

    @property
    def refutation(self) -> str:
        """Of a claim that is refuted, a sentence."""
        return f"Z3 refutes that {self.claim}: {self.says}"

    @property
    def refutation_tag(self) -> str:
        """The same for a signature."""
        return f"refuted-{self.sort.replace(' ', '-')}"


def allowed(opinion: Opinion, rule: str) -> Opinion:
    """The same evidence, excused by a rule."""
    return evolve(opinion, standing=Standing.ALLOWED, rule=rule)
