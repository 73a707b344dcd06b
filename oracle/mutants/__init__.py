"""Mutation testing of the search: faults put into a scheduler one at a time, and how fast each is found.

engine = mutated(mutant, "impl")
kill = hunt(mutant, engine, sound, seconds=60)
"""

from oracle.mutants.hunt import Kill, Result, hunt
from oracle.mutants.mutation import Mutant, StillbornError, mutated

__all__ = ["Kill", "Mutant", "Result", "StillbornError", "hunt", "mutated"]
