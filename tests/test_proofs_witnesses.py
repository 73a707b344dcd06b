"""What the proofs find just outside their ranges, as traces: nodes that score what they should not.

`sched-oracle replay tests/data/witnesses/NAME.json` shows each.
"""

import json
from pathlib import Path

import pytest

from model.engine import Reference
from oracle.compare import compare
from oracle.environment import Environment
from oracle.schedulers import find_engine
from oracle.trace import read_trace

WITNESSES = Path(__file__).parent / "data" / "witnesses"
TAKEN = {
    "least-requested-wraps": "usual",  # half full, the huge node is empty
    "most-requested-wraps": "usual",  # empty, the huge node is nearly full
    "requested-to-capacity-ratio-wraps": "half",  # the other one is empty
    "balanced-falls-below-0": "uneven",  # the other one seems to use less than nothing
    "toleration-without-key": "tainted",  # the documentation wants `Exists` there
}
"""Where the pod goes, and what that is."""


def test_every_witness_is_tried() -> None:
    assert {path.stem for path in WITNESSES.iterdir()} == TAKEN.keys()


@pytest.mark.parametrize("name", TAKEN)
def test_a_witness(name: str) -> None:
    document = json.loads((WITNESSES / f"{name}.json").read_text())
    trace = read_trace(document)
    environment = Environment(Reference().scheduler(trace.configuration), trace.settings)
    environment.start(trace.cluster)
    assert {"bind": {"pod": "default/new", "node": TAKEN[name]}} in environment.step(trace.events[0]).effects
    assert compare(document, find_engine("impl")) is None
