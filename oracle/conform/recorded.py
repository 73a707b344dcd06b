"""How recorded queue and cache runs are written down: objects by reference, states as what changed."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.decode import decode
from model.api.objects import AnyObject, KubernetesObject

ABOUT_THE_STEP = {"err", "result", "empty", "tiedAtPop", "snapshot", "fatal", "fatalKind"}
"""Members of a step that are not state."""

PIECEWISE = {"nodes", "podStates"}
"""Members of a state that are told entry by entry; an entry that is null is gone."""


class Objects:
    """The objects of a case by reference, and the reference of an object."""

    def __init__(self, documents: Mapping[str, Mapping[str, Any]], kind: type[AnyObject]) -> None:
        self._by_reference = {reference: decode(document, kind) for reference, document in documents.items()}
        self._references = {_version(thing): reference for reference, thing in self._by_reference.items()}

    def get(self, reference: str | None) -> Any:
        """The object; None for no reference.  Raises KeyError for an unknown one."""
        return None if reference is None else self._by_reference[reference]

    def reference(self, thing: KubernetesObject | None) -> str | None:
        """The reference of a version of an object; of one the case does not know, what it says of itself."""
        if thing is None:
            return None
        reference = self._references.get(version := _version(thing))
        return f"unknown {version}" if reference is None else reference

    def references(self, things: Iterator[KubernetesObject] | tuple[KubernetesObject, ...]) -> list[str]:
        return [str(self.reference(thing)) for thing in things]


def _version(thing: KubernetesObject) -> tuple[str, str, str]:
    metadata = thing.metadata
    return metadata.namespace, metadata.name, metadata.resource_version


def expanded(steps: list[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each step with the whole state after it; the state of a fatal step is empty."""
    state: dict[str, Any] = {}
    for step in steps:
        if "fatal" in step:
            yield step, {}
            return
        for name, value in step.items():
            if name in PIECEWISE and name in state:
                entries = {**state[name], **value}
                state[name] = {key: entry for key, entry in entries.items() if entry is not None}
            elif name not in ABOUT_THE_STEP:
                state[name] = value
        yield step, dict(state)
