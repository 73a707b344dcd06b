"""Which resources are served, and under which paths."""

from collections.abc import Iterator, Mapping

from attrs import frozen


@frozen
class Resource:
    """One plural of one API group; `group_version` as in `apiVersion`."""

    group_version: str
    plural: str
    kind: str
    namespaced: bool = True


def _core() -> Iterator[Resource]:
    yield Resource("v1", "pods", "Pod")
    yield Resource("v1", "nodes", "Node", namespaced=False)
    yield Resource("v1", "services", "Service")
    yield Resource("v1", "replicationcontrollers", "ReplicationController")
    yield Resource("v1", "persistentvolumes", "PersistentVolume", namespaced=False)
    yield Resource("v1", "persistentvolumeclaims", "PersistentVolumeClaim")
    yield Resource("v1", "namespaces", "Namespace", namespaced=False)
    yield Resource("v1", "events", "Event")
    yield Resource("v1", "endpoints", "Endpoints")
    yield Resource("v1", "configmaps", "ConfigMap")


def _groups() -> Iterator[Resource]:
    yield Resource("apps/v1", "replicasets", "ReplicaSet")
    yield Resource("apps/v1", "statefulsets", "StatefulSet")
    for version in ("v1", "v1beta1"):
        yield Resource(f"policy/{version}", "poddisruptionbudgets", "PodDisruptionBudget")
        yield Resource(f"storage.k8s.io/{version}", "storageclasses", "StorageClass", namespaced=False)
        yield Resource(f"storage.k8s.io/{version}", "csinodes", "CSINode", namespaced=False)
        yield Resource(f"scheduling.k8s.io/{version}", "priorityclasses", "PriorityClass", namespaced=False)
        yield Resource(f"events.k8s.io/{version}", "events", "Event")
        yield Resource(f"coordination.k8s.io/{version}", "leases", "Lease")


RESOURCES: Mapping[tuple[str, str], Resource] = {
    (resource.group_version, resource.plural): resource for resource in (*_core(), *_groups())
}
"""What discovery tells of.  Any other plural may be listed, and is empty."""


def group_versions() -> tuple[str, ...]:
    """Of the named groups, without the core `v1`; the preferred version of a group first."""
    return tuple(dict.fromkeys(version for version, _ in RESOURCES if "/" in version))
