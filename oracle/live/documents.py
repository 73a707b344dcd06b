"""Objects of kinds that no decision depends on: events, leases, and what else a scheduler keeps."""

from collections.abc import Mapping
from typing import Any

MOST = 5_000
"""Documents of one plural that are kept; of more, the oldest go."""

Document = Mapping[str, Any]


class Documents:
    """By plural and key.  They have a counter of their own for resourceVersions."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, Document]] = {}
        self._version = 0

    def get(self, plural: str, key: str) -> Document | None:
        return self._of(plural).get(key)

    def all(self, plural: str) -> list[Document]:
        return list(self._of(plural).values())

    def put(self, plural: str, key: str, document: Document) -> Document:
        self._version += 1
        stored = {**document, "metadata": {**document["metadata"], "resourceVersion": str(self._version)}}
        held = self._held.setdefault(plural, {})
        held[key] = stored
        if len(held) > MOST:
            del held[next(iter(held))]
        return stored

    def remove(self, plural: str, key: str) -> Document | None:
        return self._of(plural).pop(key, None)

    def _of(self, plural: str) -> dict[str, Document]:
        return self._held.get(plural, {})
