"""From Kubernetes JSON to objects and back.

Decoding follows Go: `null` is absence, unknown fields are dropped from the typed view, and a value of
the wrong type is an error.  [O-005]
"""

from collections.abc import Mapping
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

import attrs
from cattrs import (
    AttributeValidationNote,
    ClassValidationError,
    Converter,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, override

from model.api.bad_input import BadInput
from model.api.integers import INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN
from model.api.objects import KINDS, AnyObject, Document, Int32, KubernetesObject
from model.api.quantity import Quantity, QuantityError, parse_quantity

T = TypeVar("T")


class ManifestError(BadInput):
    """An object that cannot be understood; the message names the object and the field."""


_RENAMED = {
    "host_ip": "hostIP",
    "pd_name": "pdName",
    "volume_id": "volumeID",
    "node_id": "nodeID",
}
_AFFINITY = {
    "required": "requiredDuringSchedulingIgnoredDuringExecution",
    "preferred": "preferredDuringSchedulingIgnoredDuringExecution",
}
_AFFINITY_TYPES = {"NodeAffinity", "PodAffinity"}


def json_name(attribute: str, owner: str = "") -> str:
    """The API's spelling of an attribute of the class called `owner`."""
    if owner in _AFFINITY_TYPES:
        return _AFFINITY[attribute]
    if attribute in _RENAMED:
        return _RENAMED[attribute]
    head, *tail = attribute.split("_")
    return head + "".join(word.capitalize() for word in tail)


def _scalar(kind: type[T], zero: T, expected: str) -> Any:
    def structure(value: Any, _: Any) -> T:
        if value is None:
            return zero
        if type(value) is not kind:
            raise ValueError(f"expected {expected}, got {_describe(value)}")
        return value

    return structure


def _integer(lowest: int, highest: int) -> Any:
    any_integer = _scalar(int, 0, "an integer")

    def structure(value: Any, _: Any) -> int:
        number: int = any_integer(value, int)
        if not lowest <= number <= highest:
            raise ValueError(f"expected an integer from {lowest} to {highest}, got {_describe(value)}")
        return number

    return structure


def _describe(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    try:
        text = repr(value)
    except ValueError:  # Python does not write integers of thousands of digits
        return "an enormous number"
    return text if len(text) <= 60 else text[:57] + "..."


def _quantity(value: Any, _: Any) -> Quantity:
    if value is None:
        return parse_quantity("0")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"expected a quantity, got {_describe(value)}")
    text = value.strip() if isinstance(value, str) else repr(value)
    try:
        return parse_quantity(text)
    except QuantityError as error:
        raise ValueError(f"{error}, got {_describe(value)}") from None


def _time(value: Any, _: Any) -> datetime:
    if not isinstance(value, str):
        raise ValueError(f"expected an RFC 3339 time, got {_describe(value)}")
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(f"expected an RFC 3339 time, got {_describe(value)}") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _origin(kind: Any) -> Any:
    return get_origin(kind)


def _expect_object(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {_describe(value)}")
    return value


def _converter() -> Converter:
    converter = Converter(detailed_validation=True)
    converter.register_structure_hook(str, _scalar(str, "", "a string"))
    converter.register_structure_hook(bool, _scalar(bool, False, "a boolean"))
    converter.register_structure_hook(int, _integer(INT64_MIN, INT64_MAX))
    converter.register_structure_hook_func(lambda kind: kind is Int32, _integer(INT32_MIN, INT32_MAX))
    converter.register_structure_hook(Quantity, _quantity)
    converter.register_structure_hook(datetime, _time)

    @converter.register_structure_hook_factory(lambda kind: _origin(kind) is tuple)
    def _tuples(kind: Any) -> Any:
        base = converter.get_structure_hook(list[get_args(kind)[0]])  # type: ignore[misc]

        def structure(value: Any, _: Any) -> tuple[Any, ...]:
            if value is None:
                return ()
            if not isinstance(value, list):
                raise ValueError(f"expected a list, got {_describe(value)}")
            return tuple(base(value, list))

        return structure

    @converter.register_structure_hook_factory(lambda kind: _origin(kind) is Mapping)
    def _maps(kind: Any) -> Any:
        base = converter.get_structure_hook(dict[get_args(kind)])  # type: ignore[misc]
        return lambda value, _: base(_expect_object(value), dict)

    @converter.register_structure_hook_factory(attrs.has)
    def _classes(kind: Any) -> Any:
        base = make_dict_structure_fn(
            kind,
            converter,
            **{f.name: override(rename=json_name(f.name, kind.__name__)) for f in attrs.fields(kind)},  # type: ignore[arg-type]
        )
        return lambda value, _: base(_expect_object(value), kind)

    return converter


@cache
def _shared_converter() -> Converter:
    return _converter()


def structure(document: Any, kind: type[T]) -> T:
    """Read any attrs class of the vocabulary from its JSON form.

    Raises ManifestError with the field path, for instance `spec.priority: expected an integer, got 'x'`.
    """
    try:
        return _shared_converter().structure(document, kind)
    except Exception as error:
        raise ManifestError(_first_problem(error)) from None


def _first_problem(error: Exception, path: str = "") -> str:
    """The innermost first cause, after the path to it in the API's spelling."""
    if isinstance(error, ClassValidationError | IterableValidationError):
        located, unlocated = error.group_exceptions()
        if located:
            cause, place = located[0]
            return _first_problem(cause, path + _step(place, error.cl.__name__, first=not path))
        return _first_problem(unlocated[0], path)
    return f"{path}: {_complaint(error)}" if path else _complaint(error)


def _step(place: AttributeValidationNote | IterableValidationNote, owner: str, first: bool) -> str:
    if isinstance(place, IterableValidationNote):
        return f"[{place.index}]"
    return ("" if first else ".") + json_name(place.name, owner)


def _complaint(problem: BaseException) -> str:
    return "required, but missing" if isinstance(problem, KeyError) else str(problem)


def decode(document: Document, kind: type[AnyObject]) -> AnyObject:
    """Read one object of a known kind.  Raises ManifestError naming kind, object and field."""
    if not isinstance(document, dict):
        raise ManifestError(f"{kind.kind}: expected an object, got {_describe(document)}")
    try:
        return structure({**document, "document": document}, kind)
    except ManifestError as error:
        raise ManifestError(f"{kind.kind} {_label(document)}: {error}") from None


def decode_any(document: Document) -> KubernetesObject:
    """Read one object by its own `kind`.  Raises ManifestError, also for a kind that is not in KINDS."""
    name = document.get("kind", "")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ManifestError(f"unknown kind {name!r:.60}")
    return decode(document, kind)


def _label(document: Document) -> str:
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return "(unnamed)"
    name = metadata.get("name") or metadata.get("generateName") or "(unnamed)"
    return f"{metadata['namespace']}/{name}" if metadata.get("namespace") else str(name)


def encode(thing: KubernetesObject) -> dict[str, Any]:
    """The object in Kubernetes' JSON form; decoding it again gives an equal object."""
    return {"apiVersion": thing.api_version, "kind": thing.kind, **thing.document}


def merge_patch(target: Any, patch: Any) -> Any:
    """RFC 7386."""
    if not isinstance(patch, dict):
        return deepcopy(patch)
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def amended(thing: AnyObject, patch: Document) -> AnyObject:
    """The object changed by a merge patch (RFC 7386) of its JSON form."""
    return decode(merge_patch(thing.document, patch), type(thing))
