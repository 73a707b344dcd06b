"""Properties hold of the schedulers there are, and each is broken by a fault that both sides share."""

import pytest

from oracle.compare.wording import sentence
from oracle.fuzz.trial import try_case
from oracle.mutants import Mutant, mutated
from oracle.properties import ALWAYS
from oracle.strategies import case_from_seed

FAULTS = {
    "no pod is in two queues": ("impl.queue:Queue._move", "self._leave_unschedulable(entry.pod.full_name)", "pass"),
    "no pod is lost": (
        "impl.binding:Bindings._finish",
        'self._failures.record(pod, error, SCHEDULER_ERROR, f"Binding rejected: {error}", api)',
        "return",
    ),
    "nobody waits for ever": ("impl.queue:Queue.flush_leftover", "if old:", "if False:"),
    "nominations do not leak": ("impl.queue:Queue.delete", "self.nominations.delete(pod)", "pass"),
    "the cache is true": (
        "impl.handlers:Handlers._assigned_deleted",
        "self.surroundings.cache.remove_pod(pod)",
        "pass",
    ),
    "no node is overcommitted": (
        "impl.predicates.general:PodFitsResources.flags",
        "self.table.amounts.used",
        "0 * self.table.amounts.used",
    ),
}


def test_each_is_broken_by_a_fault() -> None:
    assert FAULTS.keys() == ALWAYS.keys()


@pytest.mark.parametrize("name", FAULTS)
def test_broken_on_both_sides(name: str) -> None:
    engine = mutated(Mutant("broken", "", *FAULTS[name]))
    for number in range(300):
        case = case_from_seed("e2e", f"properties/{number}")
        trial = try_case(case, engine, engine)
        if trial and trial.divergence and trial.divergence.difference.where == f"property.{name}":
            said = sentence(case, trial.divergence, "impl")
            assert str(trial.divergence.difference.actual) in said
            return
    pytest.fail("never broken")
