"""An explanation as lines of text."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from model.api.amounts import amount
from model.api.objects import Pod
from model.api.resources import pod_request
from model.preemption.victims import NOW
from oracle.explain.evictions import Evictions, Victim
from oracle.explain.explanation import Explanation
from oracle.explain.refusals import NodeGroup
from oracle.explain.scores import ScoredGroup
from oracle.explain.suggestions import Suggestion
from oracle.printable import counted
from oracle.smt.optimum import GAPS, Cost
from oracle.smt.resources import BASE, of

MOST_NAMES = 4
MOST_GROUPS = 12
MOST_SCORES = 5


def lines(explanation: Explanation) -> Iterator[str]:
    yield from _about(explanation)
    yield from _against(explanation.groups)
    if explanation.scores:
        yield from _scores(explanation)
    if explanation.evictions is not None:
        yield from _evictions(explanation.evictions)
    if explanation.error is not None:
        yield from _suggestions(explanation.suggestions)


def _about(explanation: Explanation) -> Iterator[str]:
    pod = explanation.pod
    yield f"{pod.key} ({', '.join(_wants(pod))})"
    yield from (f"  {each}" for each in explanation.circumstances)
    yield f"  {_outcome(explanation)}"
    if explanation.others_waiting:
        others = f"regardless of {counted(explanation.others_waiting, 'other pod')} still waiting"
        yield f"  this is about the cluster as it stands, {others}; 'run' tells who goes where"


def _outcome(explanation: Explanation) -> str:
    if explanation.crash is not None:
        return f"the scheduler crashes on it: {explanation.crash}"
    if explanation.host is not None:
        among = f"one of {explanation.feasible} feasible nodes"
        return f"goes to {explanation.host}, {among if explanation.feasible > 1 else 'the only feasible node'}"
    if explanation.evictions and explanation.evictions.node:
        evicted = counted(len(explanation.evictions.victims), "pod")
        return f"evicts {evicted} from {explanation.evictions.node} and stays pending until then: {explanation.error}"
    return f"stays pending: {explanation.error}"


def _wants(pod: Pod) -> Iterator[str]:
    request = pod_request(pod)
    wanted = [f"{amount(name, of(request, name))} {name}" for name in (*BASE, *request.scalars) if of(request, name)]
    yield from wanted or ["requests nothing"]
    yield f"priority {pod.priority}"


def _against(groups: Sequence[NodeGroup]) -> Iterator[str]:
    refusing = [group for group in groups if group.reasons]
    if not refusing:
        return
    yield "What speaks against nodes:"
    for group in refusing[:MOST_GROUPS]:
        yield f"  {_named(group.nodes)}"
        closest = f"closest is {group.closest}: " if len(group.nodes) > 1 else ""
        for refusal in group.refusals:
            yield f"    {refusal.predicate}: {', '.join(refusal.reasons)}"
            yield from (f"      {detail}" for detail in refusal.details)
            if refusal.lacks:
                yield f"      {closest}{'; '.join(refusal.lacks)}"
        if not group.refusals:
            yield f"    once the pods nominated there are counted in: {', '.join(group.reasons)}"
        if group.besides:
            yield f"      {closest}{'; '.join(group.besides)}"
    if len(refusing) > MOST_GROUPS:
        rest = sum(len(group.nodes) for group in refusing[MOST_GROUPS:])
        more = len(refusing) - MOST_GROUPS
        yield f"  and {counted(rest, 'node')} more in {counted(more, 'group')}"


def _scores(explanation: Explanation) -> Iterator[str]:
    groups = explanation.scores
    yield "Scores where it fits (points with weight):"
    for group in groups[:MOST_SCORES]:
        parts = (
            f"{score.priority} {score.points if isinstance(score.score, int) else score.score}"
            for score in group.scores
        )
        yield f"  {group.total}: {_named(group.nodes)}"
        yield f"    {', '.join(parts)}"
    if len(groups) > MOST_SCORES:
        rest = sum(len(group.nodes) for group in groups[MOST_SCORES:])
        yield f"  and {counted(rest, 'node')} more with {groups[-1].total} to {groups[MOST_SCORES].total} points"
    yield from _choice(explanation.host, groups)


def _choice(host: str | None, groups: Sequence[ScoredGroup]) -> Iterator[str]:
    best = [name for group in groups if group.total == groups[0].total for name in group.nodes]
    if host is None:
        return
    if sum(len(group.nodes) for group in groups) == 1:
        yield f"  {host} is the only feasible node and is taken without scoring [A-041]"
    elif len(best) == 1:
        yield f"  {host} has the most points [A-042]"
    else:
        yield f"  {len(best)} nodes have the most points and take turns; {host} is the first in the tree [A-042]"


def _evictions(found: Evictions) -> Iterator[str]:
    yield "Preemption:"
    if not found.eligible:
        yield "  not tried: the pod may not preempt, or pods on its nominated node are already going [E-003]"
        return
    yield f"  {counted(found.potential, 'node')} where it could help, {found.candidates} where it does [E-004, E-021]"
    if found.node is None:
        yield "  nobody is evicted"
    else:
        yield f"  evicts from {found.node}:"
        yield from (f"    {_victim(victim)}" for victim in found.victims)
        yield from _criteria(found)
        if found.to_clear:
            yield f"  takes back the nomination of {', '.join(found.to_clear)}"
    yield from _advice(found)


def _victim(victim: Victim) -> str:
    budget = ", violating a budget" if victim.violates_budget else ""
    needed = f"; if it stayed: {'; '.join(victim.needed)}" if victim.needed else "; it would not have to go"
    return f"{victim.pod.key} (priority {victim.pod.priority}{budget}){needed}"


def _criteria(found: Evictions) -> Iterator[str]:
    for criterion in found.criteria:
        yield f"    {criterion.name}: {_best(criterion.best)}, {counted(criterion.left, 'node')} left [E-040]"
    if len(found.tied) > 1:
        yield f"    {_named(found.tied)} are equally good; any of them may be chosen [E-045]"


def _best(value: Any) -> str:
    if isinstance(value, datetime):
        return "has not started" if value == NOW else f"{value:%Y-%m-%dT%H:%M:%SZ}"
    return str(value)


def _advice(found: Evictions) -> Iterator[str]:
    best = found.best
    if best is None:
        return
    least = "least possible" if best.proved else "least found in time"
    if found.node is None or found.gaps:
        rules = [f"{GAPS[rule]} [{rule}]" for rule in found.gaps]
        why = "; ".join(rules) if found.node else "v1.15 does not find this [E-065]"
        yield f"  the {least}: {', '.join(best.victims)} on {best.node} ({_cost(best.cost)}); {why}"
    else:
        yield f"  this is the {least}" + ("" if best.proved else ", but more was not proved")


def _cost(cost: Cost) -> str:
    violations = counted(cost.violations, "budget violation")
    return f"{violations}, highest priority {cost.highest}, {counted(cost.count, 'pod')}"


def _suggestions(suggestions: Sequence[Suggestion]) -> Iterator[str]:
    if not suggestions:
        yield "No change of a kind known here would help."
        return
    yield "Any one of these would let it run, by itself:"
    for suggestion in suggestions:
        changes = " and ".join(map(str, suggestion.changes))
        choice = f" (one of {len(suggestion.nodes)} nodes, the one that needs least)" if _has_choice(suggestion) else ""
        yield f"  - {changes}{choice}"


def _has_choice(suggestion: Suggestion) -> bool:
    return len(suggestion.nodes) > 1 and any(hasattr(change, "node") for change in suggestion.changes)


def _named(nodes: Sequence[str]) -> str:
    shown = ", ".join(nodes[:MOST_NAMES])
    if len(nodes) == 1:
        return shown
    more = f", … {nodes[-1]}" if len(nodes) > MOST_NAMES else ""
    return f"{len(nodes)} nodes: {shown}{more}"
