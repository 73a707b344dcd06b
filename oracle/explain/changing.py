"""What a suggested change does to the cluster and to the pod."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from model.api.amounts import amount
from model.api.cluster import Cluster
from model.api.decode import amended, decode
from model.api.objects import LabelSelector, Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass, Taint
from model.api.resources import container_sum
from oracle.smt.changes import (
    BindClaim,
    Change,
    CreateClaim,
    CreateClass,
    DropHostPort,
    DropNodeAffinity,
    DropNodeSelector,
    DropPodAffinity,
    DropPodAntiAffinity,
    DropVolume,
    FreeResource,
    LabelNode,
    LowerRequest,
    ProvideVolume,
    RaisePodLimit,
    RaiseVolumeLimit,
    RemovePods,
    RemoveTaint,
    Tolerate,
    Uncordon,
)
from oracle.smt.node_constraints import UNSCHEDULABLE
from oracle.smt.resources import of
from oracle.smt.volume_binding import BIND_COMPLETED

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def changed(changes: Iterable[Change], cluster: Cluster, pod: Pod) -> tuple[Cluster, Pod]:
    """The cluster and the pod after all of the changes; terms are dropped from the last, so that indexes stay right."""
    for change in sorted(changes, key=lambda change: -getattr(change, "index", 0)):
        pod = changed_pod(change, pod)
        cluster = changed_cluster(change, cluster)
    return cluster, pod


def changed_pod(change: Change, pod: Pod) -> Pod:
    spec = pod.document.get("spec", {})
    match change:
        case LowerRequest(resource, to):
            return _lowered(pod, resource, to)
        case Tolerate(Taint(key, value, effect)):
            own = {"key": key, "operator": "Equal", "value": value, "effect": effect}
            return amended(pod, {"spec": {"tolerations": [*(spec.get("tolerations") or ()), own]}})
        case DropNodeSelector(key):
            return amended(pod, {"spec": {"nodeSelector": {key: None}}})
        case DropVolume(name):
            return amended(pod, {"spec": {"volumes": [v for v in spec["volumes"] if v.get("name") != name]}})
        case DropHostPort(port):
            return _of_each_container(pod, lambda container: _without_port(container, port))
        case DropNodeAffinity():
            return amended(pod, {"spec": {"affinity": {"nodeAffinity": {REQUIRED: None}}}})
        case DropPodAffinity():
            return amended(pod, {"spec": {"affinity": {"podAffinity": {REQUIRED: None}}}})
        case DropPodAntiAffinity(index):
            terms = list(spec["affinity"]["podAntiAffinity"][REQUIRED])
            del terms[index]
            return amended(pod, {"spec": {"affinity": {"podAntiAffinity": {REQUIRED: terms}}}})
    return pod


def changed_cluster(change: Change, cluster: Cluster) -> Cluster:
    match change:
        case FreeResource(node, resource, wanted):
            return _freed(cluster, node, resource, wanted)
        case RaisePodLimit(node, to):
            return _with_node(cluster, node, {"status": {"allocatable": {"pods": str(to)}}})
        case RaiseVolumeLimit(node, resource, to):
            return _with_node(cluster, node, {"status": {"allocatable": {resource: str(to)}}})
        case RemovePods(pods):
            return cluster.having(pods=tuple(pod for pod in cluster.pods if pod.key not in pods))
        case Uncordon(node):
            return _with_node(cluster, node, {"spec": {"unschedulable": None} | _without(UNSCHEDULABLE, cluster, node)})
        case RemoveTaint(node, taint):
            return _with_node(cluster, node, {"spec": _without(taint, cluster, node)})
        case LabelNode(node, key, value):
            return _with_node(cluster, node, {"metadata": {"labels": {key: value}}})
        case ProvideVolume(claim):
            return cluster.having(persistent_volumes=(*cluster.persistent_volumes, _fitting(_claim(cluster, claim))))
        case BindClaim(claim):
            return _bound(cluster, _claim(cluster, claim))
        case CreateClaim(claim):
            namespace, name = claim.split("/")
            return _bound(cluster, decode({"metadata": {"namespace": namespace, "name": name}}, PersistentVolumeClaim))
        case CreateClass(name):
            new = {"metadata": {"name": name}, "provisioner": "any", "volumeBindingMode": "WaitForFirstConsumer"}
            return cluster.having(storage_classes=(*cluster.storage_classes, decode(new, StorageClass)))
    return cluster


def _node(cluster: Cluster, name: str) -> Node:
    return next(node for node in cluster.nodes if node.name == name)


def _with_node(cluster: Cluster, name: str, patch: Mapping[str, Any]) -> Cluster:
    return cluster.having(nodes=tuple(amended(n, patch) if n.name == name else n for n in cluster.nodes))


def _without(taint: Taint, cluster: Cluster, node: str) -> dict[str, Any]:
    return {"taints": [_written(each) for each in _node(cluster, node).spec.taints if each != taint]}


def _written(taint: Taint) -> dict[str, str]:
    return {"key": taint.key, "value": taint.value, "effect": taint.effect}


def _claim(cluster: Cluster, key: str) -> PersistentVolumeClaim:
    return next(claim for claim in cluster.persistent_volume_claims if claim.key == key)


def _bound(cluster: Cluster, claim: PersistentVolumeClaim) -> Cluster:
    """The claim, new or in place of the one of its name, with a volume of its own."""
    volume = _fitting(claim)
    patch = {"metadata": {"annotations": {BIND_COMPLETED: "yes"}}, "spec": {"volumeName": volume.name}}
    others = (each for each in cluster.persistent_volume_claims if each.key != claim.key)
    return cluster.having(
        persistent_volume_claims=(*others, amended(claim, patch)),
        persistent_volumes=(*cluster.persistent_volumes, volume),
    )


def _fitting(claim: PersistentVolumeClaim) -> PersistentVolume:
    """A volume that the claim would accept on every node."""
    selector = claim.spec.selector or LabelSelector()
    labels = dict(selector.match_labels)
    labels |= {each.key: (*each.values, "")[0] for each in selector.match_expressions if "Not" not in each.operator}
    size = claim.spec.resources.requests.get("storage")
    return decode(
        {
            "metadata": {"name": f"for {claim.key}", "labels": labels},
            "spec": {
                "capacity": {"storage": size.text if size else "0"},
                "accessModes": list(claim.spec.access_modes),
                "storageClassName": claim.spec.storage_class_name or "",
                "volumeMode": claim.spec.volume_mode,
            },
            "status": {"phase": "Available"},
        },
        PersistentVolume,
    )


# --- requests -------------------------------------------------------------------------------------


def _freed(cluster: Cluster, node: str, resource: str, wanted: int) -> Cluster:
    """The pods on the node ask for less, one after the other, until so much is free."""
    pods: list[Pod] = []
    for pod in cluster.pods:
        if pod.spec.node_name == node and wanted > 0:
            have = of(container_sum(pod), resource)
            less = _lowered(pod, resource, max(0, have - wanted))
            wanted -= have - of(container_sum(less), resource)
            pods.append(less)
        else:
            pods.append(pod)
    return cluster.having(pods=tuple(pods))


def _lowered(pod: Pod, resource: str, to: int) -> Pod:
    """The pod's containers together ask for `to` at most, and so does each of its init containers."""
    left = to

    def share(container: dict[str, Any]) -> dict[str, Any]:
        nonlocal left
        lower = _asking_at_most(container, resource, left)
        left -= min(left, of(container_sum(_of_one(lower)), resource))
        return lower

    lower = _of_each_container(pod, share)
    init = pod.document["spec"].get("initContainers") or ()
    return amended(lower, {"spec": {"initContainers": [_asking_at_most(each, resource, to) for each in init]}})


def _asking_at_most(container: dict[str, Any], resource: str, most: int) -> dict[str, Any]:
    resources = container.get("resources") or {}
    if resource not in (resources.get("requests") or {}) or of(container_sum(_of_one(container)), resource) <= most:
        return container
    requests = resources["requests"] | {resource: amount(resource, most)}
    return container | {"resources": resources | {"requests": requests}}


def _of_one(container: dict[str, Any]) -> Pod:
    return decode({"metadata": {}, "spec": {"containers": [container]}}, Pod)


def _without_port(container: dict[str, Any], port: int) -> dict[str, Any]:
    return container | {"ports": [each for each in container.get("ports") or () if each.get("hostPort") != port]}


def _of_each_container(pod: Pod, alter: Callable[[dict[str, Any]], dict[str, Any]]) -> Pod:
    return amended(
        pod, {"spec": {"containers": [alter(each) for each in pod.document["spec"].get("containers") or ()]}}
    )
