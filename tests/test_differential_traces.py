"""The optimized scheduler and the reference do the same whatever happens; and did so wherever they once did not."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings

from oracle.strategies import cases
from tests.differences import assert_agreement

REGRESSIONS = sorted((Path(__file__).parent / "data" / "regressions").glob("*.json"))


@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(cases("e2e"))
def test_any_trace(case: Mapping[str, Any]) -> None:
    assert_agreement(case)


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_what_once_differed(path: Path) -> None:
    assert_agreement(json.loads(path.read_text()))
