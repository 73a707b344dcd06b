"""Surprising rules that are no switches of their own, and why.

Where the surprise is a consequence of another rule, that one is the switch.
"""

from collections.abc import Mapping

_READING = "what a text means is decided before the scheduler decides: all implementations read it alike"
_VALIDATED = "the API server refuses the objects in which it would show"

UNSWITCHED: Mapping[str, str] = {
    "A-033": "how a request is written, not what is decided",
    "A-042": "whichever of the best is taken is right, so that there is nothing to mend",
    "C-002": "a number: an assumption has to end some time",
    "E-061": "follows from P-037",
    "E-066": "follows from O-096",
    "L-050": "follows from V-036",
    "L-068": "follows from P-006",
    "L-123": "follows from E-035",
    "L-132": "the names of conditions; which of them is given is L-054",
    "L-205": "follows from E-051 and E-052",
    "L-261": "defaults of a library that no configuration file reaches",
    "L-263": "0 has to mean something: without time to wait no volume would ever be bound",
    "O-022": _READING,
    "O-027": _READING,
    "O-029": _READING,
    "O-030": _READING,
    "O-031": _VALIDATED,
    "O-068": _VALIDATED,
    "O-071": _VALIDATED,
    "P-008": "a policy that is refused at the start decides nothing",
    "P-020": "cannot happen: every predicate that fails has a reason",
    "P-038": "what comes of it is P-098",
    "P-049": "follows from O-045",
    "P-051": "what init containers listen on is free again when the others start: no release of 1.15 has any that stay",
    "P-054": _READING,
    "P-057": _READING,
    "Q-027": "one clock: there is no second one to be read by mistake",
    "Q-055": "a pod that goes between reading it and nominating it stays nominated; here nothing comes between the two",
    "Q-082": "no other cycle is known by then: nothing keeps the pod's own",
    "S-004": "one configuration per process: no second one can see the weight of the first",
    "S-012": "later releases score feasible nodes only, too",
    "S-013": "weights with which a sum could be too large for 64 bits are refused at the start (S-005)",
    "S-031": "volumes take part only with an alpha gate that is refused",
    "S-051": _VALIDATED,
    "V-037": "the claim is gone: there is nothing that could be assumed or bound instead",
}
