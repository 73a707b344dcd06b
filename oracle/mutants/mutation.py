"""Faults put into a scheduler while it is imported, into a copy of its modules that nobody else sees."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.metadata import entry_points
from types import CodeType, ModuleType

from attrs import frozen

from model.api.components import Engine
from oracle.mutants.places import region
from oracle.schedulers import GROUP


class StillbornError(Exception):
    """The changed scheduler cannot even be imported."""


@frozen
class Mutant:
    """One place of one module changed: `old`, which stands there once, becomes `new`.

    `where`: a module and, after a colon, the function, method or class (`impl.queue:Queue.update`).
    `rules`: what the fault breaks.
    """

    id: str
    description: str
    where: str
    old: str
    new: str
    rules: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """What stays the same while the code around it changes."""
        return f"{self.where}: {self.description}"

    @property
    def module(self) -> str:
        return self.where.partition(":")[0]

    def applied(self, source: str) -> str:
        """The module's source with the fault.  Raises ValueError where the place is not found, or not only once."""
        start, end = region(source, self.where.partition(":")[2])
        place = source[start:end]
        if (times := place.count(self.old)) != 1:
            raise ValueError(f"mutant {self.id}: {self.old!r} stands {times} times in {self.where}")
        return source[:start] + place.replace(self.old, self.new) + source[end:]


def mutated(mutant: Mutant, scheduler: str = "impl") -> Engine:
    """The scheduler of this name with the fault.  Raises ValueError and StillbornError."""
    entry = next(iter(entry_points(group=GROUP, name=scheduler)))
    package = mutant.module.partition(".")[0]
    finder = _Finder(mutant)
    with _set_aside(package), _finding(finder):
        try:
            engine: Engine = getattr(import_module(entry.module), entry.attr)()
        except ValueError:
            raise
        except Exception as error:
            raise StillbornError(f"mutant {mutant.id}: {type(error).__name__}: {error}") from error
    if not finder.was_asked:
        raise ValueError(f"mutant {mutant.id}: {entry.module} does not import {mutant.module}")
    return engine


@contextmanager
def _set_aside(package: str) -> Iterator[None]:
    """Forget the package's modules, and remember them afterwards."""
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == package}
    for name in kept:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]
        sys.modules.update(kept)


@contextmanager
def _finding(finder: "_Finder") -> Iterator[None]:
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    """Gives the mutant's module another loader."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self.was_asked = False

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self._mutant.module:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None:
            return None
        self.was_asked = True
        spec.loader = _Loader(name, spec.origin, self._mutant)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """From the changed source, never from a cache."""
        source = self._mutant.applied(self.get_data(self.path).decode())
        return compile(source, f"{self.path} [{self._mutant.id}]", "exec", dont_inherit=True)
