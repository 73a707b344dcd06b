"""Whose fault a difference is, in one line."""

from collections.abc import Sequence

from oracle.compare.divergence import FAULT, ended
from oracle.finding import JUDGED, RECORDED, REFUTED, Finding
from oracle.report.allowed import excused
from oracle.report.opinions import Asked
from oracle.verify.opinion import Standing

ITS_FAULT = "A fault of the scheduler under test"


def verdict(finding: Finding, asked: Sequence[Asked]) -> str:
    """Of the reference nothing is a fault but what breaks a property or is refuted on both sides."""
    if FAULT in finding.actual or ("crash" in finding.actual and not ended(finding.expected)):
        return f"{ITS_FAULT}: it fails as a program."
    how = finding.trace.get(JUDGED)
    if how == REFUTED:
        return "Both do it: a hard constraint of the specification is broken."
    if any(place.where.startswith("property.") for place in finding.differences):
        return "Both do it: a property is broken that must hold for every scheduler."
    if how is not None:
        return f"{ITS_FAULT}: at level {how} nothing allows what it does."
    if finding.quirk:
        return f"The scheduler under test lacks a quirk of v1.15.3, rule {finding.quirk}."
    if ended(finding.expected):
        return "v1.15.3 ends here, and so must the scheduler under test."
    if _allowed(asked):
        return "Allowed by v1.15: its answer is not the best there is; the scheduler under test departs from it."
    return "The recorded decision is not that of v1.15.3." if finding.scheduler == RECORDED else f"{ITS_FAULT}."


def _allowed(asked: Sequence[Asked]) -> bool:
    """Whether Z3 finds better than the reference, and does not refute the other side."""
    refuted = any(each.side == "under test" and each.opinion.standing is Standing.DISAGREES for each in asked)
    return excused(asked) is not None and not refuted
