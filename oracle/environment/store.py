"""What the API server holds: objects by kind in order of creation, and one resourceVersion for all."""

from collections.abc import Iterator
from typing import Any, Protocol

from model.api.decode import decode
from model.api.objects import KINDS, Document, KubernetesObject
from oracle.environment.watches import Change
from oracle.environment.wire import canonical


class Publisher(Protocol):
    """Whoever wants to know of every write: exactly one change for each resourceVersion."""

    def publish(self, change: Change) -> None: ...


class Store:
    """Every write goes to the watches; a write that changes nothing is none."""

    def __init__(self, watches: Publisher) -> None:
        self._watches = watches
        self._objects: dict[str, dict[str, KubernetesObject]] = {kind: {} for kind in KINDS}
        self._version = 0
        self._news: dict[str, set[str]] = {kind: set() for kind in KINDS}
        self._created: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        """The version with which each object came into being."""

    def get(self, kind: str, key: str) -> KubernetesObject | None:
        return self._objects[kind].get(key)

    def all(self, kind: str) -> Iterator[KubernetesObject]:
        """In order of creation; the store may be changed meanwhile."""
        return iter(list(self._objects[kind].values()))

    def take_news(self, kind: str) -> list[KubernetesObject]:
        """What was written since the last time this was asked, in order of creation."""
        news, held = self._news[kind], self._objects[kind]
        self._news[kind] = set()
        return [held[key] for key in sorted(news & held.keys(), key=self._created[kind].__getitem__)]

    def write(self, kind: str, document: Document) -> KubernetesObject:
        """Create or replace; answers what is stored then.  Raises ManifestError."""
        before = self._objects[kind].get(key_of(document))
        if before is not None and _is_same(document, before):
            return before
        thing = decode(_stamped(document, str(self._version + 1)), KINDS[kind])
        self._version += 1
        self._created[kind].setdefault(thing.key, self._version)
        self._objects[kind][thing.key] = thing
        self._news[kind].add(thing.key)
        self._watches.publish(Change(before, thing))
        return thing

    def remove(self, thing: KubernetesObject) -> None:
        self._version += 1
        del self._objects[thing.kind][thing.key], self._created[thing.kind][thing.key]
        self._watches.publish(Change(thing, None))


def key_of(document: Document) -> str:
    """`namespace/name`, or just `name`.  [O-011]"""
    metadata = document.get("metadata") or {}
    name, namespace = metadata.get("name", ""), metadata.get("namespace")
    return f"{namespace}/{name}" if namespace else str(name)


def _is_same(document: Document, stored: KubernetesObject) -> bool:
    """Whether a write changes nothing but the version."""
    unchanged = _stamped(document, stored.metadata.resource_version)
    return unchanged == stored.document or unchanged == canonical(stored.document)


def _stamped(document: Document, version: str) -> dict[str, Any]:
    return {**document, "metadata": {**document.get("metadata", {}), "resourceVersion": version}}
