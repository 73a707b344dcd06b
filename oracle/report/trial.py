"""What the reference says of single nodes: predicate by predicate, priority by priority, with the rules it used."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from attrs import frozen

from model.api.amounts import amount
from model.api.components import Verdict
from model.api.objects import Pod, Taint
from model.api.ports import conflicts, host_ports
from model.api.tolerations import any_tolerates
from model.attempt import Attempt
from model.decision import scores_alone, tried_alone, tried_together
from model.node_info import NodeInfo
from model.predicates.metadata import facts
from model.predicates.registry import PREDICATES
from model.predicates.topology_pairs import pairs_at
from model.rules import RULES, counting
from oracle.report.moment import Cycle

T = TypeVar("T")

PARTS = {"GeneralPredicates": ("PodFitsResources", "PodFitsHost", "HostName", "PodFitsHostPorts", "MatchNodeSelector")}
"""Predicates that are configured as parts of another."""
BEHIND = {
    "node(s) didn't satisfy existing pods anti-affinity rules": "P-032",
    "node(s) didn't match pod affinity rules": "P-033",
    "node(s) didn't match pod anti-affinity rules": "P-034",
}
"""Rules of what was worked out before the predicate."""
MOST_DETAILS = 3


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
        if verdict.failures and predicate.name in PARTS:
            rules = (*rules[:1], *_rules_of_parts(cycle.attempt, info, predicate.name))
        rules += tuple(BEHIND[each["reason"]] for each in verdict.failures if each["reason"] in BEHIND)
        tried.append(Tried(predicate.name, texts(cycle.attempt, info, verdict), rules))
    together = tried_together(cycle.attempt, info)
    refused = together.error or ", ".join(together.reasons)
    return NodeTrial(name, tuple(tried), refused)


def _rules_of_parts(attempt: Attempt, info: NodeInfo, name: str) -> tuple[str, ...]:
    """Of those parts alone that refuse the node."""
    found: dict[str, None] = {}
    for part in (part for part in PARTS[name] if part in PREDICATES):
        verdict, rules = with_rules(lambda: tried_alone(attempt, info, PREDICATES[part]))  # noqa: B023
        found |= dict.fromkeys(rules if verdict.failures else ())
    return tuple(found)


def texts(attempt: Attempt, info: NodeInfo, verdict: Verdict) -> tuple[str, ...]:
    if verdict.error is not None:
        return (f"error: {verdict.error}",)
    return tuple(failure["reason"] + _detail(attempt, info, failure) for failure in verdict.failures)


def _detail(attempt: Attempt, info: NodeInfo, failure: Mapping[str, Any]) -> str:
    """What the reason alone does not tell."""
    pod = attempt.pod
    match failure["reason"]:
        case "node(s) had taints that the pod didn't tolerate":
            return ": " + ", ".join(map(taint_text, untolerated(pod, info.taints)))
        case "node(s) didn't match node selector":
            wanted = pod.spec.node_selector.items()
            missing = ", ".join(f"{key}={value}" for key, value in wanted if info.labels.get(key) != value)
            return f": the pod wants {missing}" if missing else ": the pod's node affinity excludes it"
        case "node(s) didn't match the requested hostname":
            return f": the pod wants {pod.spec.node_name}"
        case "node(s) didn't have free ports for the requested pod ports":
            return _after_colon(_taken_ports(pod, info))
        case "node(s) didn't match pod anti-affinity rules":
            return _after_colon(_kept_away(attempt, info))
    if "resource" not in failure:
        return ""
    resource, asked, used, there = (failure[name] for name in ("resource", "requested", "used", "capacity"))
    return (
        f": asks for {amount(resource, asked)}, {amount(resource, there - used)} free "
        f"({amount(resource, used)} of {amount(resource, there)} taken)"
    )


def _after_colon(details: Iterable[str]) -> str:
    said = ", ".join(islice(details, MOST_DETAILS))
    return f": {said}" if said else ""


def _taken_ports(pod: Pod, info: NodeInfo) -> Iterator[str]:
    for port in host_ports(pod):
        holders = (held.key for held in info.pods if conflicts(port, host_ports(held)))
        if conflicts(port, info.used_ports):
            yield f"{port.protocol} {port.ip}:{port.port} is taken by {next(holders, 'a pod that is gone')}"


def _kept_away(attempt: Attempt, info: NodeInfo) -> Iterator[str]:
    """By terms of the pod itself, of which one is enough."""
    pairs = facts(attempt).pairs
    if pairs is None:
        return
    there = {pod.uid: pod for each in attempt.snapshot.values() for pod in each.pods}
    for pair in dict.fromkeys(pairs_at(pairs.anti_affinity, info.labels)):
        for held in (there[uid] for uid in pairs.incoming_anti_affinity.get(pair, ()) if uid in there):
            terms = sum(term.topology_key == pair[0] and term.selects(held) for term in pairs.anti_affinity)
            of = f"{terms} of the {len(pairs.anti_affinity)} terms" if pairs.anti_affinity[1:] else "the term"
            yield f"{of} of the pod selects {held.key}, which has the same {pair[0]}"


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
