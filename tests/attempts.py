"""Small clusters written in one line each, and attempts about a pod in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from model.api.cluster import Cluster
from model.api.components import Situation
from model.api.configuration import Configuration
from model.api.decode import decode
from model.api.objects import (
    KubernetesObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Service,
    StorageClass,
)
from model.attempt import Attempt
from model.decision import taken_in
from model.fits import pod_fits
from model.predicates.registry import PREDICATES
from model.quirks import EVERY, Quirks
from model.releases import v1_15_3
from tests import building


def pod(
    name: str = "in", labels: Mapping[str, str] | None = None, requests: Mapping[str, str] | None = None, **more: Any
) -> Pod:
    if requests is not None:
        more["containers"] = [{"name": "c", "resources": {"requests": dict(requests)}}]
    return building.pod(name, labels=labels, **more)


def node(name: str, labels: Mapping[str, str] | None = None, allocatable: Mapping[str, str] | None = None) -> Node:
    """Ample unless `allocatable` says otherwise."""
    return building.node(name, labels=labels, **(allocatable or {}))


def term(key: str, selector: Mapping[str, Any] | None) -> dict[str, Any]:
    """`selector`: labels to match, or a whole label selector if it has match expressions."""
    whole = selector if selector is None or "matchExpressions" in selector else {"matchLabels": dict(selector)}
    return {"topologyKey": key, "labelSelector": whole}


def affinity(*terms: Mapping[str, Any], anti: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    listed: dict[str, Any] = {}
    if terms:
        listed["podAffinity"] = {required: list(terms)}
    if anti:
        listed["podAntiAffinity"] = {required: list(anti)}
    return listed


def service(name: str, selector: Mapping[str, str] | None) -> Service:
    return decode({"metadata": {"name": name, "namespace": "default"}, "spec": {"selector": selector}}, Service)


def storage_class(name: str, mode: str | None = "WaitForFirstConsumer", **fields: Any) -> StorageClass:
    return decode({"metadata": {"name": name}, "volumeBindingMode": mode, **fields}, StorageClass)


def claim(
    name: str, size: str = "1Gi", annotations: Mapping[str, str] | None = None, **spec: Any
) -> PersistentVolumeClaim:
    """Of class `local` unless `spec` says otherwise."""
    metadata = {
        "name": name,
        "namespace": "default",
        "uid": f"uid-{name}",
        "resourceVersion": "5",
        "annotations": dict(annotations or {}),
    }
    requests = {"storageClassName": "local", "resources": {"requests": {"storage": size}}}
    return decode({"metadata": metadata, "spec": {**requests, **spec}}, PersistentVolumeClaim)


def bound_claim(name: str, volume: str, **spec: Any) -> PersistentVolumeClaim:
    return claim(name, annotations={"pv.kubernetes.io/bind-completed": "yes"}, volumeName=volume, **spec)


def volume(
    name: str, size: str = "1Gi", only_on: str = "", phase: str = "Available", **fields: Any
) -> PersistentVolume:
    """Of class `local`, reaching every node or those labelled host=`only_on`; `fields` go to the spec."""
    metadata = {"name": name, "resourceVersion": "7", **fields.pop("metadata", {})}
    spec: dict[str, Any] = {"storageClassName": "local", "capacity": {"storage": size}, **fields}
    if only_on:
        expression = {"key": "host", "operator": "In", "values": [only_on]}
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
    return decode({"metadata": metadata, "spec": spec, "status": {"phase": phase}}, PersistentVolume)


def mounts(*claims: str) -> list[dict[str, Any]]:
    """The volumes of a pod that mounts these claims."""
    return [{"name": f"v{i}", "persistentVolumeClaim": {"claimName": name}} for i, name in enumerate(claims)]


def attempt(
    about: Pod,
    *cluster: KubernetesObject,
    quirks: Quirks = EVERY,
    configuration: Configuration | None = None,
    gates: Mapping[str, bool] | None = None,
) -> Attempt:
    """An attempt about the pod; pods of the cluster are on the node they name."""
    configuration = evolve(configuration or Configuration(), feature_gates=dict(gates or {}))
    situation = Situation(Cluster.of(cluster), about, configuration)
    return taken_in(situation, v1_15_3(configuration, quirks)).attempt


def reasons(attempt: Attempt, predicate: str, on: str) -> tuple[str, ...]:
    """What the predicate has against the node.  Raises PredicateError."""
    return tuple(reason.text for reason in PREDICATES[predicate](attempt, attempt.snapshot[on]))


def feasible(attempt: Attempt) -> list[str]:
    """The nodes that pass all configured predicates, by name.  Raises PredicateError."""
    return sorted(name for name, info in attempt.snapshot.items() if not pod_fits(attempt, info, check_all=False))
