"""Are these the right victims?  They must suffice, and none of them may be there for nothing.

v1.15 promises that only within its own simulation; what it is known to do beyond that has a class here and is
"allowed by v1.15, not minimal".  Anything else is wrong.
"""

from collections.abc import Collection, Mapping

import z3
from attrs import frozen

from model.api.objects import Pod
from oracle.smt.constraint import Constraint
from oracle.smt.facts import Facts
from oracle.smt.host import Unknown
from oracle.smt.preemption import Eviction, greedy
from oracle.smt.question import Incoming
from oracle.smt.resources import wraps
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS, Broken, Holds, OutOfTime, Undecided

CLASSES: Mapping[str, str] = {
    "O-001": "requests or their sums wrap beyond 64 bits, so that fewer pods seem to use more",
    "E-060": "above its CSI volume limit a node refuses what is new to it, and with more pods on it less is new",
    "E-061": "a pod put back counts for all anti-affinity terms as soon as it matches one",
    "E-065a": "all lower pods are removed before anything is tried, and with them one that this pod must be near",
    "E-065b": "the reason of the refusal counts as final, so that no eviction is tried there",
    "E-065c": "pods of several nodes would have to go, and only those of one are ever tried",
    "E-065d": "service affinity follows another pod once some are gone",
    "E-066": "a host port held twice counts as free when one holder goes",
}


@frozen
class Minimal:
    """The victims suffice, and no proper subset of them does."""


@frozen(eq=False)
class Insufficient:
    """With all of them gone the pod still does not fit.  `core`: why."""

    core: tuple[Constraint, ...]


@frozen
class NotEvictable:
    """Not on the node, or not of lower priority.  [E-060]"""

    pods: tuple[str, ...]


@frozen
class Excessive:
    """`enough`: a proper subset that suffices.  `rule`: one of CLASSES, "" if nothing excuses it."""

    enough: tuple[str, ...]
    rule: str


@frozen
class Tolerated:
    """They do not suffice, as v1.15 could not know.  `rule`: the class."""

    rule: str


VictimsVerdict = Minimal | Insufficient | NotEvictable | Excessive | Tolerated | Unknown


def check_victims(
    facts: Facts,
    pod: Pod,
    node: str,
    victims: Collection[str],
    settings: Settings | None = None,
    limit_ms: int = LIMIT_MS,
) -> VictimsVerdict:
    """`victims`: namespace/name.  Raises KeyError for a node that is not there."""
    try:
        return _judged(Incoming(facts, pod, settings or Settings()), node, victims, limit_ms)
    except OutOfTime as unknown:
        return Unknown(str(unknown))


def _judged(incoming: Incoming, node: str, victims: Collection[str], limit_ms: int) -> VictimsVerdict:
    """Raises OutOfTime."""
    facts = incoming.facts
    eviction = Eviction.of(incoming, facts.nodes[node], limit_ms=limit_ms)
    if strangers := tuple(victim for victim in victims if victim not in eviction.stays):
        return NotEvictable(strangers)
    match eviction.without(victims):
        case Undecided(why):
            return Unknown(why)
        case Broken(core):
            simulated = Eviction.of(incoming, facts.nodes[node], simulated=True, limit_ms=limit_ms)
            return Tolerated("E-066") if simulated.fits_without(victims) else Insufficient(core)
    match sufficing(eviction, victims):
        case None:
            return Minimal()
        case enough:
            return Excessive(enough, _excuse(incoming, node, victims, limit_ms))


def sufficing(eviction: Eviction, victims: Collection[str]) -> tuple[str, ...] | None:
    """A proper subset of the victims that would do.  Raises OutOfTime."""
    assumed = [eviction.stays[key] for key in eviction.stays if key not in victims]
    spared = z3.Or([eviction.stays[key] for key in victims]) if victims else z3.BoolVal(False)
    eviction.solving.solver.push()
    eviction.solving.solver.add(spared)
    answer = eviction.solving.ask(*assumed)
    eviction.solving.solver.pop()
    match answer:
        case Holds(model):
            return tuple(key for key in victims if not z3.is_true(model.eval(eviction.stays[key], True)))
        case Undecided(why):
            raise OutOfTime(why)
    return None


def _excuse(incoming: Incoming, node: str, victims: Collection[str], limit_ms: int) -> str:
    """The class, if v1.15's way of searching arrives at these victims.  [E-060, E-061, O-001]

    In the order of the node, or with the victims put back after their equals; others are possible.  [E-022]
    Raises OutOfTime.
    """
    simulated = Eviction.of(incoming, incoming.facts.nodes[node], simulated=True, limit_ms=limit_ms)
    if all(set(greedy(simulated, last) or ()) != set(victims) for last in ((), tuple(victims))):
        return ""
    if sufficing(simulated, victims) is None:
        return "E-061"
    if wraps(simulated.question):
        return "O-001"
    return "E-065d" if "CheckServiceAffinity" in incoming.settings.predicates else "E-060"
