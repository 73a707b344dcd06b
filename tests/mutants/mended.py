"""The reference with one quirk of v1.15.3 mended: `--scheduler python:tests.mutants.mended:E_035`.

To v1.15.3 a scheduler that does better is as wrong as one that does worse.
"""

from collections.abc import Callable

from model.api.components import Engine
from model.engine import Reference
from model.quirks import QUIRKS
from model.unmodelled import load_rules


def __getattr__(name: str) -> Callable[[], Engine]:
    load_rules()
    quirk = name.replace("_", "-")
    if quirk not in QUIRKS:
        raise AttributeError(f"no quirk is called {quirk}")
    return lambda: Reference().without(quirk)
