"""The simulated world around a scheduler: API server, clock, kubelet, PV controller."""

from oracle.environment.effects import Effect
from oracle.environment.environment import Environment
from oracle.environment.operations import OPERATIONS, Operation, read_operations, write_operation
from oracle.environment.requests import ExtenderAnswers, no_extender
from oracle.environment.settings import Settings
from oracle.environment.step import Step

__all__ = [
    "OPERATIONS",
    "Effect",
    "Environment",
    "ExtenderAnswers",
    "Operation",
    "Settings",
    "Step",
    "no_extender",
    "read_operations",
    "write_operation",
]
