"""What the API server would fill in: defaults of a hand-written manifest that the scheduler's decisions depend on.

A document that has been through an API server has all of them already and comes back as it is.
Documents are not changed in place.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID, uuid5

from model.api.objects import Document, KubernetesObject

_UIDS = UUID("6f1b6ad4-4b5e-4f0c-9a43-6f1c0c1d5a0e")
"""The name space of made-up uids: the same object gets the same uid in every run."""


def defaulted(document: Document, kind: type[KubernetesObject]) -> Document:
    """The document with its identity complete and the defaults of its kind.

    Values of the wrong type are left alone; decoding reports them.
    """
    fill = _OF_KIND.get(kind.kind)
    identified = {**document, "metadata": _identity(document, kind)}
    return fill(identified) if fill else identified


def _identity(document: Document, kind: type[KubernetesObject]) -> Any:
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return metadata
    namespace = {"namespace": metadata.get("namespace") or "default"} if kind.namespaced else {}
    known = {key: value for key, value in metadata.items() if key != "namespace" or kind.namespaced}
    name = f"{kind.kind}/{namespace.get('namespace', '')}/{metadata.get('name')}"
    return {**known, **namespace, "uid": metadata.get("uid") or str(uuid5(_UIDS, name))}


def _pod(document: Document) -> Document:
    document = _amend(document, "spec", _pod_spec)
    return _amend(document, "status", lambda status: _absent(status, phase="Pending"))


def _pod_spec(spec: Document) -> Document:
    on_host = spec.get("hostNetwork") is True
    filled = _absent(spec, schedulerName="default-scheduler")
    for containers in ("initContainers", "containers"):
        filled = _amend_each(filled, containers, lambda container: _container(container, on_host))
    return filled


def _container(container: Document, on_host: bool) -> Document:
    container = _amend_each(container, "ports", lambda port: _port(port, on_host))
    resources = container.get("resources")
    if not isinstance(resources, dict) or not isinstance(resources.get("limits"), dict):
        return container
    return {**container, "resources": _amend(resources, "requests", lambda r: {**resources["limits"], **r})}


def _port(port: Document, on_host: bool) -> Document:
    number = {"hostPort": port["containerPort"]} if on_host and "containerPort" in port else {}
    return _absent(port, protocol="TCP", **number)


def _node(document: Document) -> Document:
    def allocatable_is_capacity(status: Document) -> Document:
        return _absent(status, allocatable=status["capacity"]) if "capacity" in status else status

    return _amend(document, "status", allocatable_is_capacity)


def _volume_mode(document: Document) -> Document:
    return _amend(document, "spec", lambda spec: _absent(spec, volumeMode="Filesystem"))


def _storage_class(document: Document) -> Document:
    return _absent(document, volumeBindingMode="Immediate")


_OF_KIND: Mapping[str, Callable[[Document], Document]] = {
    "Pod": _pod,
    "Node": _node,
    "PersistentVolume": _volume_mode,
    "PersistentVolumeClaim": _volume_mode,
    "StorageClass": _storage_class,
}


def _absent(document: Document, **defaults: Any) -> Document:
    """The document with defaults for what is absent, null or empty text."""
    missing = {key: value for key, value in defaults.items() if document.get(key) in (None, "")}
    return {**document, **missing} if missing else document


def _amend(document: Document, key: str, change: Callable[[Document], Document]) -> Document:
    """Change the object under `key`, an absent one counting as empty."""
    inner = document.get(key)
    if inner is not None and not isinstance(inner, dict):
        return document
    return {**document, key: change(inner or {})}


def _amend_each(document: Document, key: str, change: Callable[[Document], Document]) -> Document:
    """Change every object of the list under `key`."""
    inner = document.get(key)
    if not isinstance(inner, list):
        return document
    return {**document, key: [change(item) if isinstance(item, dict) else item for item in inner]}
