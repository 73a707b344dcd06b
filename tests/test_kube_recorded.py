"""What kube-scheduler v1.15.3 did with one pod in a small cluster, recorded through `oracle.live`: both do the same.

Each line of the data is a cluster, a configuration, a pod, and the host it got, the error it was refused with, or
that the process ended.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from impl.engine import Optimized
from model.api.components import Engine, Situation
from model.api.decode import decode
from model.api.objects import Pod
from model.engine import Reference
from oracle.trace import read_trace

CASES = [json.loads(line) for line in (Path(__file__).parent / "data" / "kube_scheduler.jsonl").open()]


@pytest.mark.parametrize("engine", [Reference(), Optimized()], ids=["model", "impl"])
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_decision_of_v1_15_3(case: Mapping[str, Any], engine: Engine) -> None:
    trace = read_trace({"cluster": case["cluster"], "config": case.get("config", {})})
    decision = engine.decide(Situation(trace.cluster, decode(case["pod"], Pod), trace.configuration))
    error = decision.error or None
    assert (decision.host, error, decision.crash is not None) == (
        case.get("host"),
        case.get("error"),
        case.get("crash", False),
    )
