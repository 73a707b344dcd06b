"""Recorded truth kept with the tests: `tests/data/<kind>.jsonl.gz`."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"


def recorded(kind: str) -> list[Any]:
    """The sample's cases as parameters of a test, named by their IDs."""
    return [pytest.param(case, id=case["id"]) for case in recorded_lines(kind)]


def recorded_lines(kind: str) -> list[Any]:
    """As they are."""
    with gzip.open(DATA / f"{kind}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]
