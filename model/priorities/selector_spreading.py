"""Spreading the pods of one service or controller over nodes and zones."""

from collections import Counter
from collections.abc import Sequence

from model.api.selectors import Selector
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.priorities.inputs import matching_pods, pod_selectors, service_selectors
from model.quirks import quirk
from model.rules import rule
from model.zones import zone_key

ZONE_WEIGHT = 2.0 / 3.0
"""How much of the score is spreading over zones, where there are zones."""


@rule("S-055", "Count on each node the pods that match every selector that selects this pod, and spread by it")
def selector_spread(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    return _spread_by(attempt, feasible, pod_selectors(attempt))


quirk("S-058", "ServiceSpreadingPriority counts by the selectors of all four kinds, as SelectorSpreadPriority does")


@rule("S-058", "Spreading by services alone ends up spreading by controllers too")
def service_spreading(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[int]:
    selectors = pod_selectors(attempt) if attempt.semantics.has("S-058") else service_selectors(attempt)
    return _spread_by(attempt, feasible, selectors)


def _spread_by(attempt: Attempt, feasible: Sequence[NodeInfo], selectors: Sequence[Selector]) -> list[int]:
    best = attempt.semantics.max_score
    if not selectors:
        return [best] * len(feasible)
    counts = list(matching_pods(attempt, feasible, selectors))
    return spread(counts, [zone_key(info.labels) for info in feasible], best)


@rule(
    "S-057", "Fewer matching pods on the node score higher; where there are zones, two thirds are for the zone's pods"
)
def spread(counts: Sequence[int], zones: Sequence[str], best: int) -> list[int]:
    """Scores, up to `best`, from the counts of the feasible nodes and their zones, "" for none."""
    in_zone: Counter[str] = Counter()
    for count, zone in zip(counts, zones, strict=True):
        if zone:
            in_zone[zone] += count
    most_on_node = max(counts, default=0)
    most_in_zone = max(in_zone.values(), default=0)
    return [
        int(
            (_fewness(count, most_on_node, best) * (1.0 - ZONE_WEIGHT))
            + (ZONE_WEIGHT * _fewness(in_zone[zone], most_in_zone, best))
            if zone
            else _fewness(count, most_on_node, best)
        )
        for count, zone in zip(counts, zones, strict=True)
    ]


def _fewness(count: int, most: int, best: int) -> float:
    return float(best) * (float(most - count) / float(most)) if most > 0 else float(best)
