"""Why a node refuses a pod: the words of kube-scheduler, and what they leave open, as whose port and which taint."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from model.api.amounts import amount
from model.api.components import Verdict
from model.api.objects import Pod, Taint
from model.api.ports import conflicts, host_ports
from model.api.tolerations import any_tolerates
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.predicates.metadata import facts
from model.predicates.topology_pairs import PairMap, Term, TopologyPairs, pairs_at
from oracle.report.attached import attached
from oracle.report.words import some
from oracle.smt.changes import taint_text

MOST = 3
"""Details of one reason."""


def texts(attempt: Attempt, info: NodeInfo, verdict: Verdict) -> tuple[str, ...]:
    if verdict.error is not None:
        return (f"error: {verdict.error}",)
    return tuple(failure["reason"] + _detail(attempt, info, failure) for failure in verdict.failures)


def _detail(attempt: Attempt, info: NodeInfo, failure: Mapping[str, Any]) -> str:
    if "resource" in failure:
        return _lack(*(failure[name] for name in ("resource", "requested", "used", "capacity")))
    said = ", ".join(islice(_details(attempt, info, failure["reason"]), MOST))
    return f": {said}" if said else ""


def _lack(resource: str, asked: int, used: int, there: int) -> str:
    free, taken = amount(resource, max(there - used, 0)), f"{amount(resource, used)} of {amount(resource, there)} taken"
    return f": asks for {amount(resource, asked)}, {free} free ({taken})"


def _details(attempt: Attempt, info: NodeInfo, reason: str) -> Iterator[str]:
    pod = attempt.pod
    match reason:
        case "node(s) had taints that the pod didn't tolerate":
            yield from map(taint_text, _untolerated(pod, info.taints))
        case "node(s) didn't match node selector":
            wanted = [f"{k}={v}" for k, v in pod.spec.node_selector.items() if info.labels.get(k) != v]
            yield f"the pod wants {some(wanted)}" if wanted else "the pod's node affinity excludes it"
        case "node(s) didn't match the requested hostname":
            yield f"the pod wants {pod.spec.node_name}"
        case "node(s) didn't have free ports for the requested pod ports":
            yield from _taken_ports(pod, info)
        case "node(s) exceed max volume count":
            yield from (volumes.excess for volumes in attached(attempt, info) if volumes.refuses)
        case (
            "node(s) didn't match pod affinity rules"
            | "node(s) didn't match pod anti-affinity rules"
            | ("node(s) didn't satisfy existing pods anti-affinity rules")
        ) if (pairs := facts(attempt).pairs) is not None:
            yield from _about_others(attempt, pairs, info, reason)


def _untolerated(pod: Pod, taints: Iterable[Taint]) -> Iterable[Taint]:
    hard = (taint for taint in taints if taint.effect in ("NoSchedule", "NoExecute"))
    return (taint for taint in hard if not any_tolerates(pod.spec.tolerations, taint))


def _taken_ports(pod: Pod, info: NodeInfo) -> Iterator[str]:
    for port in host_ports(pod):
        holders = (held.key for held in info.pods if conflicts(port, host_ports(held)))
        if conflicts(port, info.used_ports):
            yield f"{port.protocol} {port.ip}:{port.port} is taken by {next(holders, 'a pod that is gone')}"


def _about_others(attempt: Attempt, pairs: TopologyPairs, info: NodeInfo, reason: str) -> Iterator[str]:
    if "existing" in reason:
        for pair, pods in _behind(attempt, pairs.existing_anti_affinity, info.labels.items()):
            yield f"{some([other.key for other in pods])} wants no such pod at the same {pair[0]}"
    elif "anti" in reason:
        yield from _kept_away(attempt, pairs, info)
    else:
        yield from _alone(pairs, info)


def _alone(pairs: TopologyPairs, info: NodeInfo) -> Iterator[str]:
    """Terms of the pod that nobody stands behind."""
    for term in pairs.affinity:
        value = info.labels.get(term.topology_key)
        if value is None:
            yield f"the node has no label {term.topology_key}"
        elif (term.topology_key, value) not in pairs.incoming_affinity:
            yield f"no pod that the pod must be near has {term.topology_key}={value}"


def _kept_away(attempt: Attempt, pairs: TopologyPairs, info: NodeInfo) -> Iterator[str]:
    """By terms of the pod itself, of which one is enough."""
    wanted = dict.fromkeys(pairs_at(pairs.anti_affinity, info.labels))
    for pair, pods in _behind(attempt, pairs.incoming_anti_affinity, wanted):
        for other in pods:
            yield _selects(pairs.anti_affinity, pair[0], other)


def _selects(terms: Sequence[Term], key: str, other: Pod) -> str:
    selecting = sum(term.topology_key == key and term.selects(other) for term in terms)
    if not selecting:
        return f"{other.key}, put back, counts for every term as soon as one selects it"
    of = f"{selecting} of the {len(terms)} terms" if terms[1:] else "the term"
    labels = some([f"{name}={value}" for name, value in sorted(other.labels.items())]) or "none"
    return f"{of} of the pod selects {other.key} (labels: {labels}) on {other.spec.node_name}, which has the same {key}"


def _behind(
    attempt: Attempt, pods: PairMap, pairs: Iterable[tuple[str, str]]
) -> Iterator[tuple[tuple[str, str], Sequence[Pod]]]:
    there = {pod.uid: pod for each in attempt.snapshot.values() for pod in each.pods}
    for pair in pairs:
        if found := [there[uid] for uid in pods.get(pair, ()) if uid in there]:
            yield pair, found
