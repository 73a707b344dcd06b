"""Records that belong together make a decision; it gets a verdict."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from model.api.components import Situation
from oracle.audit.records import Record
from oracle.judgement.judged import Outcome, Wrong

Decision = tuple[Record, ...]


@frozen
class Audited:
    """One decision; `records` are several for the victims of one preemption.

    `wrong`: what is wrong with it, or seems so; `doubt`: why that is not sure.  `situation`: in which it was made,
    for what is wrong.
    """

    records: tuple[Record, ...]
    outcome: Outcome
    wrong: Wrong | None = None
    doubt: str = ""
    situation: Situation | None = None

    @property
    def why(self) -> str:
        return "; ".join(filter(None, (self.wrong.says if self.wrong else "", self.doubt)))

    @property
    def kind(self) -> str:
        return self.records[0].kind

    @property
    def pod(self) -> str:
        return self.records[0].about

    @property
    def said(self) -> str:
        """What was decided, as a sentence without its end."""
        record = self.records[0]
        match record.kind:
            case "Scheduled":
                return f"{record.pod} was placed on {record.node}"
            case "Preempted":
                return f"{', '.join(each.pod for each in self.records)} made room for {record.by} on {record.node}"
        return f"{record.pod} was refused: {record.message}"


def decisions_of(records: Iterable[Record]) -> list[Decision]:
    """Records of victims of one preemption belong together."""
    grouped: list[list[Record]] = []
    for record in records:
        last = grouped[-1][0] if grouped else None
        if last and record.kind == "Preempted" and (record.by, record.node) == (last.by, last.node):
            grouped[-1].append(record)
        else:
            grouped.append([record])
    return [tuple(group) for group in grouped]


NEAREST = 50
"""So many on either side of a decision may have changed places with it; thousands may be of one second."""


def orders_of(decision: Decision, same_time: Sequence[Decision]) -> list[Sequence[Decision]]:
    """What may have come before it: none of the others, all of them, and each of the nearest alone."""
    others = [other for other in same_time if other is not decision]
    place = next(place for place, other in enumerate(same_time) if other is decision)
    return [(), others, *([other] for other in others[max(0, place - NEAREST) : place + NEAREST])]
