"""Nobody holds a host port that the pod wants.  [P-051]"""

from collections.abc import Iterator

from model.api.ports import HostPort, conflicts, host_ports
from oracle.smt.changes import DropHostPort, RemovePods
from oracle.smt.constraint import Constraint
from oracle.smt.formula import Term, every, no
from oracle.smt.question import Question


def pod_fits_host_ports(question: Question) -> Iterator[Constraint]:
    held = [(port, pod.key, question.present(pod)) for port, pod in question.node.ports]
    held += [(port, pod.key, True) for pod in question.joined for port in host_ports(pod)]
    for wanted in question.incoming.ports:
        against = [claim for claim in held if conflicts(wanted, [claim[0]])]
        if question.simulated:
            against = _as_a_set(against)
        if against:
            holders = tuple(dict.fromkeys(key for _, key, _ in against))
            yield Constraint(
                "P-051",
                f"host port {wanted.port}/{wanted.protocol} is held by {', '.join(holders)}",
                every(no(present) for _, _, present in against),
                changes=(DropHostPort(wanted.port), RemovePods(holders)),
            )


def _as_a_set(held: list[tuple[HostPort, str, Term]]) -> list[tuple[HostPort, str, Term]]:
    """A port that goes with one of its holders is free, even while another still has it.  [E-066]"""
    loose = {port for port, _, present in held if present is not True}
    return [claim for claim in held if claim[0] not in loose or claim[2] is not True]
