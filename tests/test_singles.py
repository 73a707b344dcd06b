"""One predicate or one priority by itself: what differs is found, named, made small, and has a page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from model.api.components import Situation, Verdict
from model.api.decode import ManifestError
from model.engine import Reference
from oracle.compare import compare
from oracle.fuzz.describe import describe
from oracle.report import write_finding
from oracle.strategies import case_from_seed


class OneDiskMore(Reference):
    """Takes the environment's limit of volumes to be one higher."""

    def predicate(self, name: str, situation: Situation, node: str, arguments: Mapping[str, Any]) -> Verdict:
        verdict = super().predicate(name, situation, node, arguments)
        return Verdict() if verdict.reasons and situation.configuration.max_pd_volumes == "1" else verdict


class Generous(Reference):
    """Gives each node a point too many where others give none."""

    def priority(self, name: str, situation: Situation, arguments: Mapping[str, Any]) -> Mapping[str, int]:
        return {node: max(score, 1) for node, score in super().priority(name, situation, arguments).items()}


FAULTS = {
    "predicate": (OneDiskMore(), "predicate-predicates-max-", "lets n1 pass; v1.15.3 refuses it: node(s) exceed max"),
    "priority": (Generous(), "priority-priorities-", "gives n1 1 point; v1.15.3 gives it 0 points"),
    "prioritize": (Generous(), "prioritize-totals", "gives 1 point in total to n1; v1.15.3 gives 0"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_found_and_shown(kind: str, tmp_path: Path) -> None:
    engine, signature, sentence = FAULTS[kind]
    drawn = (case_from_seed(kind, str(number)) for number in range(2_000))
    case, divergence = next((case, found) for case in drawn if (found := compare(case, engine)) is not None)
    finding = describe(case, divergence, engine, "python:somewhere:Else", "0/0")
    assert finding.signature.startswith(signature)
    assert sentence in finding.sentence
    assert len(finding.trace["cluster"]["nodes"]) == 1
    page = (write_finding(finding, tmp_path) / "report.md").read_text()
    assert f"asking {case.get('predicate') or case.get('priority', 'Prioritize')} about default/p" in page
    assert finding.trace == describe(case, divergence, engine, "python:somewhere:Else", "0/0").trace


@pytest.mark.parametrize("kind", FAULTS)
def test_a_case_that_cannot_be_read_is_nobodys_agreement(kind: str) -> None:
    case = case_from_seed(kind, "0")
    with pytest.raises(ManifestError, match="metadata"):
        compare({**case, "pod": {"metadata": "p"}}, Reference())


@pytest.mark.parametrize("kind", FAULTS)
def test_a_seed_stands_for_one_case(kind: str) -> None:
    assert case_from_seed(kind, "7") == case_from_seed(kind, "7")
    assert case_from_seed(kind, "7") != case_from_seed(kind, "8")
