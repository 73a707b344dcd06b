"""Two different opinions on the way to the same decision, in one sentence."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from oracle.compare.divergence import Record
from oracle.printable import counted


def considered(expected: Record, actual: Record, who: str) -> str | None:
    """A predicate on a node, or a priority's points for one; None where these agree."""
    return next(chain(_predicates(expected, actual, who), _priorities(expected, actual, who)), None)


def _predicates(expected: Record, actual: Record, who: str) -> Iterator[str]:
    for node, predicate, wanted, found in entries(expected.get("predicates"), actual.get("predicates")):
        if wanted is None or found is None:
            passes, refuses, verdict = (who, "v1.15.3", wanted) if found is None else ("v1.15.3", who, found)
            yield f"By {predicate} {passes} lets {node} pass; {refuses} refuses it: {_reasons(verdict)}"
        else:
            yield f"By {predicate} {who} refuses {node}: {_reasons(found)}; v1.15.3: {_reasons(wanted)}"


def _reasons(verdict: Mapping[str, Any]) -> str:
    """Lacks of scalar resources stand in lists of their own."""
    if "error" in verdict:
        return str(verdict["error"])
    said = [each for reason in verdict["reasons"] for each in (reason if isinstance(reason, list) else [reason])]
    amounts = [
        f"{name}: {_amounts(failure)}" for name, failure in verdict.get("failures", {}).items() if "used" in failure
    ]
    return ", ".join(amounts or said)


def _amounts(failure: Mapping[str, Any]) -> str:
    return f"asks for {failure['requested']}, {failure['used']} of {failure['capacity']} taken"


def _priorities(expected: Record, actual: Record, who: str) -> Iterator[str]:
    for priority, node, wanted, found in entries(expected.get("priorities"), actual.get("priorities")):
        yield f"By {priority} {who} gives {node} {_points(found)}; v1.15.3 gives it {_points(wanted)}"


def _points(score: int | None) -> str:
    return "no points" if score is None else counted(score, "point")


def entries(expected: Any, actual: Any) -> Iterator[tuple[str, str, Any, Any]]:
    """Entries of two maps of maps that differ: both keys and both values, None where there is no entry."""
    for key, wanted in (expected or {}).items():
        found = (actual or {}).get(key, {})
        if isinstance(wanted, Mapping) and isinstance(found, Mapping):
            for inner in dict.fromkeys([*wanted, *found]):
                if wanted.get(inner) != found.get(inner):
                    yield key, inner, wanted.get(inner), found.get(inner)
