"""When two lists of reasons are the same: lacks of several scalar resources come in any order."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

_ORDERED = {f"Insufficient {name}" for name in ("pods", "cpu", "memory", "ephemeral-storage")}


def comparable(reasons: Iterable[str]) -> Sequence[Any]:
    """The list with each run of scalar resources sorted; equal lists mean the same reasons."""
    runs = groupby(reasons, key=_is_scalar_lack)
    return [reason for scalar, run in runs for reason in (sorted(run) if scalar else run)]


def _is_scalar_lack(reason: str) -> bool:
    return reason.startswith("Insufficient ") and reason not in _ORDERED
