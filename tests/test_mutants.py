"""Every seeded fault is found by the search, within its budget, and ends as a case that is read at a glance."""

import pytest

from impl.engine import Optimized
from oracle.compare import Divergence
from oracle.fuzz.describe import describe
from oracle.fuzz.examples import example
from oracle.fuzz.trial import try_case
from tests.mutants.mutation import Mutant, mutated
from tests.mutants.seeded import MUTANTS

BUDGET = 300
"""Examples; fewer than a minute's worth."""

SEED = 1


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=lambda mutant: mutant.id)
def test_found_and_small(mutant: Mutant) -> None:
    engine = mutated(mutant)
    number, divergence = _found(engine)
    finding = describe(example(SEED, number, engine), divergence, engine, mutant.id, f"{SEED}/{number}")
    case = finding.trace
    assert len(case.get("cluster", {}).get("nodes", case.get("nodes", ()))) <= 3
    assert len(case.get("cluster", {}).get("pods", case.get("pods", ()))) <= 4
    assert len(case.get("events", case.get("ops", ()))) <= 8


def _found(engine: Optimized) -> tuple[int, Divergence]:
    """The first example in which the mutant departs and the scheduler without the fault does not."""
    for number in range(BUDGET):
        case = example(SEED, number, engine)
        trial = try_case(case, engine)
        if trial and trial.divergence:
            sound = try_case(case, Optimized())
            if sound and sound.divergence is None:
                return number, trial.divergence
    pytest.fail(f"survived {BUDGET} examples")


def test_a_mutant_leaves_the_scheduler_as_it_is() -> None:
    mutant = MUTANTS["backoff-duration"]
    assert type(mutated(mutant)) is not Optimized
    assert type(mutated(mutant)).__module__ == Optimized.__module__


def test_a_mutant_whose_place_is_gone_is_an_error() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        mutated(Mutant("stale", "", "impl.backoff", "no such text", ""))
