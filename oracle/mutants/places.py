"""Where in a source text something is defined."""

import ast
from functools import lru_cache

Definition = ast.FunctionDef | ast.ClassDef


def region(source: str, name: str) -> tuple[int, int]:
    """Start and end of a function, method or class in characters; of the whole text without a name.

    Raises ValueError where there is none.
    """
    if not name:
        return 0, len(source)
    found = definitions(source).get(name)
    if found is None:
        raise ValueError(f"nothing is called {name}")
    starts = line_starts(source)
    return starts[found.lineno - 1], starts[found.end_lineno or found.lineno]


@lru_cache(maxsize=64)
def definitions(source: str) -> dict[str, Definition]:
    """Functions, methods and classes by their qualified names; what is inside functions counts to these."""
    found: dict[str, Definition] = {}

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for statement in body:
            if isinstance(statement, Definition):
                found[prefix + statement.name] = statement
            if isinstance(statement, ast.ClassDef):
                visit(statement.body, f"{prefix}{statement.name}.")

    visit(ast.parse(source).body, "")
    return found


def line_starts(source: str) -> list[int]:
    """The character at which each line starts, and the end."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts
