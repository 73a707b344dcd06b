"""Comparing a scheduler with the reference, case by case, up to the first difference.

divergence = compare(case, engine)
"""

from collections.abc import Callable, Mapping
from typing import Any

from model.api.components import Engine
from model.engine import Reference
from oracle.compare import components, decisions, singles, traces
from oracle.compare.divergence import FAULT, Divergence, failed, hung, is_slow

Comparison = Callable[[Mapping[str, Any], Engine, Engine], Divergence | None]

COMPARISONS: Mapping[str, Comparison] = {
    "queue": components.compare_queues,
    "cache": components.compare_caches,
    "schedule": decisions.compare_schedule,
    "preempt": decisions.compare_preempt,
    "predicate": singles.compare_predicate,
    "priority": singles.compare_scores,
    "prioritize": singles.compare_scores,
    "e2e": traces.compare,
}
"""By kind of case; the kinds are those of recorded cases."""


def compare(case: Mapping[str, Any], engine: Engine, reference: Engine | None = None) -> Divergence | None:
    """The first difference, None where there is none.  Raises ManifestError for a case that cannot be understood."""
    return COMPARISONS[case["kind"]](case, engine, reference or Reference())


__all__ = ["COMPARISONS", "FAULT", "Divergence", "compare", "failed", "hung", "is_slow"]
