"""What a cluster of today says and kube-scheduler v1.15 does not heed: fields and labels that came later.

v1.15 decides as if they were not there.  The table tells what it does instead, by which of its rules.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from model.api.admission import SYSTEM_PRIORITIES
from model.api.cluster import Cluster
from model.api.objects import (
    CSINode,
    KubernetesObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
)
from oracle.printable import counted

Document = Mapping[str, Any]
Kinds = tuple[type[KubernetesObject], ...]


@frozen
class Later:
    """`since`: the release that brought it; `used`: does a document say it?  `instead`: what v1.15 does, by `rule`."""

    name: str
    since: str
    kinds: Kinds
    used: Callable[[Document], Any]
    instead: str
    rule: str


def _spec(name: str) -> Callable[[Document], Any]:
    return lambda document: _part(document, "spec").get(name)


def _part(document: Document, *names: str) -> Document:
    for name in names:
        document = document.get(name) or {}
    return document


def _listed(document: Document, *names: str) -> list[Any]:
    *path, last = names
    return [each or {} for each in _part(document, *path).get(last) or ()]


def _terms(document: Document) -> Iterator[Document]:
    """Of pod affinity and anti-affinity, required and preferred."""
    for side in ("podAffinity", "podAntiAffinity"):
        yield from _listed(document, "spec", "affinity", side, "requiredDuringSchedulingIgnoredDuringExecution")
        for each in _listed(document, "spec", "affinity", side, "preferredDuringSchedulingIgnoredDuringExecution"):
            yield _part(each, "podAffinityTerm")


def _has_only_the_new_labels(document: Document) -> bool:
    labels = _part(document, "metadata", "labels")
    return any(
        f"topology.kubernetes.io/{place}" in labels and f"failure-domain.beta.kubernetes.io/{place}" not in labels
        for place in ("zone", "region")
    )


LATER = (
    Later("schedulingGates", "1.26", (Pod,), _spec("schedulingGates"), "a gated pod is tried like any other", "L-021"),
    Later(
        *("topologySpreadConstraints", "1.16", (Pod,), _spec("topologySpreadConstraints")),
        *("only the pods of a service or controller are spread, by points alone", "S-055"),
    ),
    Later("overhead", "1.16", (Pod,), _spec("overhead"), "only what the containers request counts", "P-044"),
    Later(
        *("resources of the pod as a whole", "1.32", (Pod,), _spec("resources")),
        *("only what the containers request counts", "P-044"),
    ),
    Later(
        *("restartPolicy of an init container", "1.28", (Pod,)),
        lambda pod: any(each.get("restartPolicy") for each in _listed(pod, "spec", "initContainers")),
        *("it counts as one that ends before the containers start", "P-044"),
    ),
    Later("resourceClaims", "1.26", (Pod,), _spec("resourceClaims"), "no device is looked for", "P-044"),
    Later(
        *("ephemeral volumes", "1.19", (Pod,)),
        lambda pod: any(each.get("ephemeral") for each in _listed(pod, "spec", "volumes")),
        *("their claims are not looked at", "P-079"),
    ),
    Later(
        *("namespaceSelector of a pod affinity", "1.21", (Pod,)),
        lambda pod: any("namespaceSelector" in term for term in _terms(pod)),
        *("only the namespaces listed count, or that of the pod", "O-073"),
    ),
    Later(
        *("matchLabelKeys of a pod affinity", "1.29", (Pod,)),
        lambda pod: any(term.get("matchLabelKeys") or term.get("mismatchLabelKeys") for term in _terms(pod)),
        *("only the labelSelector counts", "O-074"),
    ),
    Later(
        *("preemptionPolicy Never", "1.19", (Pod,), lambda pod: _spec("preemptionPolicy")(pod) == "Never"),
        *("the pod may preempt, unless the gate NonPreemptingPriority is on", "E-003"),
    ),
    Later(
        *("labels topology.kubernetes.io/zone and region", "1.17", (Node, PersistentVolume), _has_only_the_new_labels),
        *("zones are known by failure-domain.beta.kubernetes.io/zone and region alone", "C-060"),
    ),
    Later(
        *("volume limits of a CSINode", "1.17", (CSINode,)),
        lambda node: any(each.get("allocatable") for each in _listed(node, "spec", "drivers")),
        *("limits are what the allocatable of the node says", "P-075"),
    ),
    Later(
        *("accessMode ReadWriteOncePod", "1.22", (PersistentVolumeClaim,)),
        lambda claim: "ReadWriteOncePod" in _listed(claim, "spec", "accessModes"),
        *("several pods may use the claim at once", "P-055"),
    ),
    Later(
        *("an empty selector of a policy/v1 budget", "1.21", (PodDisruptionBudget,)),
        lambda budget: budget.get("apiVersion") == "policy/v1" and _spec("selector")(budget) == {},
        *("it protects no pod instead of all", "E-030"),
    ),
)


def unheeded(cluster: Cluster) -> list[str]:
    """A line for each thing that v1.15 does not heed, and for classes that tell no priority."""
    users: dict[Later, list[KubernetesObject]] = {}
    for thing in cluster:
        for later in LATER:
            if isinstance(thing, later.kinds) and later.used(thing.document):
                users.setdefault(later, []).append(thing)
    told = [
        f"{later.name} (since {later.since}; {_users(users[later])}): {later.instead} [{later.rule}]"
        for later in LATER
        if later in users
    ]
    if unclassed := _unclassed(cluster):
        told.append(f"priorityClassName without that class ({_users(unclassed)}): the pod has priority 0 [O-050]")
    return told


def _unclassed(cluster: Cluster) -> list[KubernetesObject]:
    known = {"", *SYSTEM_PRIORITIES, *(each.name for each in cluster.priority_classes)}
    return [pod for pod in cluster.pods if pod.spec.priority is None and pod.spec.priority_class_name not in known]


def _users(things: list[KubernetesObject]) -> str:
    """`2 Pods, the first is default/a`"""
    kinds = Counter(thing.kind for thing in things)
    counts = " and ".join(counted(count, kind) for kind, count in kinds.items())
    return f"{counts}{', the first is' if len(things) > 1 else ''} {things[0].key}"
