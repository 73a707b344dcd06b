"""Selectors, node selector terms and pod affinity terms."""

from typing import Any

from oracle.strategies.pools import NAMESPACES, NODE_LABELS, POD_LABELS, TOPOLOGY_KEYS, ZONE, ZONES, labels
from oracle.strategies.swarm import Draw

FLAWS: tuple[dict[str, Any], ...] = ({"values": []}, {"values": ["a", "b"]}, {"operator": "Near"}, {"key": "k" * 70})
"""What makes an expression invalid.  A case has one of them: of several errors any may be told first."""

NODE_TERM_LABELS = {**NODE_LABELS, ZONE: ZONES}


def label_selector(draw: Draw) -> dict[str, Any] | None:
    """None for a missing selector, which selects nothing; the empty one selects all."""
    if draw.chance(0.06):
        return draw.pick((None, {}))
    selector: dict[str, Any] = {}
    if draw.chance(0.75):
        selector["matchLabels"] = labels(draw, POD_LABELS, most=2) or {"app": "a"}
    if not selector or draw.chance(0.2):
        selector["matchExpressions"] = [requirement(draw, POD_LABELS, ("In", "NotIn", "Exists", "DoesNotExist"))]
    return selector


def requirement(draw: Draw, pool: dict[str, tuple[str, ...]], operators: tuple[str, ...]) -> dict[str, Any]:
    key = draw.pick(tuple(pool))
    operator = draw.pick(operators)
    expression: dict[str, Any] = {"key": key, "operator": operator}
    if operator in ("In", "NotIn"):
        expression["values"] = draw.some(pool[key], most=2, least=1)
    elif operator in ("Gt", "Lt"):
        expression |= {"key": "rank", "values": [draw.pick(("0", "1", "2", "x"))]}
    return flawed(draw, expression) if draw.chance(0.15, "invalid") else expression


def flawed(draw: Draw, expression: dict[str, Any]) -> dict[str, Any]:
    return expression | FLAWS[draw.flaw % len(FLAWS)]


def node_selector_term(draw: Draw) -> dict[str, Any]:
    """An empty one matches nothing."""
    operators = ("In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
    term: dict[str, Any] = {}
    if draw.chance(0.9):
        term["matchExpressions"] = [
            requirement(draw, NODE_TERM_LABELS, operators) for _ in range(draw.weighted({1: 4, 2: 1}))
        ]
    if draw.chance(0.12):
        names = [f"n{draw.number(1, 5)}"]
        term["matchFields"] = [{"key": "metadata.name", "operator": draw.pick(("In", "NotIn")), "values": names}]
    return term


def node_affinity(draw: Draw) -> dict[str, Any]:
    affinity: dict[str, Any] = {}
    if draw.chance(0.6):
        terms = [node_selector_term(draw) for _ in range(draw.weighted({1: 6, 2: 2, 0: 1}))]
        affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
    if draw.chance(0.6, "preferences"):
        affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
            {"weight": draw.pick((1, 5, 50, 100)), "preference": node_selector_term(draw)}
            for _ in range(draw.number(1, 2))
        ]
    return affinity


def pod_affinity(draw: Draw) -> dict[str, Any]:
    """Serves as anti-affinity too."""
    affinity: dict[str, Any] = {}
    if not draw.has("preferences") or draw.chance(0.7):
        affinity["requiredDuringSchedulingIgnoredDuringExecution"] = [
            pod_affinity_term(draw) for _ in range(draw.weighted({1: 6, 2: 2, 0: 1}))
        ]
    if draw.chance(0.5, "preferences"):
        affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
            {"weight": preference_weight(draw), "podAffinityTerm": pod_affinity_term(draw)}
            for _ in range(draw.number(1, 2))
        ]
    return affinity


def preference_weight(draw: Draw) -> int:
    """Beyond 100 only where nobody validated the pod."""
    return draw.pick((2147483647, -2147483648, 1073741824) if draw.chance(0.6, "huge") else (1, 5, 50, 100))


def pod_affinity_term(draw: Draw) -> dict[str, Any]:
    term: dict[str, Any] = {"topologyKey": draw.pick(TOPOLOGY_KEYS)}
    selector = label_selector(draw)
    if selector is not None:
        term["labelSelector"] = selector
    if draw.chance(0.3, "namespaces"):
        term["namespaces"] = draw.some(NAMESPACES, most=2, least=1)
    return term
