"""Whether a node has what the pods on it ask for: counted from the objects, not from any scheduler's cache."""

from collections.abc import Iterator, Sequence

from model.api.configuration import Configuration
from model.api.objects import Pod
from model.api.resources import Resources, pod_request

_COUNTING = {"GeneralPredicates", "PodFitsResources"}


def has_to_count(configuration: Configuration) -> bool:
    """A scheduler that is configured with neither predicate of resources is not asked to count."""
    chosen = configuration.predicates
    return chosen is None or not _COUNTING.isdisjoint(entry.name for entry in chosen)


def lacking(pod: Pod, used: Sequence[Resources], has: Resources) -> Iterator[str]:
    """Resources that the pod asks for, and of which the pods there, it among them, want more than there is.

    `pods`, `cpu`, `memory`, then extended ones.  `used`: of each pod there; `has`: what the node offers.
    """
    wanted = pod_request(pod)
    if len(used) > has.allowed_pods:
        yield "pods"
    if wanted.milli_cpu and sum(one.milli_cpu for one in used) > has.milli_cpu:
        yield "cpu"
    if wanted.memory and sum(one.memory for one in used) > has.memory:
        yield "memory"
    for name, amount in wanted.scalars.items():
        if amount and sum(one.scalars.get(name, 0) for one in used) > has.scalars.get(name, 0):
            yield name
