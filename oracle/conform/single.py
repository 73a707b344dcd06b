"""Recorded answers of one predicate on one node, or of one priority on all of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import Engine
from oracle.conform.reasons import comparable
from oracle.conform.situation import ATTACHED_VOLUMES, read_single_situation
from oracle.conform.verdict import Comparison, Difference, first_unequal

CONFIGURED = {"KUBE_MAX_PD_VOLS", "hardPodAffinityWeight", "ignoredExtendedResources"}
"""Arguments of the scheduler rather than of a policy."""

ARGUMENT_KINDS = {"CheckNodeLabelPresence": "labelsPresence", "CheckServiceAffinity": "serviceAffinity"}


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    """The first difference, None where all agree."""
    arguments = {name: value for name, value in case.get("args", {}).items() if name not in CONFIGURED}
    compared = compared_predicate if case["kind"] == "predicate" else compared_scores
    return first_unequal(compared(case, engine, arguments))


def compared_predicate(case: Mapping[str, Any], engine: Engine, arguments: Mapping[str, Any]) -> Iterator[Comparison]:
    name, expect = case["predicate"], case["expect"]
    policy_argument = {ARGUMENT_KINDS[name]: dict(arguments)} if arguments else {}
    verdict = engine.predicate(name, read_single_situation(case), case["node"], policy_argument)
    yield "error", expect.get("error"), verdict.error
    yield "fit", expect["fit"], verdict.fits
    yield "reasons", comparable(expect["reasons"]), comparable(verdict.reasons)
    if "failures" in expect:
        yield "failures", _by_reason(expect["failures"]), _by_reason(verdict.failures)


def _by_reason(failures: Any) -> Mapping[str, Any]:
    """Their order is that of the reasons, which are compared already."""
    return {failure["reason"]: dict(failure) for failure in failures}


def compared_scores(case: Mapping[str, Any], engine: Engine, arguments: Mapping[str, Any]) -> Iterator[Comparison]:
    name = case.get("priority", "Prioritize")
    if case.get("featureGates", {}).get(ATTACHED_VOLUMES):
        arguments = {"transientVolumes": {}, **arguments}
    yield "scores", case["expect"]["scores"], dict(engine.priority(name, read_single_situation(case), arguments))
