"""Patches: merge (RFC 7386), JSON (RFC 6902), and the strategic merge of Kubernetes as far as objects here need it."""

from collections.abc import Mapping
from typing import Any

from jsonpatch import JsonPatch, JsonPatchException
from jsonpointer import JsonPointerException

from model.api.decode import merge_patch
from oracle.live.refusals import Refused, bad_request

_MERGE_KEYS = {
    "conditions": ("type",),
    "containers": ("name",),
    "initContainers": ("name",),
    "env": ("name",),
    "volumes": ("name",),
    "taints": ("key",),
    "addresses": ("type",),
    "ownerReferences": ("uid",),
    "ports": ("containerPort", "port"),
}
"""Lists whose members are merged one by one, and what tells their members apart; other lists are replaced."""

_SETS = {"finalizers"}
"""Lists of plain values that are added to."""


def patched(document: Mapping[str, Any], patch: Any, media: str) -> Any:
    """Raises Refused for a patch of another sort, or one that does not apply."""
    match media:
        case "application/merge-patch+json":
            return merge_patch(document, patch)
        case "application/strategic-merge-patch+json":
            if not isinstance(patch, dict):
                raise bad_request("a strategic merge patch is an object")
            return _merged(document, patch)
        case "application/json-patch+json":
            try:
                return JsonPatch(patch).apply(document)
            except (JsonPatchException, JsonPointerException, TypeError, AttributeError) as error:
                raise Refused(422, "Invalid", f"the JSON patch does not apply: {error}") from None
    raise Refused(415, "UnsupportedMediaType", f"patches of type {media!r} are not served")


def _merged(target: Any, patch: dict[str, Any]) -> dict[str, Any]:
    if patch.get("$patch") == "replace":
        return _without_directives(patch)
    merged = dict(target) if isinstance(target, Mapping) else {}
    for name, value in patch.items():
        if name.startswith("$deleteFromPrimitiveList/"):
            listed = name.partition("/")[2]
            merged[listed] = [item for item in merged.get(listed) or [] if item not in value]
        elif name.startswith("$"):
            continue  # the order of elements, and which keys a union keeps
        elif value is None or (isinstance(value, dict) and value.get("$patch") == "delete"):
            merged.pop(name, None)
        elif isinstance(value, dict):
            merged[name] = _merged(merged.get(name), value)
        elif isinstance(value, list):
            merged[name] = _merged_list(name, merged.get(name) or [], value)
        else:
            merged[name] = value
    return merged


def _merged_list(name: str, target: list[Any], patch: list[Any]) -> list[Any]:
    if name in _SETS:
        return [*target, *(item for item in patch if item not in target)]
    keys = _MERGE_KEYS.get(name)
    if keys is None or not all(isinstance(item, dict) for item in (*target, *patch)):
        return patch
    if {"$patch": "replace"} in patch:
        return [_without_directives(item) for item in patch if item != {"$patch": "replace"}]
    merged = list(target)
    for item in patch:
        at = next((i for i, held in enumerate(merged) if _same(held, item, keys)), None)
        if item.get("$patch") == "delete":
            merged = [held for held in merged if not _same(held, item, keys)]
        elif at is None:
            merged.append(_merged({}, item))
        else:
            merged[at] = _merged(merged[at], item)
    return merged


def _same(held: Mapping[str, Any], item: Mapping[str, Any], keys: tuple[str, ...]) -> bool:
    key = next((key for key in keys if key in item), None)
    return key is not None and held.get(key) == item[key]


def _without_directives(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if not name.startswith("$")}
