"""What a predicate says about an aggregate without a node object; no consistent snapshot holds one."""

from model.api.objects import Node
from model.fit import Fit, PredicateError
from model.node_info import NodeInfo
from model.predicates import reasons
from model.rules import clause, declare, reached

declare("P-023", "The conditions, the taints and the schedulability of an absent node are unknown", __name__)
UNKNOWN: Fit = (reasons.NODE_UNKNOWN_CONDITION,)


@clause("P-024", "The predicates that read the node object fail with an error where there is none")
def node_of(info: NodeInfo) -> Node:
    """Raises PredicateError."""
    if info.node is None:
        reached("P-024")
        raise PredicateError("node not found")
    return info.node
