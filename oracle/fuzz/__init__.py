"""Differential fuzzing: random cases through a scheduler and the reference, until they differ.

account = search(Plan("impl", seed=7, examples=1000))
"""

from oracle.fuzz.search import Plan, Progress, search

__all__ = ["Plan", "Progress", "search"]
