"""May the pod run on the node?  And if nowhere: is that true of every node?"""

from collections.abc import Iterable, Mapping

import z3
from attrs import frozen

from model.api.objects import Pod
from oracle.smt.chain import basic_checks, constraints
from oracle.smt.constraint import Constraint
from oracle.smt.facts import Facts
from oracle.smt.formula import asserted
from oracle.smt.question import Incoming, Question
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS, Broken, Holds, Solving, Undecided
from oracle.smt.volume_binding import dealt_greedily


@frozen
class Feasible:
    """`volumes`: which volume each claim could get, claim -> volume, where that was to be decided."""

    volumes: Mapping[str, str]


@frozen(eq=False)
class Infeasible:
    """`core`: what cannot hold together."""

    core: tuple[Constraint, ...]

    def __str__(self) -> str:
        return "; ".join(str(constraint) for constraint in self.core)


@frozen
class Unknown:
    """The time limit was reached, or the solver gave up: nothing is said."""

    why: str


Verdict = Feasible | Infeasible | Unknown


def check_host(
    facts: Facts, pod: Pod, host: str, settings: Settings | None = None, limit_ms: int = LIMIT_MS
) -> Verdict:
    """Every hard constraint on the pod on this node, without anybody being removed."""
    node = facts.nodes.get(host)
    if node is None:
        return Infeasible((Constraint("A-004", f"there is no node {host}", False),))
    incoming = Incoming(facts, pod, settings or Settings())
    return decide([*basic_checks(facts, pod), *constraints(Question(incoming, node))], limit_ms)


def decide(wanted: Iterable[Constraint], limit_ms: int) -> Verdict:
    """One constraint that is plainly broken is proof enough."""
    listed = list(wanted)
    broken = [constraint for constraint in listed if constraint.holds is False]
    match Solving(broken[:1] or listed, limit_ms).ask():
        case Holds(model):
            return Feasible(_volumes(model))
        case Broken(core):
            return Infeasible(core)
        case Undecided(why):
            return Unknown(why)


def _volumes(model: z3.ModelRef) -> dict[str, str]:
    names = (each.name() for each in model.decls() if " gets " in each.name() and z3.is_true(model[each]))
    pairs = (name.split(" gets ") for name in names)
    return {claim.rsplit(" #", 1)[0]: volume for claim, volume in pairs}


@frozen
class Unschedulable:
    """Proved for every node.  `proofs`: nodes that are alike, with why they cannot take the pod."""

    proofs: tuple[tuple[tuple[str, ...], Infeasible], ...]


@frozen
class Overlooked:
    """`nodes`: where the pod could run after all.

    `by_volumes`: only with volumes dealt out better than v1.15's greedy choice does.  [V-022]
    """

    nodes: tuple[str, ...]
    by_volumes: bool


def check_unschedulable(
    facts: Facts, pod: Pod, settings: Settings | None = None, limit_ms: int = LIMIT_MS
) -> Unschedulable | Overlooked | Unknown:
    """That no node can take the pod, without anybody being removed; nodes with equal constraints are proved once."""
    incoming = Incoming(facts, pod, settings or Settings())
    proofs: list[tuple[tuple[str, ...], Infeasible]] = []
    unknown: Unknown | None = None
    by_volumes: list[str] = []
    for names, wanted in alike(incoming, list(basic_checks(facts, pod))):
        match decide(wanted, limit_ms):
            case Feasible(volumes):
                missed = [name for name in names if volumes and not _dealt_greedily(incoming, name)]
                if len(missed) < len(names):
                    return Overlooked(tuple(name for name in names if name not in missed), by_volumes=False)
                by_volumes += missed
            case Infeasible() as proof:
                proofs.append((names, proof))
            case Unknown() as unknown:
                pass
    if by_volumes:
        return Overlooked(tuple(by_volumes), by_volumes=True)
    return unknown or Unschedulable(tuple(proofs))


def _dealt_greedily(incoming: Incoming, node: str) -> bool:
    return dealt_greedily(Question(incoming, incoming.facts.nodes[node]))


def alike(incoming: Incoming, basic: list[Constraint]) -> list[tuple[tuple[str, ...], list[Constraint]]]:
    """Nodes grouped by equal constraints, each group with those of its first node."""
    groups: dict[tuple[tuple[str, int], ...], tuple[list[str], list[Constraint]]] = {}
    for name, node in incoming.facts.nodes.items():
        wanted = [c for c in (*basic, *constraints(Question(incoming, node))) if c.holds is not True]
        key = tuple((c.rule, asserted(c.holds).get_id()) for c in wanted)
        groups.setdefault(key, ([], wanted))[0].append(name)
    return [(tuple(names), wanted) for names, wanted in groups.values()]
