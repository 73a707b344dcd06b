"""Every rule of the specification is stated in the model once, or listed with the reason why not."""

import importlib
from pathlib import Path

import pytest

from model.quirks import QUIRKS
from model.rules import RULES
from model.unmodelled import UNMODELLED, load_rules, unaccounted
from model.unswitched import UNSWITCHED

DATA = Path(__file__).parent / "data"
SPECIFICATION = (DATA / "rule_ids.txt").read_text().split()
SURPRISING = (DATA / "quirk_ids.txt").read_text().split()
"""The rules that the specification calls quirks."""

load_rules()


def test_every_rule_is_accounted_for() -> None:
    assert len(SPECIFICATION) == 531
    assert unaccounted(SPECIFICATION) == []


def test_nothing_is_accounted_for_that_is_no_rule_or_twice() -> None:
    assert {*RULES, *UNMODELLED, *QUIRKS} <= set(SPECIFICATION)
    assert RULES.keys() & UNMODELLED.keys() == set()


def test_switches_are_rules_that_the_model_states() -> None:
    assert QUIRKS.keys() <= RULES.keys()


def test_every_surprising_rule_is_a_switch_or_says_why_not() -> None:
    assert len(SURPRISING) == 86
    assert set(SURPRISING) <= QUIRKS.keys() | UNSWITCHED.keys()
    assert QUIRKS.keys() & UNSWITCHED.keys() == set()
    assert UNSWITCHED.keys() <= set(SPECIFICATION)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_every_switch_is_turned_off_by_some_test(quirk: str) -> None:
    assert any(f'"{quirk}"' in file.read_text() for file in Path(__file__).parent.glob("test_*.py"))


@pytest.mark.parametrize("rule_id", RULES)
def test_a_rule_says_where_it_stands(rule_id: str) -> None:
    parts = RULES[rule_id].where.split(".")
    at = max(i for i in range(1, len(parts) + 1) if _is_module(".".join(parts[:i])))
    place = importlib.import_module(".".join(parts[:at]))
    for name in parts[at:]:
        place = getattr(place, name)
    assert RULES[rule_id].statement


def _is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True
