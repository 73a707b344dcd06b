"""Differential fuzzing: random cases through a scheduler and the reference, until they differ.

account = search(Plan("impl", seed=7, examples=1000))
"""

from oracle.fuzz.plan import Plan, PlanError
from oracle.fuzz.progress import Progress
from oracle.fuzz.search import search

__all__ = ["Plan", "PlanError", "Progress", "search"]
