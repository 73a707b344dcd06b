"""The optimized scheduler and the reference decide alike about any pod in any cluster."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import Phase, given, settings

from oracle.strategies import cases
from tests.differences import assert_agreement

WITHOUT_SHRINKING = settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))


@WITHOUT_SHRINKING
@given(cases("schedule"))
def test_any_schedule(case: Mapping[str, Any]) -> None:
    assert_agreement(case)


@WITHOUT_SHRINKING
@given(cases("preempt"))
def test_any_preemption(case: Mapping[str, Any]) -> None:
    assert_agreement(case)


@pytest.mark.parametrize("kind", ["predicate", "priority", "prioritize"])
def test_any_predicate_and_any_priority_alone(kind: str) -> None:
    @WITHOUT_SHRINKING
    @given(cases(kind))
    def alike(case: Mapping[str, Any]) -> None:
        assert_agreement(case)

    alike()
