"""What speaks against nodes, nodes of which the same is said together."""

from attrs import frozen

from model.attempt import Attempt
from model.decision import tried_alone, tried_together
from oracle.smt.chain import constraints
from oracle.smt.constraint import Constraint
from oracle.smt.corrections import need
from oracle.smt.question import Incoming, Question

OF_THE_NODE = {"P-041", "P-042", "P-050", "P-052", "P-053", "P-056", "P-059", "P-083", "V-021", "V-022", "V-020"}
"""Rules whose words are the same on nodes that are alike; the words of others tell amounts or pods."""


@frozen
class Refusal:
    """One predicate.  `reasons`: kube-scheduler's exact texts."""

    predicate: str
    reasons: tuple[str, ...]


@frozen
class NodeGroup:
    """`refusals` is empty for feasible nodes.  `reasons`: what the attempt itself is told, the first failing predicate.

    `details`: what exactly is wrong on all of them; `closest`: the node that lacks least, and what it lacks.
    """

    nodes: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    reasons: tuple[str, ...]
    details: tuple[str, ...]
    closest: str
    lacks: tuple[str, ...]


@frozen(eq=False)
class _Node:
    name: str
    refusals: tuple[Refusal, ...]
    reasons: tuple[str, ...]
    broken: tuple[Constraint, ...]
    need: float

    @property
    def key(self) -> tuple[object, ...]:
        return self.refusals, self.reasons, _said(self.broken, own=True)


def groups(attempt: Attempt, incoming: Incoming) -> tuple[NodeGroup, ...]:
    """Every node, in the largest groups first."""
    alike: dict[tuple[object, ...], list[_Node]] = {}
    for name in incoming.facts.nodes:
        node = _asked(attempt, incoming, name)
        alike.setdefault(node.key, []).append(node)
    return tuple(_group(nodes) for nodes in sorted(alike.values(), key=len, reverse=True))


def _asked(attempt: Attempt, incoming: Incoming, name: str) -> _Node:
    info = attempt.snapshot[name]
    refusals = []
    for predicate in attempt.semantics.predicates:
        verdict = tried_alone(attempt, info, predicate.evaluate)
        if not verdict.fits:
            refusals.append(Refusal(predicate.name, verdict.reasons or (f"error: {verdict.error}",)))
    together = tried_together(attempt, info)
    broken = [c for c in constraints(Question(incoming, incoming.facts.nodes[name])) if c.holds is False]
    lacking = sum(need(c.changes[0], incoming) if c.changes else 1 for c in broken)
    reasons = together.reasons or ((f"error: {together.error}",) if together.error else ())
    return _Node(name, tuple(refusals), reasons, tuple(broken), lacking)


def _group(nodes: list[_Node]) -> NodeGroup:
    closest = min(nodes, key=lambda node: node.need)
    return NodeGroup(
        nodes=tuple(node.name for node in nodes),
        refusals=nodes[0].refusals,
        reasons=nodes[0].reasons,
        details=_said(closest.broken, own=True),
        closest=closest.name,
        lacks=_said(closest.broken, own=False),
    )


def _said(broken: tuple[Constraint, ...], own: bool) -> tuple[str, ...]:
    """Each once; `own`: of the node itself, or of amounts and pods."""
    return tuple(dict.fromkeys(c.says for c in broken if (c.rule in OF_THE_NODE) == own))
