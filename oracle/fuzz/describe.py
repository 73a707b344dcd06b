"""From a diverging case to a finding: made small, named, said in a sentence."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from model.api.components import Engine
from model.engine import Reference
from model.rules import RULES
from oracle.child import ChildEngine
from oracle.compare import Divergence, failed, is_slow
from oracle.compare.signature import signature
from oracle.compare.wording import sentence
from oracle.finding import Finding
from oracle.fuzz.trial import try_case
from oracle.shrink import TRIES, shrink_divergence, up_to

FAULT_TRIES = 40
"""Cases tried to make one smaller, where a process has to be started anew after each."""


def describe(case: Mapping[str, Any], divergence: Divergence, engine: Engine, scheduler: str, seed: str) -> Finding:
    if is_slow(divergence.actual):
        return finding_of(up_to(case, divergence.step), divergence, Reference(), scheduler, seed)
    dies = failed(divergence.actual) and isinstance(engine, ChildEngine)
    small = shrink_divergence(case, engine, FAULT_TRIES if dies else TRIES)
    trial = try_case(small, engine)
    found = trial.divergence if trial and trial.divergence else divergence
    return finding_of(small, found, engine, scheduler, seed)


def finding_of(case: Mapping[str, Any], found: Divergence, engine: Engine, scheduler: str, seed: str) -> Finding:
    """The case as it is.  `engine` is asked only for the rules that the reference uses beside it."""
    return Finding(
        signature=signature(case, found),
        sentence=sentence(case, found, scheduler),
        kind=case["kind"],
        scheduler=scheduler,
        seed=seed,
        trace=case,
        step=found.step,
        expected=found.expected,
        actual=found.actual,
        differences=(found.difference,),
        followed=found.followed,
        rules=rules_of_step(case, found, engine),
    )


def rules_of_step(case: Mapping[str, Any], divergence: Divergence, engine: Engine) -> tuple[str, ...]:
    """IDs the reference used in the step and not just before it."""
    used = _used(case, engine)
    if divergence.step is not None and divergence.step >= 0:
        name = "ops" if "ops" in case else "events"
        used -= _used({**case, name: case[name][: divergence.step]}, engine)
    return tuple(sorted(rule for rule in used if rule in RULES))


def _used(case: Mapping[str, Any], engine: Engine) -> Counter[str]:
    trial = try_case(case, engine)
    return Counter(trial.used if trial else {})
