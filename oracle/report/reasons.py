"""The first lines of a page: what speaks for the one answer and against the other, as few as can be read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from model.api.decode import decode
from model.api.objects import Pod
from model.quirks import QUIRKS
from oracle.compare.divergence import ended
from oracle.compare.outcome import Outcome
from oracle.finding import Finding
from oracle.report.allowed import because_allowed
from oracle.report.because import Because
from oracle.report.ending import because_of_end
from oracle.report.keeping import because_of_counts
from oracle.report.moment import Moment
from oracle.report.node_tree import because_of_tree
from oracle.report.nominating import because_of_nominations
from oracle.report.operations import because_of_operation
from oracle.report.opinions import Asked
from oracle.report.refusals import because_of_cycles, because_of_refusals
from oracle.report.trial import Scored
from oracle.report.waiting import because_of_queues
from oracle.report.why import because
from oracle.report.witness import Cycle
from oracle.report.writing import because_of_effects

CLOCKS = ("clock", "nowMs")
"""Members of records that no scheduler need show; of others there is nothing to say where it does not."""
MOST = 8
MOST_RULES = 6
"""Of one reason, the first of those that it rests on."""


def reasons(
    finding: Finding,
    moment: Moment,
    cycle: Cycle | None,
    scored: tuple[Scored, ...],
    sides: tuple[Outcome, Outcome],
    asked: Sequence[Asked],
) -> tuple[Because, ...]:
    """`sides`: what the reference and the other decided; of one that ended there is nothing to explain."""
    if ended(finding.expected):
        return (*_of_quirk(finding), *because_of_end(moment.ending, finding.rules))
    expected, actual = finding.expected, finding.actual
    if ended(actual):
        sides = (sides[0], Outcome())
        found = (
            list(because(cycle, scored, sides, ({}, {}))) if cycle else list(because_of_tree(moment.before, expected))
        )
    else:
        found = list(because(cycle, scored, sides, (expected, actual))) if cycle else []
        found = found or list(_about_state(finding, moment))
    found = found or list(_of_operation(finding))
    told = [*_of_quirk(finding), *because_allowed(asked, cycle, sides), *found][:MOST]
    return tuple(Because(reason.text, reason.rules[:MOST_RULES]) for reason in told)


def _of_quirk(finding: Finding) -> Iterator[Because]:
    if finding.quirk and finding.quirk in QUIRKS:
        quirk = QUIRKS[finding.quirk]
        mended = f" Release {quirk.mended} mended it." if quirk.mended else ""
        text = (
            f"A quirk of v1.15.3, part of rule {quirk.id}, would explain the difference: {_lowered(quirk.statement)}."
        )
        same = "Without it the reference does just what the scheduler under test does."
        yield Because(f"{text} {same}{mended}", (quirk.id,))


def _about_state(finding: Finding, moment: Moment) -> Iterator[Because]:
    before, actual, pods = moment.before, finding.actual, _pods(finding, moment)
    expected = {name: value for name, value in finding.expected.items() if name in {*actual, *CLOCKS}}
    yield from because_of_effects(expected, actual, finding.rules)
    yield from because_of_queues(
        expected, actual, pods, before, moment.queue, finding.rules, _own_cycle(finding, before)
    )
    yield from because_of_refusals(before, expected, actual, finding.rules)
    yield from because_of_cycles(before, expected, actual)
    yield from because_of_counts(before, expected, actual)
    if expected.get("nodeTree") != actual.get("nodeTree"):
        yield from because_of_tree(before, expected)
    if (operation := _operation(finding)) is not None:
        yield from because_of_nominations(operation, expected, actual, pods)


def _own_cycle(finding: Finding, before: Mapping[str, Any]) -> int | None:
    """The scheduling cycle of the pod that comes back to the queue; None where there may be several."""
    if (operation := _operation(finding)) is not None:
        given, current = operation.get("cycle"), int(before.get("schedulingCycle", 0))
        return None if given is None else current if given == "current" else current + int(given)
    return finding.expected.get("schedulingCycle") if len(finding.expected.get("popped", ())) == 1 else None


def _of_operation(finding: Finding) -> Iterator[Because]:
    if (operation := _operation(finding)) is not None:
        yield from because_of_operation(operation, finding.expected.get("err"))


def _operation(finding: Finding) -> Mapping[str, Any] | None:
    """That of the step, in a case about a queue or a cache alone."""
    return finding.trace["ops"][finding.step] if "ops" in finding.trace and finding.step is not None else None


def _pods(finding: Finding, moment: Moment) -> Mapping[str, Pod]:
    """By key, and by the references of operations."""
    named = finding.trace.get("pods", {}) if "ops" in finding.trace else {}
    made = [event for event in finding.trace.get("events", ()) if event.get("kind") == "Pod" and "object" in event]
    pods = [*(decode(event["object"], Pod) for event in made), *moment.objects.pods]
    return {pod.key: pod for pod in pods} | {name: decode(document, Pod) for name, document in named.items()}


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
