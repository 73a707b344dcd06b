"""The form in which the API server keeps an object: what is left after one trip through its JSON.

A document is canonical when equality of documents is the deep equality of O-005: quantities have
their canonical spelling, and what Go's encoder omits is omitted.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from model.api.quantity import QuantityError, parse_quantity

QUANTITY_MAPS = {"requests", "limits", "allocatable", "capacity"}
FREE_MAPS = {"labels", "annotations", "nodeSelector", "matchLabels", "parameters"} | QUANTITY_MAPS
"""Maps with keys of the user's choice: omitted when empty, otherwise kept as they are."""

PLAIN_SELECTORS = {"Service", "ReplicationController"}
"""Kinds whose `spec.selector` is such a map; elsewhere a selector is an object, and `{}` is not absence."""

POINTERS = {
    "activeDeadlineSeconds",
    "allowVolumeExpansion",
    "blockOwnerDeletion",
    "controller",
    "deletionGracePeriodSeconds",
    "enableServiceLinks",
    "globalDefault",
    "maxUnavailable",
    "minAvailable",
    "preemptionPolicy",
    "priority",
    "reclaimPolicy",
    "replicas",
    "storageClassName",
    "terminationGracePeriodSeconds",
    "tolerationSeconds",
    "volumeBindingMode",
    "volumeMode",
}
"""Optional scalars that tell zero from absent."""

OMITTED_STRUCTS = {"status", "resources", "spec"}
"""Structs that are written even when empty: `{}` is absence."""


COMPUTED = "+00:00"
"""How a time ends that a client computed and nobody read from JSON since; Go's deep equality tells them apart."""


def canonical(document: Mapping[str, Any]) -> dict[str, Any]:
    """The canonical form of one object; the argument is not changed."""
    kept = _object(document)
    spec = kept.get("spec")
    if document.get("kind") in PLAIN_SELECTORS and spec and not spec.get("selector", True):
        kept["spec"] = {name: value for name, value in spec.items() if name != "selector"}
    return kept


def _object(document: Mapping[str, Any]) -> dict[str, Any]:
    kept = {}
    for name, value in document.items():
        if isinstance(value, dict):
            value = _free_map(name, value) if name in FREE_MAPS else _object(value)
            if not value and (name in FREE_MAPS or name in OMITTED_STRUCTS):
                continue
        elif isinstance(value, list):
            value = [_object(item) if isinstance(item, dict) else item for item in value]
            if not value:
                continue
        elif value is None or (not value and name not in POINTERS):
            continue
        elif isinstance(value, str) and value.endswith(COMPUTED) and name.endswith(("Time", "Timestamp")):
            value = value.removesuffix(COMPUTED) + "Z"
        kept[name] = value
    return kept


def _free_map(name: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    if name in QUANTITY_MAPS:
        return {key: canonical_quantity(value) for key, value in entries.items()}
    return dict(entries)


def canonical_quantity(value: Any) -> Any:
    """`9000m` becomes `9`; a value that is no quantity is left for the decoder to complain about."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return "0" if value is None else value
    text = value.strip() if isinstance(value, str) else repr(value)
    spelled = _canonical_spelling(text)
    return value if spelled is None else spelled


@lru_cache(maxsize=4096)
def _canonical_spelling(text: str) -> str | None:
    """None for what is no quantity."""
    try:
        number = parse_quantity(text).number
    except QuantityError:
        return None
    suffix = text.lstrip("+-0123456789.")
    if suffix.endswith("i") and abs(number) >= 1024 and number.denominator == 1:
        return _binary(int(number))
    exponential = suffix[:1] in {"e", "E"} and len(suffix) > 1
    return _decimal(number, exponential) or text


def _binary(number: int) -> str:
    suffixes = iter(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))
    suffix = ""
    while number % 1024 == 0 and (larger := next(suffixes, None)):
        number, suffix = number // 1024, larger
    return f"{number}{suffix}"


def _decimal(number: Fraction, exponential: bool) -> str | None:
    """With the largest power of 1000 that leaves a whole number; None beyond the known suffixes."""
    if number == 0:
        return "0"
    mantissa, exponent = int(number * 10**9), -9
    while mantissa % 1000 == 0:
        mantissa, exponent = mantissa // 1000, exponent + 3
    if exponential:
        return f"{mantissa}e{exponent}" if exponent else str(mantissa)
    suffixes = {-9: "n", -6: "u", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
    return f"{mantissa}{suffixes[exponent]}" if exponent in suffixes else None
