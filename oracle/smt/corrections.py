"""The smallest changes after which a pod could run: minimal correction sets of its broken constraints.

On one node every broken constraint offers changes that lift it; the solver picks as few as lift all of them.
Of the nodes that need the same kinds of change those are asked that need least.
"""

from collections.abc import Iterator, Sequence

import z3
from attrs import evolve, fields_dict, frozen

from oracle.smt.chain import basic_checks, constraints
from oracle.smt.changes import (
    BindClaim,
    Change,
    CreateClaim,
    FreeResource,
    LowerRequest,
    RaisePodLimit,
    RaiseVolumeLimit,
    RemovePods,
)
from oracle.smt.constraint import Constraint
from oracle.smt.formula import asserted, at_most, some
from oracle.smt.question import Incoming, Question
from oracle.smt.resources import of
from oracle.smt.solving import LIMIT_MS

MOST_CHANGES = 4
MOST_SETS = 24
MOST_NODES = 3
"""How many nodes are asked that need the same kinds of change, and how many sets each may give."""

Kinds = frozenset[str]


@frozen
class Correction:
    """`nodes`: where these kinds of change would do; `changes` are those for the first, which needs least."""

    changes: tuple[Change, ...]
    nodes: tuple[str, ...]


@frozen(eq=False)
class _Place:
    """A node and what is against it.  `need`: how much would have to change there, as shares of what is asked."""

    node: str
    against: tuple[Constraint, ...]
    kinds: Kinds
    need: float


@frozen
class _Found:
    """The changes that need least of their kinds, and all the nodes where the kinds would do."""

    need: float
    changes: tuple[Change, ...]
    nodes: tuple[str, ...]

    def joined(self, other: "_Found") -> "_Found":
        best = min(self, other, key=lambda found: found.need)
        return evolve(best, nodes=tuple(dict.fromkeys((*self.nodes, *other.nodes))))


def corrections(incoming: Incoming, limit_ms: int = LIMIT_MS) -> list[Correction]:
    """Fewest changes first, then those that need least; no set contains another."""
    alike: dict[Kinds, list[_Place]] = {}
    for place in _places(incoming):
        alike.setdefault(place.kinds, []).append(place)
    found: dict[Kinds, _Found] = {}
    for places in alike.values():
        places.sort(key=lambda place: place.need)
        for place in places[:MOST_NODES]:
            for changes in filter(None, minimal_sets(place.against, limit_ms)):
                kinds = frozenset(map(_kind, changes))
                new = _Found(sum(need(x, incoming) for x in changes), changes, tuple(p.node for p in places))
                found[kinds] = found[kinds].joined(new) if kinds in found else new
    smallest = {kinds: each for kinds, each in found.items() if not any(other < kinds for other in found)}
    ranked = sorted(smallest.values(), key=lambda each: (len(each.changes), each.need, str(each.changes)))
    return [Correction(each.changes, _first(each.changes, each.nodes)) for each in ranked]


def _places(incoming: Incoming) -> Iterator[_Place]:
    """The nodes where some changes would do."""
    basic = tuple(basic_checks(incoming.facts, incoming.pod))
    for name, node in incoming.facts.nodes.items():
        against = (*basic, *(c for c in constraints(Question(incoming, node)) if c.holds is not True))
        broken = [c for c in against if c.holds is False]
        if against and all(c.changes for c in broken):
            kinds = frozenset("|".join(sorted(map(_kind, c.changes))) for c in broken)
            yield _Place(name, against, kinds, sum(need(c.changes[0], incoming) for c in broken))


def minimal_sets(against: Sequence[Constraint], limit_ms: int = LIMIT_MS) -> Iterator[tuple[Change, ...]]:
    """All sets of changes that lift these constraints, of which no part does; the smaller ones first."""
    offered = list(dict.fromkeys(change for c in against for change in c.changes))
    made = {change: z3.Bool(f"change {index}") for index, change in enumerate(offered)}
    solver = z3.SimpleSolver()
    solver.set("timeout", limit_ms)
    for constraint in against:
        lifting = (made[x] for x in offered if any(_covers(x, wanted) for wanted in constraint.changes))
        solver.add(asserted(some((constraint.holds, *lifting))))
    found = 0
    for size in range(1, MOST_CHANGES + 1):
        solver.push()
        solver.add(asserted(at_most([(1, each) for each in made.values()], size)))
        blocked: list[z3.BoolRef] = []
        while found < MOST_SETS and solver.check() == z3.sat:
            model = solver.model()
            chosen = tuple(change for change, term in made.items() if z3.is_true(model.eval(term)))
            blocked.append(z3.Or([z3.Not(made[change]) for change in chosen]))
            solver.add(blocked[-1])
            found += 1
            yield chosen
        solver.pop()
        solver.add(blocked)


def _covers(change: Change, wanted: Change) -> bool:
    """Does as much and maybe more."""
    match change, wanted:
        case FreeResource(node, resource, amount), FreeResource():
            return (node, resource) == (wanted.node, wanted.resource) and amount >= wanted.amount
        case LowerRequest(resource, to), LowerRequest():
            return resource == wanted.resource and to <= wanted.to
        case RaisePodLimit(_, to), RaisePodLimit():
            return to >= wanted.to
        case RaiseVolumeLimit(_, resource, to), RaiseVolumeLimit():
            return resource == wanted.resource and to >= wanted.to
        case CreateClaim(claim), BindClaim():
            return claim == wanted.claim
        case RemovePods(pods), RemovePods():
            return set(pods) >= set(wanted.pods)
    return change == wanted


def need(change: Change, incoming: Incoming) -> float:
    """How much of a change it is: a share of what the pod asks for, or a number of pods."""
    match change:
        case FreeResource(_, resource, amount):
            return amount / max(1, of(incoming.request, resource))
        case LowerRequest(resource, to):
            return 1 - to / max(1, of(incoming.request, resource))
        case RemovePods(pods):
            return len(pods)
    return 1


def _kind(change: Change) -> str:
    """The change without what differs from node to node."""
    own = {name: getattr(change, name) for name in fields_dict(type(change)) if name not in ("node", "amount", "to")}
    return f"{type(change).__name__} {own}"


def _first(changes: tuple[Change, ...], nodes: tuple[str, ...]) -> tuple[str, ...]:
    """The node that the changes are for comes first."""
    own = next((change.node for change in changes if hasattr(change, "node")), nodes[0])
    return (own, *(node for node in nodes if node != own))
