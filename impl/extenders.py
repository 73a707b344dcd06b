"""Web hooks that filter and score nodes, thin out preemption candidates, and bind.  [A-030..A-035, L-200..L-209]"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from model.api.configuration import Extender
from model.api.decode import ManifestError, decode, encode
from model.api.objects import Node, Pod
from model.api.protocol import NIL_DEREFERENCE, Api, ApiError, AskExtender, Crash


class ExtenderError(Exception):
    """An extender that could not be reached or refused; the message is kube-scheduler's."""


def is_interested(extender: Extender, pod: Pod) -> bool:
    """[L-206]"""
    managed = {resource.name for resource in extender.managed_resources}
    return not managed or any(
        not managed.isdisjoint(amounts)
        for container in (*pod.spec.containers, *pod.spec.init_containers)
        for amounts in (container.resources.requests, container.resources.limits)
    )


def ask(extender: Extender, verb: str, body: Mapping[str, Any], api: Api) -> Any:
    """The decoded answer.  Raises ExtenderError; a refusal whose reason is a number is an HTTP status.  [L-208]"""
    prefix = extender.url_prefix.rstrip("/")
    answer = api.call(AskExtender(prefix, verb, body))
    if not isinstance(answer, ApiError):
        return answer
    if answer.reason.isdigit():
        raise ExtenderError(f"Failed {verb} with extender at URL {prefix}/{verb}, code {answer.reason}")
    raise ExtenderError(answer.message)


def member(answer: Any, name: str) -> Any:
    """A field of an answer, whatever its case.  [L-202]"""
    if not isinstance(answer, Mapping):
        raise ExtenderError(f"expected an object, got {answer!r}")
    return next((value for key, value in answer.items() if key.lower() == name.lower()), None)


def _nodes_body(extender: Extender, pod: Pod, nodes: Sequence[Node]) -> dict[str, Any]:
    body: dict[str, Any] = {"Pod": encode(pod), "Nodes": None, "NodeNames": None}
    if extender.node_cache_capable:
        return {**body, "NodeNames": [node.name for node in nodes]}
    return {**body, "Nodes": {"metadata": {}, "items": [encode(node) for node in nodes]}}


Known = Callable[[str], Node | None]
"""A node of the snapshot, by name."""


def filtered(
    extenders: Iterable[Extender], pod: Pod, known: Known, nodes: Sequence[Node], api: Api
) -> tuple[Sequence[Node], dict[str, list[str]]]:
    """The nodes that are left, and messages about nodes.  Raises ExtenderError and Crash.  [L-200]"""
    messages: dict[str, list[str]] = {}
    for extender in extenders:
        if not nodes:
            break
        if not extender.filter_verb or not is_interested(extender, pod):
            continue
        try:
            nodes, refused = _filtered_by(extender, pod, known, nodes, api)
        except ExtenderError:
            if extender.ignorable:
                continue
            raise
        for name, text in refused.items():
            messages.setdefault(name, []).append(text)
    return nodes, messages


def _filtered_by(
    extender: Extender, pod: Pod, known: Known, nodes: Sequence[Node], api: Api
) -> tuple[Sequence[Node], Mapping[str, str]]:
    """Names are looked up, nodes taken as they come, even ones that nobody knows.  [A-033, L-201]"""
    answer = ask(extender, extender.filter_verb, _nodes_body(extender, pod, nodes), api)
    if error := member(answer, "error"):
        raise ExtenderError(_formatted(error))
    refused = member(answer, "failedNodes") or {}
    names = member(answer, "nodeNames")
    if extender.node_cache_capable and names is not None:
        return [_looked_up(name, known) for name in names], refused
    listed = member(answer, "nodes")
    items = (member(listed, "items") if listed is not None else None) or ()
    return [_read(item) for item in items], refused


def _looked_up(name: str, known: Known) -> Node:
    node = known(name)
    if node is None:
        raise Crash(NIL_DEREFERENCE)
    return node


def _read(item: Any) -> Node:
    try:
        return decode(item, Node)
    except ManifestError as error:
        raise ExtenderError(str(error)) from None


_VERB = re.compile(r"%[-+# 0]*\d*(?:\.\d*)?(.?)", re.DOTALL)


def _formatted(text: str) -> str:
    """What Go's formatting makes of a text with % in it.  [L-201]"""
    return _VERB.sub(lambda m: {"": "%!(NOVERB)", "%": "%"}.get(m[1], f"%!{m[1]}(MISSING)"), text)


def scores(extenders: Iterable[Extender], pod: Pod, nodes: Sequence[Node], api: Api) -> dict[str, int]:
    """Weighted scores by host; an extender that fails adds nothing.  [L-203]"""
    total: dict[str, int] = {}
    for extender in extenders:
        if not extender.prioritize_verb or not is_interested(extender, pod):
            continue
        try:
            answer = ask(extender, extender.prioritize_verb, _nodes_body(extender, pod, nodes), api)
            listed = [(member(entry, "host") or "", member(entry, "score") or 0) for entry in answer or ()]
        except ExtenderError:
            continue
        for host, score in listed:
            total[host] = total.get(host, 0) + score * extender.weight
    return total


Candidates = Mapping[str, tuple[Sequence[Pod], int]]
"""Node -> victims and how many of them violate a budget."""


def candidates_left(
    extenders: Iterable[Extender], pod: Pod, candidates: Candidates, pods_on: Mapping[str, Sequence[Pod]], api: Api
) -> Candidates:
    """Raises ExtenderError and Crash.  [L-205, E-050]"""
    for extender in extenders:
        if not candidates:
            break
        if not extender.preempt_verb or not is_interested(extender, pod):
            continue
        try:
            answer = ask(extender, extender.preempt_verb, _preemption_body(extender, pod, candidates), api)
            candidates = _converted(extender, answer, pods_on)
        except ExtenderError:
            if not extender.ignorable:
                raise
    return candidates


def _preemption_body(extender: Extender, pod: Pod, candidates: Candidates) -> Mapping[str, Any]:
    """[E-051]"""
    body: dict[str, Any] = {"Pod": encode(pod), "NodeNameToVictims": None, "NodeNameToMetaVictims": None}
    if extender.node_cache_capable:
        named = {
            node: {"Pods": [{"UID": victim.uid} for victim in victims], "NumPDBViolations": 0}
            for node, (victims, _) in candidates.items()
        }
        return {**body, "NodeNameToMetaVictims": named}
    whole = {
        node: {"Pods": [encode(victim) for victim in victims], "NumPDBViolations": violations}
        for node, (victims, violations) in candidates.items()
    }
    return {**body, "NodeNameToVictims": whole}


def _converted(extender: Extender, answer: Any, pods_on: Mapping[str, Sequence[Pod]]) -> Candidates:
    """[E-052]"""
    return {
        node: ([_pod(extender, node, member(pod, "uid"), pods_on) for pod in member(victims, "pods") or ()], 0)
        for node, victims in (member(answer, "nodeNameToMetaVictims") or {}).items()
    }


def _pod(extender: Extender, node: str, uid: str, pods_on: Mapping[str, Sequence[Pod]]) -> Pod:
    if node not in pods_on:
        raise Crash(NIL_DEREFERENCE)
    for pod in pods_on[node]:
        if pod.uid == uid:
            return pod
    raise ExtenderError(
        f"extender: {extender.url_prefix} claims to preempt pod (UID: &{{{uid}}}) on node: {node}, "
        "but the pod is not found on that node"
    )


def bind(extender: Extender, pod: Pod, node: str, api: Api) -> str | None:
    """The text of an error, or None.  [L-204]"""
    body = {"PodName": pod.name, "PodNamespace": pod.namespace, "PodUID": pod.uid, "Node": node}
    try:
        error = member(ask(extender, extender.bind_verb, body, api), "error")
    except ExtenderError as failure:
        return str(failure)
    return _formatted(error) if error else None
