"""Faults put into `impl` while it is imported, into a copy of its modules that nobody else sees."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from attrs import frozen

from model.api.components import Engine

PACKAGE = "impl"


@frozen
class Mutant:
    """One place of one module changed: `old`, which stands there once, becomes `new`.

    `rules`: what the fault breaks.
    """

    id: str
    description: str
    module: str
    old: str
    new: str
    rules: tuple[str, ...] = ()

    def applied(self, source: str) -> str:
        """Raises ValueError where the place is not found, or not only once."""
        if source.count(self.old) != 1:
            raise ValueError(f"mutant {self.id}: {self.old!r} stands {source.count(self.old)} times in {self.module}")
        return source.replace(self.old, self.new)


def mutated(mutant: Mutant) -> Engine:
    """The optimized scheduler with the fault."""
    with _set_aside(), _importing(mutant):
        return import_module(f"{PACKAGE}.engine").Optimized()  # type: ignore[no-any-return]


@contextmanager
def _set_aside() -> Iterator[None]:
    """Forget the package's modules, and remember them afterwards."""
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == PACKAGE}
    for name in kept:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
        sys.modules.update(kept)


@contextmanager
def _importing(mutant: Mutant) -> Iterator[None]:
    finder = _Finder(mutant)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self._mutant.module:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None:
            return None
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
