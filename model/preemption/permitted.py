"""Victims that kube-scheduler may have chosen, where it leaves the order among equals to chance.  [E-022, nondet]"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import frozen

from model.api.objects import Pod, PodDisruptionBudget
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.preemption.simulation import Simulation, fits, having, without
from model.preemption.victims import emptied, importance, potential_victims, split

MOST_TRIES = 1000
"""Pods put back, in all orders together, after which no other order is tried."""


@frozen
class Equals:
    """Pods of the same importance, of which some stay in any order and others, in this order, are victims."""

    stay: tuple[Pod, ...]
    victims: tuple[Pod, ...]


def permits_victims(
    attempt: Attempt, info: NodeInfo, budgets: Sequence[PodDisruptionBudget], claimed: Sequence[Pod]
) -> bool:
    """Whether some order among equally important pods leads to just these victims in this order."""
    lower = potential_victims(attempt, info)
    empty = emptied(attempt, info, lower)
    place = {pod.uid: at for at, pod in enumerate(claimed)}
    ordered = sorted(lower, key=lambda pod: (*importance(pod), place.get(pod.uid, -1)))
    groups = split(ordered, budgets, attempt)
    if [pod for group in groups for pod in group if pod.uid in place] != list(claimed) or not fits(empty):
        return False
    equals = tuple(
        Equals(tuple(p for p in alike if p.uid not in place), tuple(p for p in alike if p.uid in place))
        for group in groups
        for alike in (list(pods) for _, pods in groupby(group, importance))
    )
    return is_reachable(empty, equals)


def is_reachable(simulation: Simulation, equals: tuple[Equals, ...]) -> bool:
    """Whether putting back pod by pod can end like this.

    Pods that stay come first: where more pods never help, no other order can do.  [E-060]
    """
    stack = [(simulation, step) for step in steps(equals)]
    seen: set[tuple[int, frozenset[str], int]] = set()
    if not stack:
        return True
    for _ in range(MOST_TRIES):
        if not stack:
            return False
        before, (pod, stays, left) = stack.pop()
        restored = having(before, pod)
        if fits(restored) != stays:
            continue
        if not left:
            return True
        state = len(left), frozenset(other.uid for other in left[0].stay), len(left[0].victims)
        if state not in seen:
            seen.add(state)
            after = restored if stays else without(restored, pod)
            stack += [(after, step) for step in steps(left)]
    return False


Step = tuple[Pod, bool, tuple[Equals, ...]]
"""The pod put back, whether it is to stay, and what is left to do then."""


def steps(equals: tuple[Equals, ...]) -> Iterator[Step]:
    """The likeliest last."""
    if not equals:
        return
    first, rest = equals[0], equals[1:]
    if first.victims:
        yield first.victims[0], False, _left(Equals(first.stay, first.victims[1:]), rest)
    for at in reversed(range(len(first.stay))):
        yield first.stay[at], True, _left(Equals(first.stay[:at] + first.stay[at + 1 :], first.victims), rest)


def _left(first: Equals, rest: tuple[Equals, ...]) -> tuple[Equals, ...]:
    return (first, *rest) if first.stay or first.victims else rest
