"""Who is who in operations on a queue or a cache, which name versions of objects."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from model.api.decode import decode
from model.api.objects import Node, Pod
from oracle.report.pod_facts import facts
from oracle.report.words import node_words


@frozen
class Named:
    """A version of a pod or a node, as operations on a queue or a cache refer to it."""

    reference: str
    key: str
    facts: str


def named(case: Mapping[str, Any]) -> Iterator[Named]:
    if "ops" not in case:
        return
    for reference, document in case["pods"].items():
        pod = decode(document, Pod)
        said = [f"priority {pod.priority}", f"UID {pod.uid}" if pod.uid else "no UID"]
        yield Named(reference, pod.key, ", ".join([*said, *(f"{name} {text}" for name, text in facts(pod))][:8]))
    for reference, document in case.get("nodes", {}).items():
        node = decode(document, Node)
        yield Named(reference, f"node {node.name}", ", ".join(node_words(node)) or "nothing is known of it")
