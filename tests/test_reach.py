"""A search gets everywhere: each rule and each outcome is reached within the budget, and nothing parts the two."""

from collections import Counter

from impl.engine import Optimized
from model.rules import RULES
from oracle.fuzz.examples import example
from oracle.fuzz.trial import try_case
from oracle.reach import OUT_OF_REACH, OUTCOMES, expected, missed

SEED = 0
BUDGET = 4_000
"""Examples; whatever the seed, half of them are enough."""


def test_everything_is_reached() -> None:
    coverage: Counter[str] = Counter()
    engine = Optimized()
    for number in range(BUDGET):
        if number % 50 == 0 and not missed(coverage):
            break
        trial = try_case(example(SEED, number, engine), engine)
        if trial is not None:
            assert trial.divergence is None, f"{SEED}/{number}"
            coverage.update(trial.used)
    assert missed(coverage) == ()
    assert not coverage.keys() & OUT_OF_REACH.keys()
    assert coverage.keys() <= {*RULES, *OUTCOMES, *(name for name in coverage if "Insufficient" in name)}


def test_what_is_out_of_reach_exists() -> None:
    assert OUT_OF_REACH.keys() <= {*RULES, *OUTCOMES}
    assert not {*expected()} & OUT_OF_REACH.keys()
