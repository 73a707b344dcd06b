"""Hypothesis strategies over all that kube-scheduler v1.15 reads: clusters, single decisions, runs of events.

They draw one seed and generate from it, so a case costs little to draw.  What fails is made small by
`oracle.shrink`, which knows the domain, rather than by Hypothesis: run them without its shrink phase.
"""

from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from model.api.cluster import Cluster, read_cluster
from model.api.components import Situation
from model.api.decode import decode
from model.api.objects import Node, Pod
from oracle.conform.situation import read_situation
from oracle.strategies.cache_operations import cache_case
from oracle.strategies.clusters import cluster
from oracle.strategies.decisions import preempt_case, schedule_case
from oracle.strategies.nodes import node
from oracle.strategies.pods import pod
from oracle.strategies.pools import namespace
from oracle.strategies.queue_operations import queue_case
from oracle.strategies.singles import predicate_case, prioritize_case, priority_case
from oracle.strategies.stories import trace_case
from oracle.strategies.swarm import FEATURES, Draw
from oracle.trace import Trace, read_trace

if TYPE_CHECKING:
    from hypothesis import strategies as st


class Case(dict[str, Any]):
    """A case that does not fill the screen when Hypothesis shows it."""

    def __repr__(self) -> str:
        parts = {**self.get("cluster", {}), **{name: self[name] for name in ("events", "ops") if name in self}}
        return f"<{self['kind']} case: {', '.join(f'{len(part)} {name}' for name, part in parts.items())}>"


GENERATORS: Mapping[str, Callable[[Draw], dict[str, Any]]] = {
    "queue": queue_case,
    "cache": cache_case,
    "schedule": schedule_case,
    "preempt": preempt_case,
    "predicate": predicate_case,
    "priority": priority_case,
    "prioritize": prioritize_case,
    "e2e": trace_case,
}
"""What can be judged, and a generator of cases for it, in the form of recorded cases without `expect`."""


def case_from_seed(kind: str, seed: str, within: Collection[str] | None = None) -> dict[str, Any]:
    """The case of this kind that a seed stands for: the same bytes on every machine.  `within`: see Draw."""
    return GENERATORS[kind](Draw(Random(f"{kind}/{seed}"), within))


def _draws() -> "st.SearchStrategy[Draw]":
    from hypothesis import strategies as st  # takes long to load, and who draws from seeds does without

    return st.randoms(use_true_random=True).map(Draw)


def cases(kind: str) -> "st.SearchStrategy[Case]":
    """Cases of one kind, a key of GENERATORS, in their JSON form."""
    return _draws().map(lambda draw: Case(GENERATORS[kind](draw)))


def nodes(name: str = "n1") -> "st.SearchStrategy[Node]":
    return _draws().map(lambda draw: decode(node(draw, name), Node))


def pods(name: str = "p1") -> "st.SearchStrategy[Pod]":
    """Pending pods."""
    return _draws().map(lambda draw: decode(pod(draw, name, namespace(draw)), Pod))


def clusters() -> "st.SearchStrategy[Cluster]":
    return _draws().map(lambda draw: read_cluster(cluster(draw, running=8, pending=4)))


def situations() -> "st.SearchStrategy[Situation]":
    """One pod to decide about."""
    return cases("schedule").map(read_situation)


def preemptions() -> "st.SearchStrategy[Situation]":
    """One pod that may have to evict others."""
    return cases("preempt").map(read_situation)


def traces() -> "st.SearchStrategy[Trace]":
    """A cluster, a configuration, and what happens."""
    return cases("e2e").map(read_trace)


def queue_operations() -> "st.SearchStrategy[Case]":
    """Operations on a queue, as a recorded case of kind `queue` has them."""
    return cases("queue")


def cache_operations() -> "st.SearchStrategy[Case]":
    """Operations on a cache, as a recorded case of kind `cache` has them."""
    return cases("cache")


__all__ = [
    "FEATURES",
    "GENERATORS",
    "Draw",
    "cache_operations",
    "case_from_seed",
    "cases",
    "clusters",
    "nodes",
    "pods",
    "preemptions",
    "queue_operations",
    "situations",
    "traces",
]
