"""Saying things about functions run on unknowns."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import z3

from oracle.smt.paths import Path, explored
from oracle.smt.proofs import Proved, Refuted, holds, proof
from oracle.smt.symbolic import Double, Integer, Word

INT64_MAX = 2**63 - 1


def within(unknown: Integer, lowest: int, highest: int) -> z3.BoolRef:
    return z3.And(unknown.term >= lowest, unknown.term <= highest)


def term(value: Any) -> Any:
    """What a function gave, to reason about: a plain number stays one."""
    return value.term if isinstance(value, Integer | Word | Double) else value


def always(
    function: Callable[[], Any], given: Iterable[z3.BoolRef], claim: Callable[[Any], z3.BoolRef]
) -> Proved | Refuted:
    """The claim is true of every result."""
    given = list(given)
    paths = explored(function, given)
    return proof(z3.And([z3.Implies(path.condition, claim(path.result)) for path in paths]), given)


def both(
    one: Callable[[], Any], other: Callable[[], Any], given: list[z3.BoolRef], claim: Callable[[Any, Any], z3.BoolRef]
) -> Proved | Refuted:
    """The claim is true of the results of the two, whatever they are."""
    pairs: Iterator[tuple[Path[Any], Path[Any]]] = product(list(explored(one, given)), list(explored(other, given)))
    claims = [z3.Implies(z3.And(p.condition, q.condition), claim(p.result, q.result)) for p, q in pairs]
    return proof(z3.And(claims), given)


def is_strict_weak_order(less: Callable[[Any, Any], Any], things: list[Any], given: Iterable[z3.BoolRef] = ()) -> bool:
    """Irreflexive, asymmetric, transitive, and what cannot be told apart is of one kind.  `things`: three unknowns."""
    given = list(given)
    table = {(i, j): holds(lambda: less(things[i], things[j]), given) for i, j in product(range(3), repeat=2)}  # noqa: B023
    tied = {(i, j): z3.Not(z3.Or(table[i, j], table[j, i])) for i, j in table}
    laws = [z3.Not(table[i, i]) for i in range(3)]
    laws += [z3.Not(z3.And(table[i, j], table[j, i])) for i, j in table]
    for relation in (table, tied):
        laws.append(z3.Implies(z3.And(relation[0, 1], relation[1, 2]), relation[0, 2]))
    return proof(z3.And(laws), given) == Proved()
