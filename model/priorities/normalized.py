"""Bringing raw counts to the range of scores."""

from collections.abc import Sequence

from model.api.integers import int64, quotient
from model.rules import rule


@rule("S-017", "The largest count becomes 10 and the others their truncated share of it; reversed, 10 minus that")
def normalized(counts: Sequence[int], best: int, *, reverse: bool) -> list[int]:
    """`best`: the largest score.  Without a positive count reversing gives it to all; else the list stays as it is."""
    largest = max(0, max(counts, default=0))
    if largest == 0:
        return [best] * len(counts) if reverse else list(counts)
    shares = [quotient(int64(best * count), largest) for count in counts]
    return [best - share for share in shares] if reverse else shares
