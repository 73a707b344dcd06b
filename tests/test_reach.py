"""A search gets everywhere: each rule and each outcome is reached within the budget, and nothing parts the two."""

from collections import Counter

from model.rules import RULES
from oracle.fuzz import Plan, search
from oracle.reach import OUT_OF_REACH, OUTCOMES, expected, missed

BUDGET = 6_000
"""Examples; as a rule less than half of them is enough."""

PORTION = 1_000


def test_everything_is_reached() -> None:
    coverage: Counter[str] = Counter()
    for seed in range(BUDGET // PORTION):
        account = search(Plan("impl", seed=seed, examples=PORTION, workers=2))
        assert [finding.sentence for finding in account.findings] == []
        coverage.update(account.coverage)
        if not missed(coverage):
            break
    assert missed(coverage) == ()
    assert not coverage.keys() & OUT_OF_REACH.keys()
    assert coverage.keys() <= {*RULES, *OUTCOMES, *(name for name in coverage if "Insufficient" in name)}


def test_what_is_out_of_reach_exists() -> None:
    assert OUT_OF_REACH.keys() <= {*RULES, *OUTCOMES}
    assert not {*expected()} & OUT_OF_REACH.keys()
