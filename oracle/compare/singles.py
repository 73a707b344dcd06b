"""Two schedulers about one predicate on one node, or about the points of one priority or several."""

from collections.abc import Mapping
from typing import Any

from model.api.components import Engine
from oracle.compare.decisions import compare_answers, verdict_record
from oracle.compare.divergence import Divergence, Record
from oracle.conform.single import asked, by_reason


def compare_predicate(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """In the form in which a decision tells it, and with the amounts of each lack.  Raises ManifestError."""
    name, situation, arguments = asked(case)
    node = case["node"]

    def ask(one: Engine) -> Record:
        verdict = one.predicate(name, situation, node, arguments)
        failing = {name: {**verdict_record(verdict), "failures": by_reason(verdict.failures)}}
        return {"predicates": {node: {} if verdict.fits else failing}}

    return compare_answers("predicate", ask, engine, reference)


def compare_scores(case: Mapping[str, Any], engine: Engine, reference: Engine) -> Divergence | None:
    """Raises ManifestError."""
    name, situation, arguments = asked(case)

    def ask(one: Engine) -> Record:
        scores = dict(one.priority(name, situation, arguments))
        return {"priorities": {name: scores}} if case["kind"] == "priority" else {"totals": scores}

    return compare_answers(case["kind"], ask, engine, reference)
