"""A predicate or priority that a policy makes to measure: its argument and its name.  [P-008, S-004, L-246]"""

import re
from typing import TypeVar

from model.api.arguments import PredicateArgument, PriorityArgument
from model.api.configuration import ConfigurationError, PolicyEntry
from model.api.decode import ManifestError, structure
from model.api.protocol import Crash

NAME = "^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$"

AnyArgument = TypeVar("AnyArgument", PredicateArgument, PriorityArgument)


def argument_of(entry: PolicyEntry, kind: type[AnyArgument], what: str) -> AnyArgument:
    """`what`: what the entry is called.  Raises ConfigurationError."""
    try:
        return structure(entry.argument, kind)
    except ManifestError as error:
        raise ConfigurationError(f"{what} {entry.name}: argument.{error}") from None


def check_name(name: str) -> None:
    """Raises Crash.  [L-246]"""
    if not re.fullmatch(NAME, name):
        raise Crash(f'Algorithm name {name} does not match the name validation regexp "{NAME}".')
