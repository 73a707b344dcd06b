"""Each catalogued fault as a scheduler of its own: `--scheduler python:tests.mutants.engines:<id, - spelled _>`."""

from collections.abc import Callable

from model.api.components import Engine
from oracle.mutants import mutated
from tests.mutants import MUTANTS


def __getattr__(name: str) -> Callable[[], Engine]:
    mutant = MUTANTS.get(name.replace("_", "-"))
    if mutant is None:
        raise AttributeError(f"no mutant is called {name}; there are {', '.join(MUTANTS)}")
    return lambda: mutated(mutant)
