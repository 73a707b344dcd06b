"""What a release of kube-scheduler is made of, as a value.

The algorithm takes a `Semantics` as an argument and contains no condition on a version: another release
is another value, made of other functions.  `model.releases` has the values.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from model.api.configuration import Extender
from model.fit import Fit
from model.host_selection import HostSelection, select_host
from model.node_info import NodeInfo
from model.priorities import MAX_PRIORITY
from model.quirks import Quirks

if TYPE_CHECKING:
    from model.attempt import Attempt


class PredicateFunction(Protocol):
    """Why the pod of the attempt does not fit the node; raises PredicateError."""

    def __call__(self, attempt: "Attempt", node: NodeInfo, /) -> Fit: ...


class PriorityFunction(Protocol):
    """Scores of the feasible nodes, in their order, after the reduce step; raises PriorityError or Crash."""

    def __call__(self, attempt: "Attempt", feasible: Sequence[NodeInfo], /) -> Sequence[int]: ...


@frozen
class Predicate:
    name: str
    evaluate: PredicateFunction


@frozen
class Priority:
    """`by_node`: whether each node is scored by itself before the list is looked at.  [S-001, S-016]"""

    name: str
    score: PriorityFunction
    weight: int = 1
    by_node: bool = True


@frozen
class Semantics:
    """`quirks`: IDs of the surprising rules in force; taking one out gives the behaviour one would expect."""

    release: str
    quirks: Quirks
    predicates: tuple[Predicate, ...]
    """Those configured that are ever evaluated, in evaluation order.  [P-005]"""
    priorities: tuple[Priority, ...]
    extenders: tuple[Extender, ...] = ()
    ignored_extended_resources: frozenset[str] = frozenset()
    always_check_all_predicates: bool = False
    hard_pod_affinity_weight: int = 1
    percentage_of_nodes_to_score: int = 0
    disable_preemption: bool = False
    bind_timeout_seconds: int = 600
    scheduler_name: str = "default-scheduler"
    max_pd_volumes: str = ""
    max_score: int = MAX_PRIORITY
    """What a priority gives a perfect node."""
    gates: Mapping[str, bool] = {}
    select_host: HostSelection = select_host
    """Which of the feasible nodes becomes the host, by their totals and the counter of scored attempts.  [A-042]"""
    tie_breaker: Callable[[Collection[str]], str] = min
    """Which of the nodes that are equally good to preempt on: the first by name, where any may be chosen.  [E-045]"""

    def has(self, quirk: str) -> bool:
        """Whether the quirk with this rule ID is in force."""
        return quirk in self.quirks
