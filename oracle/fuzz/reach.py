"""What a search ought to reach: every rule that can be counted, and every outcome worth knowing, but for a few."""

from collections.abc import Mapping

from model.fit import Reason
from model.predicates import reasons
from model.preemption.pick import criteria
from model.quirks import EVERY
from model.rules import RULES
from model.unmodelled import load_rules

_REASONS = (
    *(f"reason: {reason.text}" for reason in vars(reasons).values() if isinstance(reason, Reason)),
    *(
        f"reason: Insufficient {resource}"
        for resource in ("pods", "cpu", "memory", "ephemeral-storage", "example.com/foo", "nvidia.com/gpu")
    ),
)
_CHOICES = tuple(f"pickOneNode: {criterion}" for criterion, _, _ in criteria(EVERY))

OUTCOMES = (
    *_REASONS,
    *_CHOICES,
    "pickOneNode: no victims",
    "backoff: entries collected",
    "backoff: still running",
    "binding: not to be forgotten",
    "cache: added elsewhere than assumed",
    "cache: expiry failed",
    "cache: refused",
    "cycle: pod is being deleted",
    "extender: preempt failed",
    "extender: prioritize failed",
    "failure: SchedulerError",
    "failure: Unschedulable",
    "failure: VolumeBindingFailed",
    "images: size of the first reporter",
    "node tree: changed zone",
    "node tree: listed already",
    "nominated pod taken into account",
    "preemption: no candidate",
    "preemption: nomination cleared",
    "preemption: nomination refused",
    "preemption: policy Never",
    "preemption: preemptor is gone",
    "preemption: victim cannot be deleted",
    "provider: ClusterAutoscalerProvider",
    "provider: DefaultProvider",
    "queue: unschedulable",
    "queue: unschedulable to active",
    "queue: unschedulable to backoff",
    "queue: update in active",
    "queue: update in backoff",
    "queue: update of an unknown pod",
    "requeue: pod has a node",
    "requeue: pod is gone",
    "requeue: refused",
    "requeue: retried",
    "volume binding: timed out",
)
"""The marks of the model that are no rules, each passed to `model.rules.reached`."""

OUT_OF_REACH: Mapping[str, str] = {}
"""Rules and outcomes that a search cannot reach, or not within minutes, and why."""


def expected() -> tuple[str, ...]:
    """Rules by ID, then outcomes."""
    load_rules()
    rules = (rule.id for rule in RULES.values() if rule.counted)
    return tuple(name for name in (*sorted(rules), *OUTCOMES) if name not in OUT_OF_REACH)


def missed(coverage: Mapping[str, int]) -> tuple[str, ...]:
    """What was expected and never reached."""
    return tuple(name for name in expected() if not coverage.get(name))
