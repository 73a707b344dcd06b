"""What an entry of a policy asks for: one that there is already, or one made to measure.  [P-008, S-004, L-246]"""

import re
from collections.abc import Mapping
from typing import TypeVar

from model.api.arguments import PredicateArgument, PriorityArgument
from model.api.configuration import ConfigurationError, PolicyEntry
from model.api.decode import ManifestError, structure
from model.api.protocol import Crash

NAME = "^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$"

Factory = TypeVar("Factory")
AnyArgument = TypeVar("AnyArgument", PredicateArgument, PriorityArgument)


def registered_as(entry: PolicyEntry, registered: Mapping[str, Factory], what: str) -> Factory:
    """The one of this name; `what`: "predicate" or "priority".  Raises Crash."""
    if entry.name not in registered:
        raise Crash(f"Invalid configuration: {what.capitalize()} type not found for {entry.name}")
    return registered[entry.name]


def argument_of(entry: PolicyEntry, kind: type[AnyArgument], what: str) -> AnyArgument:
    """With the one member that says what to make.  Raises ConfigurationError and Crash."""
    try:
        argument = structure(entry.argument, kind)
    except ManifestError as error:
        raise ConfigurationError(f"{what} {entry.name}: argument.{error}") from None
    if argument.members != 1:
        raise Crash(
            f"Exactly 1 {what} argument is required, numArgs: {argument.members}, {what.capitalize()}: {entry.name}"
        )
    return argument


def check_name(name: str) -> None:
    """Raises Crash.  [L-246]"""
    if not re.fullmatch(NAME, name):
        raise Crash(f'Algorithm name {name} does not match the name validation regexp "{NAME}".')
