"""Recorded truth kept with the tests: `tests/data/<kind>.jsonl.gz`."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"


def recorded(kind: str) -> list[Any]:
    """The sample's cases as parameters of a test, named by their IDs."""
    with gzip.open(DATA / f"{kind}.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines]
    return [pytest.param(case, id=case["id"]) for case in cases]
