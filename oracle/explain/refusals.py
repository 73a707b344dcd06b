"""What speaks against nodes, nodes of which the same is said together."""

from attrs import frozen

from model.attempt import Attempt
from model.decision import tried_alone, tried_together
from oracle.smt.chain import COUNTING_NOMINATED, constraints
from oracle.smt.constraint import Constraint
from oracle.smt.corrections import need
from oracle.smt.question import Incoming, Question

OF_THE_NODE = {"P-041", "P-042", "P-050", "P-052", "P-053", "P-056", "P-059", "P-083", "V-021", "V-022", "V-020"}
"""Rules whose words are the same on nodes that are alike; the words of others tell amounts or pods."""


@frozen
class Refusal:
    """One predicate.  `reasons`: kube-scheduler's exact texts.

    `details`: what exactly is wrong, on all nodes of the group; `lacks`: what the closest of them lacks.
    """

    predicate: str
    reasons: tuple[str, ...]
    details: tuple[str, ...]
    lacks: tuple[str, ...]


@frozen
class NodeGroup:
    """`refusals` is empty for feasible nodes, and where only nominated pods are in the way.

    `reasons`: what the attempt itself is told, the first failing predicate; `closest`: the node that lacks least;
    `besides`: what is wrong once the pods nominated to it are counted in.
    """

    nodes: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    reasons: tuple[str, ...]
    closest: str
    besides: tuple[str, ...]


@frozen(eq=False)
class _Node:
    """`refused`: each predicate that fails, with its reasons."""

    name: str
    refused: tuple[tuple[str, tuple[str, ...]], ...]
    reasons: tuple[str, ...]
    broken: tuple[Constraint, ...]
    need: float

    @property
    def key(self) -> tuple[object, ...]:
        own = tuple((c.predicate, c.says) for c in self.broken if c.rule in OF_THE_NODE)
        return self.refused, self.reasons, tuple(dict.fromkeys(own))

    def said(self, predicate: str, own: bool) -> tuple[str, ...]:
        """Each once; `own`: of the node itself, or of amounts and pods."""
        of_it = [c for c in self.broken if c.predicate == predicate and (c.rule in OF_THE_NODE) == own]
        anyway = {f"{c.says}{COUNTING_NOMINATED}" for c in of_it}
        return tuple(dict.fromkeys(c.says for c in of_it if c.says not in anyway))


def groups(attempt: Attempt, incoming: Incoming) -> tuple[NodeGroup, ...]:
    """Every node, in the largest groups first."""
    alike: dict[tuple[object, ...], list[_Node]] = {}
    for name in incoming.facts.nodes:
        node = _asked(attempt, incoming, name)
        alike.setdefault(node.key, []).append(node)
    return tuple(_group(nodes) for nodes in sorted(alike.values(), key=len, reverse=True))


def _asked(attempt: Attempt, incoming: Incoming, name: str) -> _Node:
    info = attempt.snapshot[name]
    refused = []
    for predicate in attempt.semantics.predicates:
        verdict = tried_alone(attempt, info, predicate.evaluate)
        if not verdict.fits:
            refused.append((predicate.name, verdict.reasons or (f"error: {verdict.error}",)))
    together = tried_together(attempt, info)
    broken = [c for c in constraints(Question(incoming, incoming.facts.nodes[name])) if c.holds is False]
    lacking = sum(need(c.changes[0], incoming) if c.changes else 1 for c in broken)
    reasons = together.reasons or ((f"error: {together.error}",) if together.error else ())
    return _Node(name, tuple(refused), reasons, tuple(broken), lacking)


def _group(nodes: list[_Node]) -> NodeGroup:
    closest = min(nodes, key=lambda node: node.need)
    refused = dict(closest.refused)
    return NodeGroup(
        nodes=tuple(node.name for node in nodes),
        refusals=tuple(
            Refusal(predicate, reasons, closest.said(predicate, own=True), closest.said(predicate, own=False))
            for predicate, reasons in refused.items()
        ),
        reasons=closest.reasons,
        closest=closest.name,
        besides=tuple(dict.fromkeys(c.says for c in closest.broken if c.predicate not in refused)),
    )
