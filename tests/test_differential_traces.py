"""The optimized scheduler and the reference do the same whatever happens; and did so wherever they once did not."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings

from oracle.strategies import cases
from tests.differences import assert_agreement

SCANT = {
    "impl.amounts.KINDS_REMEMBERED": 1,
    "impl.amounts.LOADS_REMEMBERED": 2,
    "impl.load.MOST_KNOWN": 2,
    "impl.pair_index.MOST_SEARCHES": 1,
    "impl.preemption.FEW": 0,
    "impl.prepared.KINDS_REMEMBERED": 1,
    "impl.priorities.spreading.FEW_PAIRS": 0,
    "impl.row_column.FEW": 0,
    "impl.row_column.MOST": 1,
    "impl.table.LONGEST_LOG": 3,
    "impl.table.ROOM_AT_FIRST": 1,
}
"""How much the optimized scheduler keeps, so little that it forgets and grows all the time."""

REGRESSIONS = sorted((Path(__file__).parent / "data" / "regressions").glob("*.json"))


@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(cases("e2e"))
def test_any_trace(case: Mapping[str, Any]) -> None:
    assert_agreement(case)


@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(cases("e2e"))
def test_any_trace_where_hardly_anything_is_kept(case: Mapping[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as scant:
        for limit, least in SCANT.items():
            scant.setattr(limit, least)
        assert_agreement(case)


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_what_once_differed(path: Path) -> None:
    assert_agreement(json.loads(path.read_text()))
