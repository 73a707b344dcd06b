"""Mutants made by rule: every comparison, connective, condition, constant and sum of a module, changed in turn."""

import ast
from collections import Counter
from collections.abc import Iterator
from hashlib import sha1
from importlib.util import find_spec
from math import ceil
from pathlib import Path

from oracle.mutants.mutation import Mutant
from oracle.mutants.places import Definition, definitions, line_starts

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}


def sample(modules: tuple[str, ...], count: int) -> list[Mutant]:
    """About so many of the mutants of the modules, and of each module the same share.

    Which, depends on what is changed and where: new lines beside it take no other mutants.
    """
    made = {module: sorted(automatic(module), key=_lot) for module in modules}
    share = count / max(sum(len(mutants) for mutants in made.values()), 1)
    return [mutant for mutants in made.values() for mutant in mutants[: ceil(share * len(mutants))]]


def _lot(mutant: Mutant) -> bytes:
    return sha1(mutant.place.encode()).digest()


def automatic(module: str) -> Iterator[Mutant]:
    """All mutants of a module."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ValueError(f"there is no module {module}")
    source = Path(spec.origin).read_text()
    for name, definition in definitions(source).items():
        if not isinstance(definition, ast.ClassDef):
            yield from _of_function(module, name, definition, source)


def _of_function(module: str, name: str, function: Definition, source: str) -> Iterator[Mutant]:
    starts = line_starts(source)
    first, last = starts[function.lineno - 1], starts[function.end_lineno or function.lineno]
    text = source[first:last]
    told: Counter[str] = Counter()
    for serial, (node, changed) in enumerate(_changes(function), 1):
        start, end = _span(node, source, starts)
        old = source[start:end]
        plain = ast.unparse(changed)
        new = plain if isinstance(changed, ast.stmt) else f"({plain})"
        change = f"{' '.join(old.split())} → {plain}"
        told[change] += 1
        yield Mutant(
            id=f"{module.partition('.')[2]}.{name}-{serial}",
            description=change if told[change] == 1 else f"{change}, number {told[change]}",
            where=f"{module}:{name}",
            old=text,
            new=source[first:start] + new + source[end:last],
        )


def _span(node: ast.AST, source: str, starts: list[int]) -> tuple[int, int]:
    """Positions of the syntax tree count bytes of UTF-8."""
    assert isinstance(node, ast.expr | ast.stmt)

    def at(line: int, column: int) -> int:
        start = starts[line - 1]
        return start + len(source[start : starts[line]].encode()[:column].decode())

    return at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0)


# --- what is changed ------------------------------------------------------------------------------


def _changes(function: Definition) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Nodes of the function's body, each with what takes its place."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    for statement in body:
        for node in _walk(statement):
            for changed in _variants(node):
                yield node, changed


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Neither assertions, nor texts of errors, nor annotations."""
    if isinstance(node, ast.Assert | ast.Raise | ast.JoinedStr):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, [operator], right):
            for other in COMPARISONS[type(operator)]:
                yield ast.Compare(left, [other()], right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for at in range(len(values)):
                rest = values[:at] + values[at + 1 :]
                yield ast.BoolOp(operator, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.IfExp(_, body, orelse):
            yield body
            yield orelse
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(ast.Name(name), arguments, keywords) if name in OPPOSITES:
            yield ast.Call(ast.Name(OPPOSITES[name]), arguments, keywords)
        case ast.comprehension():
            return
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Delete():
            yield ast.Pass()
        case ast.Return(ast.AST()) | ast.If():
            return
