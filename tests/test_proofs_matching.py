"""Proofs about ports, taints and tolerations, over all texts."""

from collections.abc import Callable
from typing import Any

import pytest
import z3

from model.api.objects import Taint, Toleration
from model.api.ports import ANY_ADDRESS, HostPort, conflicts
from model.api.tolerations import tolerates
from oracle.smt.proofs import Proved, Refuted, holds, proof
from oracle.smt.symbolic import Integer, Text


def text(name: str) -> Any:
    return Text.unknown(name)


def port(name: str) -> HostPort:
    return HostPort(text(f"{name} ip"), text(f"{name} protocol"), Integer.unknown(f"{name} port"))  # type: ignore[arg-type]


def test_the_conflict_of_ports_is_symmetric() -> None:
    """P-051"""
    one, other = port("one"), port("other")
    there, back = holds(lambda: conflicts(one, [other])), holds(lambda: conflicts(other, [one]))
    assert proof(there == back) == Proved()


def test_every_port_conflicts_with_itself() -> None:
    own = port("own")
    assert proof(holds(lambda: conflicts(own, [own]))) == Proved()


def test_the_wildcard_conflicts_wherever_another_address_does() -> None:
    some, other = port("some"), port("other")
    wildcard = HostPort(ANY_ADDRESS, some.protocol, some.port)
    narrow, wide = holds(lambda: conflicts(some, [other])), holds(lambda: conflicts(wildcard, [other]))
    assert proof(z3.Implies(narrow, wide)) == Proved()


def test_the_conflict_of_ports_is_not_transitive() -> None:
    """Two addresses each conflict with the wildcard, but not with one another."""
    one, two, three = port("one"), port("two"), port("three")
    first, second = holds(lambda: conflicts(one, [two])), holds(lambda: conflicts(two, [three]))
    assert isinstance(proof(z3.Implies(z3.And(first, second), holds(lambda: conflicts(one, [three])))), Refuted)


# --- tolerations ----------------------------------------------------------------------------------

TAINT = Taint(text("taint key"), text("taint value"), text("taint effect"))


def toleration(**told: Any) -> Toleration:
    """Unknown but for what is told."""
    return Toleration(
        **{name: told.get(name, text(f"toleration {name}")) for name in ("key", "operator", "value", "effect")}
    )


def tolerated(by: Toleration) -> z3.BoolRef:
    return holds(lambda: tolerates(by, TAINT))


LAWS: dict[str, Callable[[], z3.BoolRef]] = {
    "Exists without key and effect tolerates everything": lambda: tolerated(
        toleration(key="", operator="Exists", effect="")
    ),
    "a taint written as a toleration tolerates it": lambda: tolerated(
        Toleration(TAINT.key, "Equal", TAINT.value, TAINT.effect)
    ),
    "no operator is Equal": lambda: tolerated(toleration(operator="")) == tolerated(toleration(operator="Equal")),
    "Exists tolerates what Equal does": lambda: z3.Implies(
        tolerated(toleration(operator="Equal")), tolerated(toleration(operator="Exists"))
    ),
    "without effect it tolerates no less": lambda: z3.Implies(
        tolerated(toleration()), tolerated(toleration(effect=""))
    ),
    "without key it tolerates no less": lambda: z3.Implies(tolerated(toleration()), tolerated(toleration(key=""))),
    "the value does not matter to Exists": lambda: (
        tolerated(toleration(operator="Exists")) == tolerated(toleration(operator="Exists", value=text("another")))
    ),
}


@pytest.mark.parametrize("law", LAWS)
def test_the_laws_of_toleration(law: str) -> None:
    """P-057"""
    assert proof(LAWS[law]()) == Proved()


def test_an_unknown_operator_tolerates_nothing() -> None:
    operator = text("toleration operator")
    known = z3.Or([operator.term == z3.StringVal(each) for each in ("", "Equal", "Exists")])
    assert proof(z3.Implies(tolerated(toleration()), known)) == Proved()


def test_a_toleration_without_key_need_not_say_exists() -> None:
    """What the documentation forbids works [P-057 quirk]: any key is tolerated if the value is the same."""
    keyless = toleration(key="", operator="Equal")
    assert isinstance(proof(z3.Not(tolerated(keyless))), Refuted)
    assert tolerates(Toleration(key="", operator="Equal", value="v"), Taint("any", "v", "NoSchedule"))
