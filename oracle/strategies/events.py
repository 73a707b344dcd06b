"""Single events of a trace, in their JSON form."""

from typing import Any

Event = dict[str, Any]


def create(document: dict[str, Any]) -> Event:
    return {"op": "create", "kind": document["kind"], "object": document}


def patch(kind: str, key: str, change: dict[str, Any]) -> Event:
    return {"op": "patch", "kind": kind, "key": key, "patch": change}


def key_of(document: dict[str, Any]) -> str:
    return f"{document['metadata']['namespace']}/{document['metadata']['name']}"
