"""A pod put on a node: the copy that is assumed, made without decoding it again."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from attrs import AttrsInstance, fields

from model.api.objects import Pod, PodSpec

Value = TypeVar("Value", bound=AttrsInstance)


def placed(pod: Pod, node_name: str) -> Pod:
    """The pod with `spec.nodeName` set, in its document and in its typed view."""
    document = {**pod.document, "spec": {**(pod.document.get("spec") or {}), "nodeName": node_name}}
    return _with_document(pod, document=document, spec=_with_node_name(pod.spec, node_name=node_name))


def _copier(kind: type[Value]) -> Callable[..., Value]:
    """What `attrs.evolve` does, at a fifth of its time: the slots are copied one by one, unchecked."""
    names = [attribute.name for attribute in fields(kind)]
    read = attrgetter(*names)
    writers = {name: getattr(kind, name).__set__ for name in names}
    setters = tuple(writers.values())

    def copy(original: Value, **changes: Any) -> Value:
        twin = object.__new__(kind)
        for write, value in zip(setters, read(original), strict=True):
            write(twin, value)
        for name, value in changes.items():
            writers[name](twin, value)
        return twin

    return copy


_with_document = _copier(Pod)
_with_node_name = _copier(PodSpec)
