"""Cases that give away mutants which the search did not find in its time, by the mutant's place."""

from collections.abc import Mapping
from typing import Any

from tests.mutants.survivors import WANTING

Document = dict[str, Any]

ZONE = "failure-domain.beta.kubernetes.io/zone"
HOSTNAME = "kubernetes.io/hostname"
CONFIGURATION: Document = {
    "percentageOfNodesToScore": 100,
    "hardPodAffinitySymmetricWeight": 1,
    "alwaysCheckAllPredicates": False,
}
DRAIN = {"op": "drain", "max": 5}


def _node(name: str, zone: str = "a", unschedulable: bool = False, allocatable: Document | None = None) -> Document:
    amounts = {"cpu": "4", "memory": "8Gi", "pods": "110"} | (allocatable or {})
    node = _object("Node", name, labels={HOSTNAME: name, ZONE: zone})
    return node | {"spec": {"unschedulable": unschedulable}, "status": {"allocatable": amounts}}


def _pod(name: str, labels: Mapping[str, str] | None = None, cpu: str = "0", **spec: Any) -> Document:
    container = {"name": "c0", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}
    made = _object("Pod", name, namespace="default", creationTimestamp="2019-11-30T22:00:00Z", labels=labels or {})
    return made | {
        "spec": {"schedulerName": "default-scheduler", "containers": [container], **spec},
        "status": {"phase": "Running" if "nodeName" in spec else "Pending"},
    }


def _object(kind: str, name: str, version: str = "v1", **metadata: Any) -> Document:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "uid": f"uid-of-{name}", **metadata}}


def _created(pod: Document) -> Document:
    return {"op": "create", "kind": "Pod", "object": pod}


def _trace(cluster: Document, *events: Document, **configuration: Any) -> Document:
    return {"kind": "e2e", "cluster": cluster, "config": CONFIGURATION | configuration, "events": list(events)}


def _decision(cluster: Document, pod: Document, **configuration: Any) -> Document:
    return {"kind": "schedule", "cluster": cluster, "pod": pod, "config": CONFIGURATION | configuration}


# --- the cases ------------------------------------------------------------------------------------


def _with_volume() -> tuple[Document, Document]:
    """A cluster with one volume, and a pod that wants it."""
    storage, modes = {"storage": "1Gi"}, {"storageClassName": "slow", "accessModes": ["ReadWriteOnce"]}
    claim = _object("PersistentVolumeClaim", "c", namespace="default", resourceVersion="1")
    volume = _object("PersistentVolume", "v", resourceVersion="1")
    waiting = {"provisioner": "kubernetes.io/no-provisioner", "volumeBindingMode": "WaitForFirstConsumer"}
    cluster = {
        "nodes": [_node("n1")],
        "pods": [],
        "persistentVolumes": [volume | {"spec": modes | {"capacity": storage}, "status": {"phase": "Available"}}],
        "persistentVolumeClaims": [claim | {"spec": modes | {"resources": {"requests": storage}}}],
        "storageClasses": [_object("StorageClass", "slow", "storage.k8s.io/v1") | waiting],
    }
    return cluster, _pod("p", volumes=[{"name": "v0", "persistentVolumeClaim": {"claimName": "c"}}])


def _claim_changed_meanwhile() -> Document:
    """Its volume is to be provisioned for a node that takes no pods any more at the second attempt."""
    cluster, pod = _with_volume()
    cluster["storageClasses"][0]["provisioner"] = "a.example"
    claim = {"kind": "PersistentVolumeClaim", "key": "default/c"}
    return _trace(
        cluster | {"persistentVolumes": []},
        {"op": "holdWatch", "kind": claim["kind"]},
        {"op": "patch", **claim, "patch": {"metadata": {"labels": _APP}}},
        _created(pod),
        DRAIN,
        {"op": "patch", "kind": "Node", "key": "n1", "patch": {"spec": {"unschedulable": True}}},
        {"op": "create", "kind": "Node", "object": _node("n2")},
        {"op": "advance", "ms": 5_000},
        DRAIN,
    )


def _late_decision() -> Document:
    return _decision({"nodes": [_node("n1"), _node("n2")], "pods": []}, _pod("p"), lastNodeIndex=2**63 - 1)


def _shaped(utilization: int) -> Document:
    shape = [{"utilization": 0, "score": 0}, {"utilization": utilization, "score": 10}]
    argument = {"requestedToCapacityRatioArguments": {"shape": shape}}
    priorities = [{"name": "Shaped", "weight": 1, "argument": argument}]
    return _decision({"nodes": [_node("n1")], "pods": []}, _pod("p"), priorities=priorities)


def _required(kind: str, selector: Document, key: str = HOSTNAME) -> Document:
    term = {"labelSelector": selector, "topologyKey": key}
    return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


_APP = {"app": "x"}
_BROKEN = _required("podAntiAffinity", {"matchExpressions": [{"key": "app", "operator": "In", "values": []}]})


def _terminating_meanwhile() -> Document:
    lone = _required("podAntiAffinity", {"matchLabels": _APP})
    terminating = {"metadata": {"deletionTimestamp": "2019-12-01T00:00:30Z", "deletionGracePeriodSeconds": 30}}
    return _trace(
        {"nodes": [_node("n1")], "pods": []},
        _created(_pod("a", _APP)),
        DRAIN,
        _created(_pod("b", affinity=lone)),
        DRAIN,
        {"op": "patch", "kind": "Pod", "key": "default/a", "patch": terminating},
        _created(_pod("c", affinity=lone)),
        DRAIN,
    )


def _one_of_two_alike_gone() -> Document:
    return _trace(
        {
            "nodes": [_node("n1", unschedulable=True), _node("n2")],
            "pods": [_pod("a", _APP, nodeName="n1"), _pod("b", _APP, nodeName="n2")],
        },
        _created(_pod("first")),
        DRAIN,
        {"op": "delete", "kind": "Pod", "key": "default/a"},
        _created(_pod("p", affinity=_required("podAntiAffinity", {"matchLabels": _APP}))),
        DRAIN,
    )


def _loses_its_spec() -> Document:
    return _trace(
        {"nodes": [], "pods": []},
        _created(_pod("p")),
        {"op": "holdWatch", "kind": "Pod"},
        {"op": "patch", "kind": "Pod", "key": "default/p", "patch": {"spec": None}},
        DRAIN,
        {"op": "create", "kind": "Node", "object": _node("n1")},
        {"op": "advance", "ms": 5_000},
        DRAIN,
    )


def _broken_on_a_vanished_node(*others: Document) -> Document:
    nodes = [_node("n1"), _node("n2", unschedulable=True), _node("n3", zone="b")]
    pods = [_pod("broken", nodeName="n1", affinity=_BROKEN), *others]
    return _trace(
        {"nodes": nodes, "pods": pods},
        _created(_pod("first")),
        DRAIN,
        {"op": "delete", "kind": "Node", "key": "n1"},
        _created(_pod("p", _APP, affinity=_required("podAffinity", {"matchLabels": _APP}, ZONE))),
        DRAIN,
    )


def _victims_of_the_same_service() -> Document:
    cluster = {
        "nodes": [_node("n1"), _node("n2", allocatable={"cpu": "1"})],
        "pods": [
            _pod("broken", nodeName="n2", affinity=_BROKEN),
            _pod("small", _APP, "1", nodeName="n1", priority=1),
            _pod("large", _APP, "3", nodeName="n1", priority=1),
        ],
        "services": [_object("Service", "s", namespace="default") | {"spec": {"selector": _APP}}],
    }
    argument = {"serviceAffinity": {"labels": ["rack"]}}
    predicates = ["PodFitsResources", {"name": "CheckServiceAffinity", "argument": argument}]
    return _trace(cluster, _created(_pod("p", _APP, "2", priority=100)), DRAIN, predicates=predicates)


def _service_elsewhere() -> Document:
    cluster = {
        "nodes": [_node("n1"), _node("n2", zone="b")],
        "pods": [_pod("like", _APP, nodeName="n1")],
        "services": [_object("Service", "s", namespace="elsewhere") | {"spec": {"selector": _APP}}],
    }
    argument = {"serviceAffinity": {"labels": [ZONE]}}
    return _decision(cluster, _pod("p", _APP), predicates=[{"name": "CheckServiceAffinity", "argument": argument}])


_BY_BEGINNING: Mapping[str, Document] = {
    "impl.algorithm:Algorithm.select: 64 → 63": _late_decision(),
    "impl.chosen_priorities:_shape_problem: 100 → 101": _shaped(101),
    "impl.pair_index:PairIndex.place: not placed.living": _one_of_two_alike_gone(),
    "impl.pair_index:PairIndex.place: terminating and tally.living": _terminating_meanwhile(),
    "impl.placement:placed: pod.document.get": _loses_its_spec(),
    "impl.predicates.pod_affinity_slow:SlowInterPodAffinity._reason: selected or": _broken_on_a_vanished_node(
        _pod("like", _APP, nodeName="n2")
    ),
    "impl.predicates.pod_affinity_slow:SlowInterPodAffinity._reason: kind.affinity_terms": _broken_on_a_vanished_node(),
    "impl.predicates.service_affinity:CheckServiceAffinity.added": _victims_of_the_same_service(),
    "impl.predicates.service_affinity:services_of: service.namespace": _service_elsewhere(),
    "impl.volumes:VolumeBinder._restore: self.claims.restore(claim.key)": _claim_changed_meanwhile(),
}

TELLING: Mapping[str, Document] = {
    place: case for beginning, case in _BY_BEGINNING.items() for place in WANTING if place.startswith(beginning)
}
