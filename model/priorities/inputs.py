"""What several priorities look at, worked out once for the pod."""

from collections.abc import Iterator, Mapping, Sequence

from model.api.integers import int64
from model.api.objects import OwnerReference, Pod, ReplicaSet, Service, StatefulSet
from model.api.resources import nonzero_request
from model.api.selectors import Selector, SelectorError, from_label_selector, from_map
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.quirks import quirk
from model.rules import declare, rule

declare(
    "S-014",
    "Non-zero request, limits, tolerations, affinity, selectors, controller and number of nodes are worked out per pod",
    __name__,
)
declare(
    "S-020",
    "A regular container asks for 100 milli-CPU and 200 MiB where it says nothing; an explicit 0 counts as 0",
    "model.api.resources.nonzero_request",
)

Load = tuple[int, int, int, int]
"""milli-CPU wanted and allocatable, bytes of memory wanted and allocatable."""


@rule("S-021", "A node's load is the non-zero requests of its pods and of this one, against all of its allocatable")
def loads(attempt: Attempt, feasible: Sequence[NodeInfo]) -> list[Load]:
    own = nonzero_request(attempt.pod)
    return [
        (
            int64(own.milli_cpu + info.nonzero.milli_cpu),
            info.allocatable.milli_cpu,
            int64(own.memory + info.nonzero.memory),
            info.allocatable.memory,
        )
        for info in feasible
    ]


def controller_of(pod: Pod) -> OwnerReference | None:
    """The first owner that is marked as the controller."""
    return next((owner for owner in pod.metadata.owner_references if owner.controller), None)


quirk(
    "S-022", "A service with an empty selector counts; one invalid ReplicaSet or StatefulSet discards all of its kind"
)


@rule("S-022", "The selectors of the services, controllers, replica sets and stateful sets that select the pod")
def pod_selectors(attempt: Attempt) -> list[Selector]:
    world, pod = attempt.world, attempt.pod
    selectors = service_selectors(attempt)
    if pod.labels:
        selectors += [
            from_map(controller.spec.selector)
            for controller in world.replication_controllers.values()
            if controller.namespace == pod.namespace
            and controller.spec.selector
            and _all_equal(controller.spec.selector, pod.labels)
        ]
        selectors += _workload_selectors(attempt, world.replica_sets)
        selectors += _workload_selectors(attempt, world.stateful_sets)
    return selectors


def service_selectors(attempt: Attempt) -> list[Selector]:
    """Of the services that select the pod, in the order of the lister.  [S-022]"""
    return [from_map(service.spec.selector) for service in attempt.world.services.values() if _serves(attempt, service)]


def _serves(attempt: Attempt, service: Service) -> bool:
    selector = service.spec.selector
    if service.namespace != attempt.pod.namespace or selector is None:
        return False
    if not selector and not attempt.semantics.has("S-022"):
        return False
    return _all_equal(selector, attempt.pod.labels)


def _all_equal(selector: Mapping[str, str], labels: Mapping[str, str]) -> bool:
    return all(key in labels and labels[key] == value for key, value in selector.items())


def _workload_selectors(attempt: Attempt, workloads: Mapping[str, ReplicaSet | StatefulSet]) -> list[Selector]:
    found = []
    for workload in workloads.values():
        if workload.namespace != attempt.pod.namespace:
            continue
        try:
            selector = from_label_selector(workload.spec.selector)
        except SelectorError:
            if attempt.semantics.has("S-022"):
                return []
            continue
        if not selector.is_empty and selector.matches(attempt.pod.labels):
            found.append(selector)
    return found


def matching_pods(attempt: Attempt, feasible: Sequence[NodeInfo], selectors: Sequence[Selector]) -> Iterator[int]:
    """Per node, how many pods of the namespace are not terminating and match all selectors.  [S-055, S-070]"""
    namespace = attempt.pod.namespace
    for info in feasible:
        yield sum(
            1
            for pod in info.pods
            if pod.namespace == namespace
            and not pod.is_terminating
            and all(selector.matches(pod.labels) for selector in selectors)
        )
