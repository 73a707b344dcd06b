"""Z3, knowing only the specification, agrees with what kube-scheduler v1.15.3 was recorded to decide."""

from collections.abc import Mapping
from typing import Any

import pytest

from oracle.verify.opinion import Standing
from oracle.verify.recorded import judge
from tests.samples import recorded


@pytest.mark.parametrize("case", recorded("schedule")[::8] + recorded("preempt")[::2])
def test_z3_agrees(case: Mapping[str, Any]) -> None:
    for kind, opinion in judge(case):
        assert opinion.standing in (Standing.AGREES, Standing.ALLOWED), f"{kind}: {opinion}"
