"""Holding a scheduler against the reference in a test; what fails is reported as the search reports it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from impl.engine import Optimized
from oracle.fuzz.describe import describe
from oracle.fuzz.trial import try_case
from oracle.report import write_finding

REPORTS = Path("reports")


def assert_agreement(case: Mapping[str, Any]) -> None:
    """Fails with the finding in one sentence and the page that shows it."""
    engine = Optimized()
    trial = try_case(case, engine)
    if trial is None or trial.divergence is None:
        return
    finding = describe(case, trial.divergence, engine, "impl", "pytest")
    folder = write_finding(finding, REPORTS)
    pytest.fail(f"{finding.sentence}\nreport: {folder}/report.html", pytrace=False)
