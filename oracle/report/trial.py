"""What the reference says of single nodes: predicate by predicate, priority by priority, with the rules it used."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from attrs import frozen

from model.api.amounts import amount
from model.api.components import Verdict
from model.api.objects import Pod, Taint
from model.api.tolerations import any_tolerates
from model.decision import scores_alone, tried_alone, tried_together
from model.node_info import NodeInfo
from model.rules import RULES, counting
from oracle.report.moment import Cycle

T = TypeVar("T")


@frozen
class Tried:
    """One predicate on one node; `texts`: the reasons, in words and with amounts; none where it fits."""

    predicate: str
    texts: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return not self.texts


@frozen
class NodeTrial:
    """All configured predicates on one node; `refused`: what the attempt itself was told, "" where it fits."""

    name: str
    tried: tuple[Tried, ...]
    refused: str

    @property
    def failing(self) -> tuple[Tried, ...]:
        return tuple(tried for tried in self.tried if not tried.fits)

    @property
    def fits(self) -> bool:
        return not self.refused


@frozen
class Scored:
    """One priority; `scores` by node, a text where it failed."""

    priority: str
    weight: int
    scores: Mapping[str, int] | str
    rules: tuple[str, ...]

    def weighted(self, node: str) -> int:
        return self.weight * self.scores[node] if not isinstance(self.scores, str) else 0


def with_rules(compute: Callable[[], T]) -> tuple[T, tuple[str, ...]]:
    """The result, and the rules used for it, in order of their first use."""
    counts: Counter[str] = Counter()
    with counting(counts):
        result = compute()
    return result, tuple(rule for rule in counts if rule in RULES)


def try_node(cycle: Cycle, name: str) -> NodeTrial | None:
    """None for a node that the attempt cannot see."""
    info = cycle.attempt.snapshot.get(name)
    if info is None or info.node is None:
        return None
    tried = []
    for predicate in cycle.attempt.semantics.predicates:
        verdict, rules = with_rules(lambda: tried_alone(cycle.attempt, info, predicate.evaluate))  # noqa: B023
        tried.append(Tried(predicate.name, _texts(cycle.attempt.pod, info, verdict), rules))
    together = tried_together(cycle.attempt, info)
    refused = together.error or ", ".join(together.reasons)
    return NodeTrial(name, tuple(tried), refused)


def _texts(pod: Pod, info: NodeInfo, verdict: Verdict) -> tuple[str, ...]:
    if verdict.error is not None:
        return (f"error: {verdict.error}",)
    return tuple(failure["reason"] + _detail(pod, info, failure) for failure in verdict.failures)


def _detail(pod: Pod, info: NodeInfo, failure: Mapping[str, Any]) -> str:
    """What the reason alone does not tell."""
    match failure["reason"]:
        case "node(s) had taints that the pod didn't tolerate":
            return ": " + ", ".join(map(taint_text, untolerated(pod, info.taints)))
        case "node(s) didn't match node selector":
            wanted = pod.spec.node_selector.items()
            missing = ", ".join(f"{key}={value}" for key, value in wanted if info.labels.get(key) != value)
            return f": the pod wants {missing}" if missing else ": the pod's node affinity excludes it"
        case "node(s) didn't match the requested hostname":
            return f": the pod wants {pod.spec.node_name}"
    if "resource" not in failure:
        return ""
    resource, asked, used, there = (failure[name] for name in ("resource", "requested", "used", "capacity"))
    return (
        f": asks for {amount(resource, asked)}, {amount(resource, there - used)} free "
        f"({amount(resource, used)} of {amount(resource, there)} taken)"
    )


def untolerated(pod: Pod, taints: Iterable[Taint]) -> Iterable[Taint]:
    hard = (taint for taint in taints if taint.effect in ("NoSchedule", "NoExecute"))
    return (taint for taint in hard if not any_tolerates(pod.spec.tolerations, taint))


def taint_text(taint: Taint) -> str:
    return f"{taint.key}{'=' + taint.value if taint.value else ''}:{taint.effect}"


def score_nodes(cycle: Cycle) -> tuple[Scored, ...]:
    """Every configured priority over the feasible nodes."""
    feasible = cycle.attempted.feasible or ()
    if not feasible:
        return ()
    scored = []
    for priority in cycle.attempt.semantics.priorities:
        scores, rules = with_rules(lambda: scores_alone(cycle.attempt, feasible, priority.score))  # noqa: B023
        scored.append(Scored(priority.name, priority.weight, scores, rules))
    return tuple(scored)
