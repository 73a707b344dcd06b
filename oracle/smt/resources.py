"""The node has room: pods, cpu, memory, ephemeral storage, and what else is counted.  [P-044..P-049]"""

from collections.abc import Iterator

from model.api.amounts import amount, is_bytes
from model.api.integers import INT64_MAX, int64
from model.api.resources import Resources, container_sum
from oracle.smt.changes import Change, FreeResource, LowerRequest, RaisePodLimit
from oracle.smt.constraint import Constraint
from oracle.smt.formula import Term, at_most, at_most_int64
from oracle.smt.question import Question

MI = 1 << 20
BASE = {"cpu": "milli_cpu", "memory": "memory", "ephemeral-storage": "ephemeral_storage"}


def pod_fits_resources(question: Question) -> Iterator[Constraint]:
    yield _pod_count(question)
    request = question.incoming.request
    if not any(of(request, name) for name in BASE) and not request.scalars:
        return
    used = [(amounts, question.present(pod)) for pod, amounts in question.node.requests]
    used += [(container_sum(pod), True) for pod in question.joined]
    for name in (*BASE, *sorted(request.scalars)):
        if name not in question.settings.ignored_resources:
            yield _enough(question, name, used)


def _pod_count(question: Question) -> Constraint:
    """[P-045]"""
    allowed = question.node.allocatable.allowed_pods
    there = [(1, present) for _, present in question.residents if present is not False]
    return Constraint(
        "P-045",
        f"pods there: {len(there)}, limit: {allowed}",
        at_most(there, allowed - 1),
        changes=(RaisePodLimit(question.node.name, len(there) + 1),),
    )


def _enough(question: Question, name: str, used: list[tuple[Resources, Term]]) -> Constraint:
    """All three base resources are compared, even where nothing of them is asked for.  [P-047, P-048]"""
    wanted, capacity = of(question.incoming.request, name), of(question.node.allocatable, name)
    amounts = [(of(amounts, name), present) for amounts, present in used]
    taken = int64(sum(number for number, present in amounts if present is not False))
    short = wanted + taken - capacity
    changes: list[Change] = [LowerRequest(name, _down(name, capacity - taken))] if taken <= capacity else []
    if short <= sum(of(amounts, name) for _, amounts in question.node.requests):
        changes.insert(0, FreeResource(question.node.name, name, -_down(name, -short)))
    return Constraint(
        "P-047",
        f"{amount(name, wanted)} {name} wanted, {amount(name, capacity - taken)} of {amount(name, capacity)} free",
        at_most_int64([(wanted, True), *amounts], capacity),
        changes=tuple(changes),
    )


def wraps(question: Question) -> bool:
    """Some amount is below 0, or can leave 64 bits with others: then fewer pods may use more.  [O-001, O-027]"""
    vectors = [question.incoming.request, *(amounts for _, amounts in question.node.requests)]
    by_name = ([of(amounts, name) for amounts in vectors] for name in (*BASE, *question.incoming.request.scalars))
    return any(min(amounts) < 0 or sum(amounts) > INT64_MAX for amounts in by_name)


def _down(name: str, value: int) -> int:
    """Nobody asks for odd bytes: whole Mi, where there is at least one."""
    return value - value % MI if is_bytes(name) and abs(value) >= MI else value


def of(amounts: Resources, name: str) -> int:
    """milli-CPU, bytes or units."""
    if name in BASE:
        return int(getattr(amounts, BASE[name]))
    return amounts.scalars.get(name, 0)
