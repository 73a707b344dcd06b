"""The ways in which a case can become smaller, in the order in which they pay."""

from collections.abc import Iterator
from typing import Any

from oracle.shrink.edits import Path, drop, put, renamed, value_at, walk
from oracle.shrink.shrinker import Case, Shrinker

IDENTITY = {"name", "namespace", "uid", "kind", "apiVersion", "op", "key", "resourceVersion", "schedulerName"}
IDENTITY |= {"metadata", "operator", "topologyKey", "weight", "effect"}
"""Members that make an object or event what it is."""

ROUND_AMOUNTS = ("0", "1", "2", "100m", "1Gi", "10")
ROUND_NUMBERS = (0, 1, 2, 10, 100)
ROUND_TIMES = (1000, 10_000, 30_000, 60_000, 61_000, 90_000)
AMOUNTS = {"requests", "limits", "allocatable", "capacity"}


def fewer_events(shrinker: Shrinker) -> None:
    for name in ("events", "ops"):
        if name in shrinker.case:
            shrinker.thin_out((name,))


def fewer_objects(shrinker: Shrinker) -> None:
    for name in tuple(shrinker.case.get("cluster", ())):
        shrinker.thin_out(("cluster", name))
        if not shrinker.case["cluster"][name]:
            shrinker.attempt(drop(shrinker.case, ("cluster", name)))
    for table in ("pods", "nodes"):
        for reference in tuple(shrinker.case.get(table, ())):
            shrinker.attempt(drop(shrinker.case, (table, reference)))


def fewer_members(shrinker: Shrinker) -> None:
    """Anything that can be left out of an object, an event or the configuration; the outer before the inner."""
    visited: set[Path] = set()
    while (path := next((p for p, _ in _members(shrinker.case) if p not in visited), None)) is not None:
        visited.add(path)
        value = value_at(shrinker.case, path)
        if isinstance(value, list):
            shrinker.thin_out(path)
        if not value_at(shrinker.case, path) or isinstance(path[-1], str):
            shrinker.attempt(drop(shrinker.case, path))


def _members(case: Case) -> Iterator[tuple[Path, Any]]:
    """Optional members of dictionaries, below the outermost two levels of a case."""
    for path, value in walk(case):
        outer = path[0] in ("events", "ops", "cluster", "pods", "nodes") if path else True
        if len(path) > (2 if outer else 1) and isinstance(path[-1], str) and path[-1] not in IDENTITY:
            yield path, value


def simpler_events(shrinker: Shrinker) -> None:
    """One cycle for a drain, and joined time steps."""
    for at, event in enumerate(shrinker.case.get("events", ())):
        if event["op"] == "drain":
            shrinker.first_of(
                put(shrinker.case, ("events", at), other)
                for other in ({"op": "scheduleOne"}, {"op": "drain", "max": 9})
            )
    at = 0
    while at + 1 < len(events := shrinker.case.get("events", ())):
        pair = events[at : at + 2]
        joined = [{"op": "advance", "ms": sum(event.get("ms", 0) for event in pair)}]
        if {event["op"] for event in pair} != {"advance"} or not shrinker.attempt(
            shrinker.case | {"events": [*events[:at], *joined, *events[at + 2 :]]}
        ):
            at += 1


def one_node_for_two(shrinker: Shrinker) -> None:
    """Everything about one node said about another instead."""
    for name in _names(shrinker.case, "nodes"):
        for other in _names(shrinker.case, "nodes"):
            if name == other:
                break
            kept = [d for d in shrinker.case["cluster"]["nodes"] if d["metadata"]["name"] != name]
            merged = put(shrinker.case, ("cluster", "nodes"), kept)
            if shrinker.attempt(renamed(merged, {name: other})):
                break


def one_version_for_two(shrinker: Shrinker) -> None:
    """One version of an object where a run of operations has two."""
    for table in ("pods", "nodes"):
        if "ops" in shrinker.case:
            for reference in tuple(shrinker.case.get(table, ())):
                others = [other for other in shrinker.case[table] if other != reference]
                rest = drop(shrinker.case, (table, reference))
                shrinker.first_of(put(rest, ("ops",), renamed(rest["ops"], {reference: other})) for other in others)


def rounder_values(shrinker: Shrinker) -> None:
    for path, value in tuple(walk(shrinker.case)):
        if not path or value_or_none(shrinker.case, path) != value or isinstance(value, bool):
            continue
        for other in _rounder(path, value):
            if other == value or shrinker.attempt(put(shrinker.case, path, other)):
                break


def value_or_none(document: Any, path: Path) -> Any:
    try:
        return value_at(document, path)
    except (KeyError, IndexError, TypeError):
        return None


def _rounder(path: Path, value: Any) -> tuple[Any, ...]:
    if path[-1] == "ms" and path[0] in ("events", "ops"):
        return ROUND_TIMES
    if isinstance(value, int):
        return ROUND_NUMBERS
    if isinstance(value, str) and len(path) > 1 and path[-2] in AMOUNTS:
        return ROUND_AMOUNTS
    return ()


def plain_names(shrinker: Shrinker) -> None:
    """n1, n2, ... and p1, p2, ... in order of appearance, UIDs by name, one namespace."""
    shrinker.attempt(renamed(shrinker.case, {"ns2": "default"}))
    for table, letter in (("nodes", "n"), ("pods", "p")):
        names = _names(shrinker.case, table)
        shrinker.attempt(renamed(shrinker.case, {name: f"{letter}{at}" for at, name in enumerate(names, 1)}))
    for path, value in tuple(walk(shrinker.case)):
        if path and path[-1] == "metadata" and "uid" in value:
            shrinker.attempt(renamed(shrinker.case, {value["uid"]: f"uid-{value['name']}"}))


def _names(case: Case, list_name: str) -> list[str]:
    """Names of the nodes or the pods, those that exist at the start first."""
    kind = {"nodes": "Node", "pods": "Pod"}[list_name]
    documents = [*case.get("cluster", {}).get(list_name, ())]
    documents += [
        event["object"] for event in case.get("events", ()) if event.get("kind") == kind and "object" in event
    ]
    return list(dict.fromkeys(document["metadata"]["name"] for document in documents))


PASSES = (
    fewer_events,
    fewer_objects,
    one_node_for_two,
    one_version_for_two,
    simpler_events,
    fewer_members,
    rounder_values,
)
