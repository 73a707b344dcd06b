"""Recorded answers of one predicate on one node, or of one priority on all of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import Engine, Situation, Verdict
from oracle.conform.reasons import comparable
from oracle.conform.situation import ATTACHED_VOLUMES, read_single_situation
from oracle.conform.verdict import Comparison, Difference, first_unequal

CONFIGURED = {"KUBE_MAX_PD_VOLS", "hardPodAffinityWeight", "ignoredExtendedResources"}
"""Arguments of the scheduler rather than of a policy."""

ARGUMENT_KINDS = {"CheckNodeLabelPresence": "labelsPresence", "CheckServiceAffinity": "serviceAffinity"}


def judge(case: Mapping[str, Any], engine: Engine) -> Difference | None:
    """The first difference, None where all agree."""
    (name, situation, arguments), expect = asked(case), case["expect"]
    if case["kind"] == "predicate":
        return first_unequal(_compared(expect, engine.predicate(name, situation, case["node"], arguments)))
    return first_unequal([("scores", expect["scores"], dict(engine.priority(name, situation, arguments)))])


def asked(case: Mapping[str, Any]) -> tuple[str, Situation, Mapping[str, Any]]:
    """What is asked for, where, and with what arguments, as engines take them.  Raises ManifestError."""
    arguments = {name: value for name, value in case.get("args", {}).items() if name not in CONFIGURED}
    if case["kind"] == "predicate":
        name = case["predicate"]
        return name, read_single_situation(case), {ARGUMENT_KINDS[name]: arguments} if arguments else {}
    if case.get("featureGates", {}).get(ATTACHED_VOLUMES):
        arguments = {"transientVolumes": {}, **arguments}
    return case.get("priority", "Prioritize"), read_single_situation(case), arguments


def _compared(expect: Mapping[str, Any], verdict: Verdict) -> Iterator[Comparison]:
    yield "error", expect.get("error"), verdict.error
    yield "fit", expect["fit"], verdict.fits
    yield "reasons", comparable(expect["reasons"]), comparable(verdict.reasons)
    if "failures" in expect:
        yield "failures", by_reason(expect["failures"]), by_reason(verdict.failures)


def by_reason(failures: Any) -> Mapping[str, Any]:
    """Their order is that of the reasons, which are compared already."""
    return {failure["reason"]: dict(failure) for failure in failures}
