"""What makes a configuration unusable before a scheduler is made of it.  [L-245, L-247, L-262]"""

from collections.abc import Iterable, Iterator

from model.api.aggregate import aggregate
from model.api.configuration import Configuration, ConfigurationError, Extender
from model.api.integers import INT64_MAX
from model.api.names import name_problems
from model.api.resources import is_extended
from model.priorities import MAX_PRIORITY
from model.rules import rule
from model.semantics import Priority

MAX_WEIGHT = INT64_MAX // MAX_PRIORITY


@rule("L-245", "Weights must be positive and bounded, managed resources well named and unique, binders at most one")
@rule("S-005", "A weight is above 0 and below a tenth of the largest int64; that of a scoring extender is above 0")
def check_policy(configuration: Configuration) -> None:
    """Raises ConfigurationError with all problems."""
    if problems := aggregate(_problems(configuration)):
        raise ConfigurationError(problems)


def _problems(configuration: Configuration) -> Iterator[str]:
    for priority in configuration.priorities or ():
        if not 0 < priority.weight < MAX_WEIGHT:
            yield f"Priority {priority.name} should have a positive weight applied to it or it has overflown"
    yield from _extender_problems(configuration.extenders)


def _extender_problems(extenders: Iterable[Extender]) -> Iterator[str]:
    managed: set[str] = set()
    binders = 0
    for extender in extenders:
        if extender.prioritize_verb and extender.weight <= 0:
            yield f"Priority for extender {extender.url_prefix} should have a positive weight applied to it"
        binders += bool(extender.bind_verb)
        for resource in extender.managed_resources:
            yield from _resource_problems(resource.name)
            if resource.name in managed:
                yield f"Duplicate extender managed resource name {resource.name}"
            managed.add(resource.name)
    if binders > 1:
        yield f"Only one extender can implement bind, found {binders}"


def _resource_problems(name: str) -> tuple[str, ...]:
    problems = name_problems(name)
    if problems or is_extended(name):
        return problems
    return (f"{name} is an invalid extended resource name",)


@rule("S-006", "The hard pod affinity weight that results is within 1..100")
def check_hard_pod_affinity_weight(weight: int) -> None:
    """Raises ConfigurationError.  [L-262]"""
    if not 1 <= weight <= 100:
        raise ConfigurationError(f"invalid hardPodAffinitySymmetricWeight: {weight}, must be in the range 1-100")


@rule("L-247", "The best possible total of all priorities is an int64")
def check_total_weight(priorities: Iterable[Priority]) -> None:
    """Raises ConfigurationError."""
    if sum(priority.weight * MAX_PRIORITY for priority in priorities) > INT64_MAX:
        raise ConfigurationError("total priority of priority functions has overflown")
