"""Making a failing case small, knowing what cases are made of.

smallest = shrink(case, lambda candidate: still_fails(candidate))

Deterministic: the same case and the same answers give the same result.
"""

from collections.abc import Callable, Mapping
from typing import Any

from model.api.components import Engine
from model.api.decode import ManifestError
from oracle.compare import compare
from oracle.compare.signature import signature
from oracle.shrink.passes import PASSES, plain_names
from oracle.shrink.shrinker import Shrinker

TRIES = 3000
"""Cases tried at most."""


def shrink(
    case: Mapping[str, Any], interesting: Callable[[dict[str, Any]], bool], tries: int = TRIES
) -> dict[str, Any]:
    """The smallest interesting case that was found; `case` itself is taken to be interesting."""
    shrinker = Shrinker(dict(case), interesting, tries)
    before = None
    while before is not shrinker.case and not shrinker.exhausted:
        before = shrinker.case
        for make_smaller in PASSES:
            make_smaller(shrinker)
    plain_names(shrinker)
    return shrinker.case


def shrink_divergence(case: Mapping[str, Any], engine: Engine, tries: int = TRIES) -> dict[str, Any]:
    """The smallest case found in which the engine departs from the reference in the same way.

    Raises ValueError where it does not depart at all.
    """
    divergence = compare(case, engine)
    if divergence is None:
        raise ValueError("nothing to shrink: the engine agrees with the reference")
    wanted = signature(case, divergence)

    def still_diverges(candidate: dict[str, Any]) -> bool:
        try:
            found = compare(candidate, engine)
            return found is not None and signature(candidate, found) == wanted
        except (ManifestError, KeyError, TypeError, ValueError, AttributeError):
            return False  # no longer a case that can be understood

    return shrink(up_to(case, divergence.step), still_diverges, tries)


def up_to(case: Mapping[str, Any], step: int | None) -> Mapping[str, Any]:
    """Up to the step, of which single decisions have none."""
    if step is None:
        return case
    name = "ops" if "ops" in case else "events"
    return {**case, name: case[name][: step + 1]}


__all__ = ["TRIES", "shrink", "shrink_divergence", "up_to"]
