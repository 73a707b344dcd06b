"""Two schedulers about one predicate on one node, or about the points of one priority or several."""

from collections.abc import Callable, Mapping
from typing import Any

from model.api.components import Engine
from oracle.compare.decisions import verdict_record
from oracle.compare.divergence import Divergence, Record, different_ends, ended, guarded
from oracle.conform.single import by_reason, scores_in, verdict_in
from oracle.conform.verdict import first_difference


def compare_predicate(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Raises ManifestError."""
    return _compare(case, _predicate, engine, reference)


def compare_scores(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Raises ManifestError."""
    return _compare(case, _scores, engine, reference)


def _compare(
    case: Mapping[str, Any], ask: Callable[[Mapping[str, Any], Engine], Record], engine: Engine, reference: Engine
) -> Divergence | None:
    expected = guarded(lambda: ask(case, reference), "while it answered")
    actual = guarded(lambda: ask(case, engine), "while it answered")
    if ended(expected) or ended(actual):
        difference = different_ends(case["kind"], expected, actual)
    else:
        difference = first_difference(case["kind"], expected, actual)
    return None if difference is None else Divergence(None, None, expected, actual, difference)


def _predicate(case: Mapping[str, Any], engine: Engine) -> Record:
    """In the form in which a decision tells it, and with the amounts of each lack."""
    verdict = verdict_in(case, engine)
    if verdict.fits:
        return {"predicates": {case["node"]: {}}}
    record = {**verdict_record(verdict), "failures": by_reason(verdict.failures)}
    return {"predicates": {case["node"]: {case["predicate"]: record}}}


def _scores(case: Mapping[str, Any], engine: Engine) -> Record:
    scores = dict(scores_in(case, engine))
    return {"priorities": {case["priority"]: scores}} if "priority" in case else {"totals": scores}
