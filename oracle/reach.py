"""What a search ought to reach: every rule that can be counted, and every outcome worth knowing, but for a few."""

from collections.abc import Mapping

from model.fit import Reason
from model.predicates import reasons
from model.preemption.pick import criteria
from model.quirks import EVERY
from model.rules import RULES
from model.unmodelled import load_rules
from oracle.properties import SOMETIMES

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
    *(f"sometimes: {name}" for name in SOMETIMES),
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
"""Marks that are no rules, each passed to `model.rules.reached`."""

_MANDATORY = "the mandatory predicates are always there"
_OF_OTHERS = "what a scheduler may do otherwise; the two compared here do the same"
OUT_OF_REACH: Mapping[str, str] = {
    "A-020": _MANDATORY,
    "L-063": _MANDATORY,
    "A-025": _OF_OTHERS,
    "L-066": _OF_OTHERS,
    "P-024": "needs a node that the tree lists and the snapshot lacks, and predicates that go on after a failure",
    "reason: node(s) had unknown conditions": "needs a node that the tree lists and the snapshot lacks",
    "Q-014": "the queue asks whether a key is there first",
    "cache: expiry failed": "an assumed pod is on its node as long as it is assumed",
    "cache: refused": "an informer tells of every pod in the order of its life",
}
"""Rules and outcomes that a search cannot reach, or not within minutes, and why."""


def why_not(name: str, count: int | None) -> str:
    """Why a rule or outcome that was never reached cannot be; "" where it can, and where it was."""
    return OUT_OF_REACH.get(name, "") if count == 0 else ""


def expected() -> tuple[str, ...]:
    """Rules by ID, then outcomes."""
    load_rules()
    rules = (rule.id for rule in RULES.values() if rule.counted)
    return tuple(name for name in (*sorted(rules), *OUTCOMES) if name not in OUT_OF_REACH)


def missed(coverage: Mapping[str, int]) -> tuple[str, ...]:
    """What was expected and never reached."""
    return tuple(name for name in expected() if not coverage.get(name))
