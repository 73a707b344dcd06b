"""The optimized queue and the reference do the same under any operations."""

from collections.abc import Mapping
from typing import Any

from hypothesis import Phase, given, settings

from oracle.strategies import queue_operations
from tests.differences import assert_agreement


@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(queue_operations())
def test_any_operations(case: Mapping[str, Any]) -> None:
    assert_agreement(case)
