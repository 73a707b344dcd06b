"""Choosing one of the feasible nodes by their total scores.  [A-042..A-045, L-073]"""

from collections.abc import Callable, Sequence

from model.rules import declare, rule

HostSelection = Callable[[Sequence[str], Sequence[int], int], str]

declare(
    "A-044",
    "Selecting from no nodes would be an error, which cannot happen: an attempt selects from at least two",
    __name__,
)
declare("A-045", "A node that was found twice has two entries among the best", __name__)


@rule("A-042", "The best nodes take turns: a counter that grows with every scored attempt picks among them")
@rule("L-073", "The host is the best node at the counter's position, modulo the number of best nodes")
def select_host(feasible: Sequence[str], totals: Sequence[int], last_node_index: int) -> str:
    """`totals` in the order of `feasible`, which is not empty."""
    tied = best_nodes(feasible, totals)
    return tied[last_node_index % len(tied)]


@rule("A-043", "As the order of feasible nodes is free, any node of maximal total may become the host")
def best_nodes(feasible: Sequence[str], totals: Sequence[int]) -> tuple[str, ...]:
    """In the order of `feasible`.  [nondet]"""
    best = max(totals)
    return tuple(name for name, total in zip(feasible, totals, strict=True) if total == best)
