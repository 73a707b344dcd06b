"""Why v1.15.3 itself ends: the rules of the function of the model in which it does."""

from collections.abc import Collection, Iterator, Sequence
from traceback import walk_tb

from model.api.protocol import Crash
from model.rules import RULES
from oracle.report.because import Because


def ending_rules(crash: Crash) -> tuple[str, ...]:
    """Of the innermost function that states some."""
    for frame, _ in reversed(list(walk_tb(crash.__traceback__))):
        where = f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}"
        if rules := tuple(rule.id for rule in RULES.values() if rule.where == where):
            return rules
    return ()


def because_of_end(ending: Sequence[str], used: Collection[str]) -> Iterator[Because]:
    """`ending`: the rules by which it ends, of which those count that were `used`, where any were."""
    if telling := [rule for rule in ending if rule in used] or ending:
        said = "; ".join(RULES[rule].statement for rule in telling)
        yield Because(f"v1.15.3 ends where it does this: {said}.", tuple(telling))
