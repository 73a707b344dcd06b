"""Objects of kinds that no decision depends on: events, leases, and what else a scheduler keeps."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

MOST = 5_000
"""Documents of one plural that are kept; of more, the oldest go."""

Document = Mapping[str, Any]


class Documents:
    """By plural and key.  They have a counter of their own for resourceVersions."""

    def __init__(self) -> None:
        self._held: dict[str, OrderedDict[str, dict[str, Any]]] = {}
        self._version = 0

    def get(self, plural: str, key: str) -> Document | None:
        return self._held.get(plural, {}).get(key)

    def all(self, plural: str) -> list[Document]:
        return list(self._held.get(plural, {}).values())

    def put(self, plural: str, key: str, document: Document) -> Document:
        self._version += 1
        stored = {**document, "metadata": {**document["metadata"], "resourceVersion": str(self._version)}}
        held = self._held.setdefault(plural, OrderedDict())
        held[key] = stored
        if len(held) > MOST:
            held.popitem(last=False)
        return stored

    def remove(self, plural: str, key: str) -> Document | None:
        return self._held.get(plural, OrderedDict()).pop(key, None)
