"""Extenders: web hooks that filter and score nodes, thin out preemption, and bind.  [A-030..A-035, L-200..L-209]

A Semantics holds its extenders in the order in which they are asked.
Every request is a call that is yielded and answered from outside; a failed one raises ExtenderError.
"""

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from model.api.configuration import Extender
from model.api.decode import ManifestError, decode, encode
from model.api.objects import Node, Pod
from model.api.protocol import NIL_DEREFERENCE, ApiError, AskExtender, Call, Crash
from model.fit import Fit, Reason
from model.priorities.prioritize import ExtenderScores
from model.quirks import Quirks, quirk
from model.rules import clause, declare, reached, rule
from model.world import Snapshot

Answer = Generator[Call[Any], Any, Any]

declare("L-209", "A managed resource that the scheduler ignores is in Semantics.ignored_extended_resources", __name__)
quirk(
    "L-201",
    "The error text of a filter answer is used as a format string, so its % sequences are mangled; "
    "a node in it that is not known ends the process",
)


class ExtenderError(Exception):
    """An extender could not be reached or refused; the message is kube-scheduler's.  [A-031, A-033]"""


@rule("L-207", "Extenders that may not be ignored come first, each group in the order of the policy")
def in_order(extenders: Iterable[Extender]) -> tuple[Extender, ...]:
    return tuple(sorted(extenders, key=lambda extender: extender.ignorable))


@rule("A-035", "An extender with managed resources cares only about pods that name one in a request or limit")
@rule("L-206", "Whether an extender is interested depends on the names of resources, not on amounts")
def is_interested(extender: Extender, pod: Pod) -> bool:
    managed = {resource.name for resource in extender.managed_resources}
    return not managed or any(
        name in managed
        for container in (*pod.spec.containers, *pod.spec.init_containers)
        for amounts in (container.resources.requests, container.resources.limits)
        for name in amounts
    )


@rule("L-208", "A request is a POST to prefix and verb; any status but 200 is an error that names URL and code")
def ask(extender: Extender, verb: str, body: Mapping[str, Any]) -> Answer:
    """An ApiError whose reason is a number is an HTTP status; of any other the message counts."""
    prefix = extender.url_prefix.rstrip("/")
    answer = yield AskExtender(prefix, verb, body)
    if not isinstance(answer, ApiError):
        return answer
    if answer.reason.isdigit():
        raise ExtenderError(f"Failed {verb} with extender at URL {prefix}/{verb}, code {answer.reason}")
    raise ExtenderError(answer.message)


@clause("L-202", "Keys are sent as capitalised Go names, all of them, and answers are read whatever their case")
def member(answer: Any, name: str) -> Any:
    """The field of an answer, None when absent.  Raises ExtenderError for anything but an object."""
    reached("L-202")
    if not isinstance(answer, Mapping):
        raise ExtenderError(f"expected an object, got {answer!r}")
    return next((value for key, value in answer.items() if key.lower() == name.lower()), None)


def _nodes_body(extender: Extender, pod: Pod, nodes: Iterable[Node]) -> dict[str, Any]:
    """A cache-capable extender gets names only.  [L-201]"""
    body: dict[str, Any] = {"Pod": encode(pod), "Nodes": None, "NodeNames": None}
    if extender.node_cache_capable:
        return {**body, "NodeNames": [node.name for node in nodes]}
    return {**body, "Nodes": {"metadata": {}, "items": [encode(node) for node in nodes]}}


@rule("A-030", "Extenders filter only while feasible nodes are left")
@rule("L-200", "Each interested extender in turn narrows the feasible nodes and adds reasons")
def filter_nodes(
    extenders: Iterable[Extender],
    pod: Pod,
    snapshot: Snapshot,
    feasible: tuple[Node, ...],
    failed: Mapping[str, Fit],
    quirks: Quirks,
) -> Generator[Call[Any], Any, tuple[tuple[Node, ...], Mapping[str, Fit]]]:
    """Raises ExtenderError of an extender that may not be ignored, and Crash."""
    for extender in extenders:
        if not feasible:
            break
        if not is_interested(extender, pod):
            continue
        try:
            feasible, refused = yield from filter_with(extender, pod, snapshot, feasible, quirks)
        except ExtenderError:
            if not extender.ignorable:
                raise
            reached("A-031")
            continue
        failed = with_messages(failed, refused)
    return feasible, failed


@clause("A-031", "A failing extender fails the attempt, or is passed over where it may be ignored")
@rule("A-033", "A filter request sends nodes or names; the answer's list is the new list of feasible nodes")
@rule("L-201", "Without a filter verb the list stays; an unknown name in the answer ends the process")
def filter_with(
    extender: Extender, pod: Pod, snapshot: Snapshot, feasible: tuple[Node, ...], quirks: Quirks
) -> Generator[Call[Any], Any, tuple[tuple[Node, ...], Mapping[str, str]]]:
    """The nodes that are left, in the order of the answer, and messages about others.

    Names are those of the snapshot's nodes; nodes are taken as they are answered, known or not.
    """
    if not extender.filter_verb:
        return feasible, {}
    answer = yield from ask(extender, extender.filter_verb, _nodes_body(extender, pod, feasible))
    if error := member(answer, "error"):
        raise ExtenderError(formatted(error) if "L-201" in quirks else error)
    refused = member(answer, "failedNodes") or {}
    names = member(answer, "nodeNames")
    if extender.node_cache_capable and names is not None:
        return tuple(_known(extender, name, snapshot, quirks) for name in names), refused
    nodes = member(answer, "nodes")
    return tuple(_read(node) for node in (member(nodes, "items") if nodes is not None else None) or ()), refused


def _known(extender: Extender, name: str, snapshot: Snapshot, quirks: Quirks) -> Node:
    info = snapshot.get(name)
    if info and info.node:
        return info.node
    if "L-201" in quirks:
        raise Crash(NIL_DEREFERENCE)
    raise ExtenderError(f"extender {extender.url_prefix} answers with an unknown node {name}")


def _read(node: Any) -> Node:
    try:
        return decode(node, Node)
    except ManifestError as error:
        raise ExtenderError(str(error)) from None


@rule("A-032", "Each message about a node is one more reason of that node, feasible or not")
@clause("A-034", "A reason given by an extender is plain text that preemption might mend")
def with_messages(failed: Mapping[str, Fit], messages: Mapping[str, str]) -> Mapping[str, Fit]:
    if not messages:
        return failed
    reached("A-034")
    named = {name: (*failed.get(name, ()), Reason(text)) for name, text in messages.items()}
    return {**failed, **named}


_VERB = re.compile(r"%[-+# 0]*\d*(?:\.\d*)?(.?)", re.DOTALL)


def formatted(text: str) -> str:
    """What Go's formatted printing makes of a text without arguments: `90%` becomes `90%!(NOVERB)`.  [L-201]"""
    return _VERB.sub(_missing, text)


def _missing(verb: re.Match[str]) -> str:
    return {"": "%!(NOVERB)", "%": "%"}.get(verb[1], f"%!{verb[1]}(MISSING)")


@rule("L-203", "Every interested extender may score the feasible nodes; one that fails adds nothing")
def scores_of(
    extenders: Iterable[Extender], pod: Pod, feasible: Sequence[Node]
) -> Generator[Call[Any], Any, Sequence[ExtenderScores]]:
    scores = []
    for extender in extenders:
        if not extender.prioritize_verb or not is_interested(extender, pod):
            continue
        try:
            body = _nodes_body(extender, pod, feasible)
            answer = yield from ask(extender, extender.prioritize_verb, body)
            listed = [(member(entry, "host") or "", member(entry, "score") or 0) for entry in answer or ()]
        except ExtenderError:
            reached("extender: prioritize failed")
            continue
        scores.append(ExtenderScores(listed, extender.weight))
    return scores


@rule("L-204", "An extender that binds is sent name, namespace, UID and node; an error in its answer is the binding's")
def bind_with(extender: Extender, pod: Pod, node_name: str) -> Generator[Call[Any], Any, None]:
    """Raises ExtenderError."""
    body = {"PodName": pod.name, "PodNamespace": pod.namespace, "PodUID": pod.uid, "Node": node_name}
    answer = yield from ask(extender, extender.bind_verb, body)
    if error := member(answer, "error"):
        raise ExtenderError(formatted(error))
