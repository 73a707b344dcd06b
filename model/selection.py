"""From a configuration to the predicates and priorities that run.  [P-006..P-008, S-003..S-004, L-241..L-249]"""

import re
from collections.abc import Mapping
from typing import TypeVar

from attrs import evolve

from model.api.arguments import PredicateArgument, PriorityArgument
from model.api.configuration import Configuration, ConfigurationError, PolicyEntry
from model.api.decode import ManifestError, structure
from model.api.protocol import Crash
from model.predicates.registry import EVALUATION_ORDER, check_node_label_presence, check_service_affinity
from model.priorities.registry import from_argument
from model.providers import Registry, provider
from model.quirks import Quirks, quirk
from model.rules import clause, declare, reached, rule
from model.semantics import Predicate, PredicateFunction, Priority

Argument = TypeVar("Argument", PredicateArgument, PriorityArgument)

NAME = "^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$"

declare("L-244", "Where a policy has no list the provider's names hold, else exactly the listed ones", __name__)

# --- predicates -----------------------------------------------------------------------------------

quirk("P-006", "A predicate under a name of its own is never evaluated")


@clause("P-006", "Only names of the evaluation order are ever evaluated")
@clause("L-241", "Mandatory predicates run in every configuration, even under an empty list")
def selected_predicates(configuration: Configuration, registry: Registry, quirks: Quirks) -> tuple[Predicate, ...]:
    """In evaluation order.  Raises ConfigurationError and Crash."""
    functions = predicate_functions(configuration, registry)
    order = EVALUATION_ORDER
    if any(name not in order for name in functions):
        reached("P-006")
        order = order if "P-006" in quirks else (*order, *sorted(set(functions) - set(order)))
    return tuple(Predicate(name, functions[name]) for name in order if name in functions)


@rule("P-007", "The provider's predicates, or exactly those of the policy, and the mandatory ones; a later entry wins")
def predicate_functions(configuration: Configuration, registry: Registry) -> Mapping[str, PredicateFunction]:
    known = dict(registry.predicates)
    if configuration.predicates is None:
        names = provider(registry, configuration.provider).predicates
    else:
        for entry in configuration.predicates:
            known[entry.name] = policy_predicate(entry, known)
        names = tuple(entry.name for entry in configuration.predicates)
    return {name: known[name] for name in (*names, *_mandatory(registry))}


def _mandatory(registry: Registry) -> tuple[str, ...]:
    reached("L-241")
    return registry.mandatory


@rule("P-008", "A policy predicate has one argument, or none and a registered name; anything else ends the scheduler")
@clause("L-249", "An entry with an argument replaces the registered function of its name")
def policy_predicate(entry: PolicyEntry, known: Mapping[str, PredicateFunction]) -> PredicateFunction:
    """Raises ConfigurationError for an argument of the wrong shape, and Crash."""
    if entry.argument is None:
        if entry.name not in known:
            raise Crash(f"Invalid configuration: Predicate type not found for {entry.name}")
        return known[entry.name]
    reached("L-249")
    argument = _argument(entry, PredicateArgument, "predicate")
    if argument.members != 1:
        raise Crash(f"Exactly 1 predicate argument is required, numArgs: {argument.members}, Predicate: {entry.name}")
    check_name(entry.name)
    if argument.service_affinity is not None:
        return check_service_affinity(argument.service_affinity.labels)
    assert argument.labels_presence is not None
    return check_node_label_presence(argument.labels_presence.labels, argument.labels_presence.presence)


# --- priorities -----------------------------------------------------------------------------------


@rule(
    "S-003", "The provider's priorities with their registered weights, or exactly those of the policy with its weights"
)
@rule("L-248", "Priorities are in the order of their names")
def selected_priorities(configuration: Configuration, registry: Registry) -> tuple[Priority, ...]:
    """Raises ConfigurationError and Crash."""
    known = dict(registry.priorities)
    if configuration.priorities is None:
        names = provider(registry, configuration.provider).priorities
    else:
        for entry in configuration.priorities:
            known[entry.name] = policy_priority(entry, known)
        names = tuple(entry.name for entry in configuration.priorities)
    return tuple(known[name] for name in sorted(set(names)))


@rule(
    "S-004",
    "A policy priority has one argument and any name, or none and a registered name; its weight is the policy's",
)
def policy_priority(entry: PolicyEntry, known: Mapping[str, Priority]) -> Priority:
    """Raises ConfigurationError for an argument of the wrong shape, and Crash."""
    if entry.argument is None:
        if entry.name not in known:
            raise Crash(f"Invalid configuration: Priority type not found for {entry.name}")
        check_name(entry.name)
        return evolve(known[entry.name], weight=entry.weight)
    argument = _argument(entry, PriorityArgument, "priority")
    if argument.members != 1:
        raise Crash(f"Exactly 1 priority argument is required, numArgs: {argument.members}, Priority: {entry.name}")
    score = from_argument(argument)
    check_name(entry.name)
    return Priority(entry.name, score, entry.weight)


# --- both -----------------------------------------------------------------------------------------


@rule("L-246", "A name has at least two characters, letters, digits and inner hyphens, or the scheduler does not start")
def check_name(name: str) -> None:
    """Raises Crash."""
    if not re.fullmatch(NAME, name):
        raise Crash(f'Algorithm name {name} does not match the name validation regexp "{NAME}".')


def _argument(entry: PolicyEntry, kind: type[Argument], what: str) -> Argument:
    try:
        return structure(entry.argument, kind)
    except ManifestError as error:
        raise ConfigurationError(f"{what} {entry.name}: argument.{error}") from None
