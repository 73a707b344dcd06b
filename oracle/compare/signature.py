"""The sort of a divergence: what is the same when the same fault is met in another case, and kept by shrinking."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from oracle.compare.divergence import FAULT, Divergence

REASON = re.compile(r"\d+ ([^,]+?)(?:, (?=\d)|\.?$)")
"""One reason of a `0/N nodes are available` message, with its count."""

NEGLIGIBLE = re.compile(r"\d+|[^a-z%]+")
LONGEST = 100

ALIKE = {"drain": "scheduling", "scheduleOne": "scheduling"}
"""Steps in which a fault is the same one: some cycles instead of one."""


def signature(case: Mapping[str, Any], divergence: Divergence) -> str:
    """Fit for a folder name."""
    parts = ["trace" if case["kind"] == "e2e" else case["kind"]]
    if divergence.event is not None:
        op = str(divergence.event["op"])
        parts.append(ALIKE.get(op, op))
    parts += _what(case, divergence)
    return "-".join(filter(None, (NEGLIGIBLE.sub("-", _kebab(part)).strip("-") for part in parts)))[:LONGEST].strip("-")


def _what(case: Mapping[str, Any], divergence: Divergence) -> Iterator[str]:
    where, expected, actual = divergence.difference.where, divergence.difference.expected, divergence.difference.actual
    if divergence.is_fault:
        yield from ("fault", str(actual).partition(":")[0])
    elif FAULT in divergence.expected:
        yield from ("reference", "fault")
    elif ".effects" in where:
        yield from _effects(expected, actual)
    else:
        names = names_in(case)
        path = re.sub(r"\[[^]]*\]", "", where).split(".") if "steps[" in where else where.split(".")
        yield from (part for part in path[1:] if part not in names and part != "steps")
        if isinstance(expected, str) and isinstance(actual, str) and path[-1] == "error":
            yield from _reasons(expected, actual)


def _effects(expected: Any, actual: Any) -> Iterator[str]:
    """Which effects, and what differs between two of one sort."""
    wanted, found = next(iter(expected or {"nothing": None})), next(iter(actual or {"nothing": None}))
    if wanted != found:
        yield from (wanted, "not", found)
        return
    yield wanted
    old, new = expected[wanted], actual[wanted]
    if isinstance(old, str):
        return
    for member in old:
        if old[member] != new.get(member):
            yield member
            if member == "message":
                yield from _reasons(old[member], new[member])
            return


def _reasons(expected: str, actual: str) -> Iterator[str]:
    """The reasons that only one of two messages gives; else that they differ in numbers."""
    old, new = (Counter(REASON.findall(text.partition("available: ")[2])) for text in (expected, actual))
    yield from (f"lacks {reason}" for reason in old - new)
    yield from (f"has {reason}" for reason in new - old)


def names_in(case: Mapping[str, Any]) -> set[str]:
    """Of the objects of a case, and the references that stand for them."""
    documents = [document for documents in case.get("cluster", {}).values() for document in documents]
    documents += [event["object"] for event in case.get("events", ()) if "object" in event]
    tables = {**case.get("pods", {}), **case.get("nodes", {})}
    names = {str(d["metadata"]["name"]) for d in (*documents, *tables.values()) if "name" in d.get("metadata", {})}
    return names | set(tables)


def _kebab(text: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text).lower()
