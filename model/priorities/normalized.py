"""Bringing raw counts to the range of scores."""

from collections.abc import Sequence

from model.api.integers import int64, quotient
from model.priorities import MAX_PRIORITY
from model.rules import rule


@rule("S-017", "The largest count becomes 10 and the others their truncated share of it; reversed, 10 minus that")
def normalized(counts: Sequence[int], *, reverse: bool) -> list[int]:
    """Without a positive count, reversing gives 10 everywhere and not reversing leaves the list as it is."""
    largest = max(0, max(counts, default=0))
    if largest == 0:
        return [MAX_PRIORITY] * len(counts) if reverse else list(counts)
    shares = [quotient(int64(MAX_PRIORITY * count), largest) for count in counts]
    return [MAX_PRIORITY - share for share in shares] if reverse else shares
