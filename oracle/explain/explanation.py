"""The whole answer about one pod, gathered from the reference (what is decided) and from Z3 (why, and what else)."""

from collections.abc import Callable

from attrs import evolve, frozen

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.objects import Pod
from model.api.protocol import Crash
from model.releases import v1_15_3
from model.scheduling_error import FitError
from oracle.explain.circumstances import circumstances, others_waiting
from oracle.explain.evictions import Evictions, evictions
from oracle.explain.ground import Ground, unplaced
from oracle.explain.refusals import NodeGroup, groups
from oracle.explain.scores import ScoredGroup, scored
from oracle.explain.suggestions import Suggestion, suggestions
from oracle.smt.facts import Facts
from oracle.smt.question import Incoming
from oracle.smt.settings import Settings

STAGES = ("taking in the cluster", "asking the predicates", "scoring", "preemption", "looking for changes")


@frozen
class Explanation:
    """`runs_on`: where the pod is already; the rest is as if it were not.  `circumstances`: why it might not be tried.
    `others_waiting`: how many pods may come before it, and change the cluster.

    `host` or `error`, unless the scheduler ended (`crash`).  `feasible`: how many nodes were found.
    """

    pod: Pod
    runs_on: str
    circumstances: tuple[str, ...]
    others_waiting: int
    nodes: int
    host: str | None
    error: str | None
    crash: str | None
    feasible: int
    groups: tuple[NodeGroup, ...]
    scores: tuple[ScoredGroup, ...]
    evictions: Evictions | None
    suggestions: tuple[Suggestion, ...]


def explain(
    cluster: Cluster,
    pod: Pod,
    configuration: Configuration,
    stage: Callable[[str], None] = lambda _: None,
) -> Explanation:
    """`stage` is told each of STAGES as it begins.

    Raises ConfigurationError, and Crash for a configuration with which v1.15 ends at the start.
    """
    stage(STAGES[0])
    semantics = evolve(v1_15_3(configuration), extenders=())
    settings = Settings.of(configuration)
    others = cluster.having(pods=tuple(other for other in cluster.pods if other.key != pod.key))
    free = unplaced(pod)
    ground = Ground.of(others, semantics)
    incoming = Incoming(Facts.of(others), free, settings)
    attempt = ground.attempt(free)
    stage(STAGES[1])
    crash = None
    try:
        attempted = ground.schedule(attempt)
    except Crash as end:
        attempted, crash = ground.search(attempt), str(end)
    found = groups(attempt, incoming)
    stage(STAGES[2])
    scores = scored(attempt, attempted)
    stage(STAGES[3])
    failure = attempted.error if isinstance(attempted.error, FitError) else None
    evicting = evictions(attempt, failure, incoming) if failure and not semantics.disable_preemption else None
    stage(STAGES[4])
    return Explanation(
        pod=pod,
        runs_on=pod.spec.node_name,
        circumstances=tuple(circumstances(pod, configuration)),
        others_waiting=others_waiting(cluster, pod, configuration),
        nodes=len(cluster.nodes),
        host=attempted.host,
        error=attempted.error.text if attempted.error else None,
        crash=crash,
        feasible=len(attempted.feasible or ()),
        groups=found,
        scores=scores,
        evictions=evicting,
        suggestions=suggestions(ground, incoming) if attempted.error else (),
    )
