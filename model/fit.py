"""What a predicate answers: nothing when the pod fits, else the reasons.  [P-001, P-099, P-100]"""

from attrs import frozen


@frozen
class Reason:
    """`text` enters the FitError; `error` is the reason's own error name; only some can be mended by preemption.

    Of an insufficient resource also the amounts: milli-CPU, bytes or units.
    """

    text: str
    error: str = ""
    resolvable: bool = True
    requested: int | None = None
    used: int | None = None
    capacity: int | None = None


Fit = tuple[Reason, ...]
"""The reasons why a pod does not fit; empty when it does."""

FITS: Fit = ()


class PredicateError(Exception):
    """The predicate could not be evaluated: the whole scheduling attempt fails with this text.  [P-001]"""


class PriorityError(Exception):
    """A priority could not be computed: the whole scheduling attempt fails with this text.  [S-015]"""
