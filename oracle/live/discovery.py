"""What clients ask to find out what a server serves."""

from collections.abc import Mapping
from typing import Any

from oracle.live.resources import RESOURCES, group_versions

VERSION = {
    "major": "1",
    "minor": "15",
    "gitVersion": "v1.15.3",
    "gitCommit": "",
    "gitTreeState": "",
    "buildDate": "",
    "goVersion": "",
    "compiler": "",
    "platform": "",
}
VERBS = ["create", "delete", "get", "list", "patch", "update", "watch"]
SUBRESOURCES = {
    "pods": (("status", "Pod"), ("binding", "Binding"), ("eviction", "Eviction")),
    "nodes": (("status", "Node"),),
}


def discovered(path: str) -> Mapping[str, Any] | None:
    """None where the path is none of discovery."""
    match path.strip("/").split("/"):
        case ["version"]:
            return VERSION
        case ["api"]:
            return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}
        case ["apis"]:
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": _groups()}
        case ["api", "v1"]:
            return _resources("v1")
        case ["apis", group]:
            return next((found for found in _groups() if found["name"] == group), None)
        case ["apis", group, version] if f"{group}/{version}" in group_versions():
            return _resources(f"{group}/{version}")
        case ["openapi", "v2"]:
            return {"swagger": "2.0", "info": {"title": "sched-oracle", "version": "v1"}, "paths": {}}
        case ["openapi", "v3"]:
            return {"paths": {}}
    return None


def _groups() -> list[dict[str, Any]]:
    versions: dict[str, list[dict[str, str]]] = {}
    for group_version in group_versions():
        group, version = group_version.split("/")
        versions.setdefault(group, []).append({"groupVersion": group_version, "version": version})
    return [
        {"kind": "APIGroup", "apiVersion": "v1", "name": group, "versions": served, "preferredVersion": served[0]}
        for group, served in versions.items()
    ]


def _resources(group_version: str) -> dict[str, Any]:
    found = []
    for resource in RESOURCES.values():
        if resource.group_version != group_version:
            continue
        common = {"singularName": "", "namespaced": resource.namespaced}
        found.append({"name": resource.plural, "kind": resource.kind, "verbs": VERBS, **common})
        for name, kind in SUBRESOURCES.get(resource.plural, ()) if group_version == "v1" else ():
            verbs = ["get", "patch", "update"] if name == "status" else ["create"]
            found.append({"name": f"{resource.plural}/{name}", "kind": kind, "verbs": verbs, **common})
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": found}
