"""CheckServiceAffinity: pods of one service stay where the configured labels have one value.

Only a policy brings it in, with the labels as its argument.
"""

from collections.abc import Callable, Mapping

from attrs import evolve, frozen

from model.api.objects import Node, Pod, Service
from model.api.selectors import Labels, from_map
from model.attempt import Attempt
from model.fit import FITS, Fit, PredicateError
from model.node_info import NodeInfo, filter_out_pods
from model.predicates import reasons
from model.predicates.absent_node import node_of
from model.quirks import quirk
from model.rules import clause, declare, reached, rule

quirk("P-060", "The pods that go with the pod are those that carry all its labels, whatever the service selects")
quirk("P-065", "A nominated pod can be the one whose node is looked at, and then the attempt fails: it has none")

declare("P-064", "Which of the matching pods comes first is open; here it is the first in the cache's order", __name__)


@frozen
class ServicePods:
    """The services that select the pod, and the pods of its namespace that go with it."""

    services: tuple[Service, ...]
    pods: tuple[Pod, ...]


@rule("P-060", "The services selecting the pod, and the pods of its namespace that carry all of its labels")
def service_pods(attempt: Attempt) -> ServicePods:
    pod = attempt.pod
    services = tuple(
        service
        for service in attempt.world.services.values()
        if service.namespace == pod.namespace
        and service.spec.selector is not None
        and service.spec.selector.items() <= pod.labels.items()
    )
    goes_with = _companion(attempt, services)
    pods = tuple(
        q
        for info in attempt.world.cached.values()
        for q in info.pods
        if q.namespace == pod.namespace and goes_with(q.labels)
    )
    return ServicePods(services, pods)


def _companion(attempt: Attempt, services: tuple[Service, ...]) -> Callable[[Labels], bool]:
    """Whether a pod with these labels goes with the pod."""
    if attempt.semantics.has("P-060"):
        return from_map(attempt.pod.labels).matches
    return lambda labels: any((s.spec.selector or {}).items() <= labels.items() for s in services)


def with_pod(known: ServicePods, attempt: Attempt, added: Pod) -> ServicePods:
    """[P-037]"""
    if added.namespace != attempt.pod.namespace or not _companion(attempt, known.services)(added.labels):
        return known
    return evolve(known, pods=(*known.pods, added))


def without_pod(known: ServicePods, removed: Pod) -> ServicePods:
    """The first pod of that name goes.  [P-036]"""
    at = next((i for i, q in enumerate(known.pods) if q.full_name == removed.full_name), None)
    return known if at is None else evolve(known, pods=known.pods[:at] + known.pods[at + 1 :])


@frozen
class ServiceAffinity:
    """The predicate a policy's `serviceAffinity` argument stands for."""

    labels: tuple[str, ...]

    @clause("P-063", "The node carries the labels that are settled")
    def __call__(self, attempt: Attempt, info: NodeInfo, /) -> Fit:
        """Raises PredicateError without a node object, or where a matching pod's node is not known."""
        reached("P-063")
        node = node_of(info)
        return FITS if from_map(self._settled(attempt, info)).matches(node.labels) else _VIOLATED

    @clause("P-062", "What the node selector leaves open is settled by the node of the first pod that goes with it")
    def _settled(self, attempt: Attempt, info: NodeInfo) -> Mapping[str, str]:
        wanted = attempt.pod.spec.node_selector
        settled = {label: wanted[label] for label in self.labels if label in wanted}
        if len(self.labels) <= len(settled):
            return settled
        known = (attempt.metadata and attempt.metadata.service_pods) or service_pods(attempt)
        companions = _counted(attempt, info, known.pods)
        if not known.services or not companions:
            return settled
        reached("P-062")
        labels = _node_of(attempt, companions[0]).labels
        return {**{label: labels[label] for label in self.labels if label in labels}, **settled}


_VIOLATED: Fit = (reasons.SERVICE_AFFINITY_VIOLATED,)


@rule("P-061", "A pod said to be on the node counts only while the aggregate holds it, by UID")
def _counted(attempt: Attempt, info: NodeInfo, pods: tuple[Pod, ...]) -> tuple[Pod, ...]:
    held = filter_out_pods(info, pods)
    return held if attempt.semantics.has("P-065") else tuple(pod for pod in held if pod.spec.node_name)


@clause("P-065", "A matching pod without a node, as a nominated one is, makes the whole attempt fail")
def _node_of(attempt: Attempt, pod: Pod) -> Node:
    node = attempt.world.nodes.get(pod.spec.node_name)
    if node is None:
        reached("P-065")
        raise PredicateError(f'node "{pod.spec.node_name}" not found')
    return node
