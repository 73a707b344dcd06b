"""One thing a scheduler did, and what is to be said of it."""

from enum import Enum

from attrs import frozen

from model.api.cluster import Cluster


class Outcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    """Two of our own opinions differ, or what the scheduler knew cannot be told."""


@frozen
class Wrong:
    """What is wrong with a decision.  `tag`: its sort, in a word or two; `says`: in a sentence about the pod."""

    tag: str
    says: str


@frozen
class Judged:
    """`claim`: host, refusal, room, pending, gang, fault or crash; `pod`: key, "" where it is about none.

    `step`: index of the event, -1 for the start.  `cluster`: what the scheduler knew, for what failed.
    """

    claim: str
    pod: str
    outcome: Outcome
    step: int
    wrong: Wrong | None = None
    cluster: Cluster | None = None

    @property
    def sort(self) -> str:
        """The same for the same fault in another case."""
        return f"{self.claim}-{self.wrong.tag}" if self.wrong else self.claim
