"""A hard constraint: one named assertion, the rule it is, and what it says where it is broken."""

from attrs import frozen

from oracle.smt.changes import Change
from oracle.smt.formula import Term


@frozen(eq=False)
class Constraint:
    """`says` what is wrong when `holds` does not; `resolvable` as preemption sees it.  [P-099]

    `error`: broken, it is not a reason against a node but an error of the whole attempt.
    `changes`: each of them alone would lift it.
    """

    rule: str
    says: str
    holds: Term
    resolvable: bool = True
    error: bool = False
    changes: tuple[Change, ...] = ()
    predicate: str = ""

    def __str__(self) -> str:
        return f"{self.says} [{self.rule}]"
