"""What the predicates need to know of the attempt, computed once for all nodes."""

from attrs import evolve, frozen

from model.api.objects import Pod
from model.api.ports import HostPort, host_ports
from model.api.resources import Resources, is_best_effort, pod_request
from model.api.selectors import SelectorError
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.predicates import service_affinity, topology_pairs
from model.predicates.service_affinity import ServiceAffinity, ServicePods, service_pods
from model.predicates.topology_pairs import TopologyPairs
from model.rules import clause, declare, reached, rule


@frozen
class Metadata:
    """`pairs` is None where a selector could not be built: kube-scheduler then has no metadata at all.  [P-038]

    Predicates then look for themselves, and what extenders manage is ignored no more, as only metadata tell it.
    `service_pods` is None where no configured predicate asks for them.
    """

    best_effort: bool
    request: Resources
    ports: tuple[HostPort, ...]
    ignored_resources: frozenset[str]
    pairs: TopologyPairs | None
    service_pods: ServicePods | None = None


declare("P-035", "A copy of the metadata is independent of it: values are never changed in place", __name__)


@rule("P-030", "Metadata is computed once per attempt, from the snapshot")
@rule("P-044", "The request is the containers' sum, but at least what each init container asks for")
@rule("P-089", "A pod is best effort when no container requests or limits cpu or memory above 0")
def compute(attempt: Attempt) -> Metadata:
    """Whatever `attempt.metadata` holds already is not looked at."""
    pairs = _pairs(attempt)
    in_use = any(isinstance(predicate.evaluate, ServiceAffinity) for predicate in attempt.semantics.predicates)
    return Metadata(
        is_best_effort(attempt.pod),
        pod_request(attempt.pod),
        tuple(host_ports(attempt.pod)),
        attempt.semantics.ignored_extended_resources if pairs else frozenset(),
        pairs,
        service_pods(attempt) if in_use else None,
    )


@clause("P-038", "One selector that cannot be built, even an existing pod's, leaves every predicate without metadata")
def _pairs(attempt: Attempt) -> TopologyPairs | None:
    try:
        return topology_pairs.topology_pairs(attempt.pod, attempt.snapshot.values())
    except SelectorError:
        reached("P-038")
        return None


def facts(attempt: Attempt) -> Metadata:
    """The attempt's metadata, or what a predicate tried alone computes for itself."""
    return attempt.metadata or compute(attempt)


def with_pod(attempt: Attempt, pod: Pod, info: NodeInfo) -> Metadata:
    """The metadata with `pod` on the node of `info`, which may already count it.  [P-037]

    Unchanged where kube-scheduler reports an error that all its callers ignore: the pod is the incoming one,
    the node is absent, a selector cannot be built.  Unchanged, too, without topology pairs.  [P-038]
    """
    known = facts(attempt)
    if known.pairs is None or pod.full_name == attempt.pod.full_name or info.node is None:
        return known
    try:
        pairs = topology_pairs.with_pod(known.pairs, attempt.pod, pod, info.node, attempt.semantics.quirks)
    except SelectorError:
        return known
    services = known.service_pods and service_affinity.with_pod(known.service_pods, attempt, pod)
    return evolve(known, pairs=pairs, service_pods=services)


@rule("P-036", "A removed pod leaves all maps, and the first pod of its name the list of the services' pods")
def without_pod(attempt: Attempt, pod: Pod) -> Metadata:
    """Unchanged for the incoming pod itself, which kube-scheduler calls an error that all its callers ignore."""
    known = facts(attempt)
    if known.pairs is None or pod.full_name == attempt.pod.full_name:
        return known
    services = known.service_pods and service_affinity.without_pod(known.service_pods, pod)
    return evolve(known, pairs=topology_pairs.without_pod(known.pairs, pod), service_pods=services)
