"""One case tried: whether the scheduler agrees with the reference, and what the reference used for it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from model.api.components import Engine
from model.api.decode import ManifestError
from model.engine import Reference
from model.rules import counting
from oracle.compare import FAULT, Divergence, compare
from oracle.compare.divergence import Record
from oracle.conform.verdict import Difference
from oracle.deadline import Overdue, deadline
from oracle.verify import Opinion

LONGEST = 20.0
"""Seconds after which a scheduler is taken to hang."""


@frozen
class Trial:
    """`divergence`: None where both agree; `used`: rules and outcomes of the reference, counted.

    `refuted`: by Z3, where both agree and it was asked.
    """

    divergence: Divergence | None
    used: Mapping[str, int]
    refuted: Opinion | None = None


def try_case(case: Mapping[str, Any], engine: Engine, reference: Engine | None = None) -> Trial | None:
    """None for a case that cannot be understood, as one whose patches fit no object."""
    used: Counter[str] = Counter()
    try:
        with counting(used), deadline(LONGEST):
            divergence = compare(case, engine, reference or Reference())
    except ManifestError:
        return None
    except Overdue as overdue:
        divergence = _hanging(str(overdue))
    return Trial(divergence, used)


def _hanging(text: str) -> Divergence:
    actual: Record = {FAULT: text}
    return Divergence(None, None, {}, actual, Difference("hang", None, text))
