"""One scheduler, one workload: feed it, let it decide, and take the time."""

import gc
import resource
import time
from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

from model.api.decode import decode
from model.api.objects import KubernetesObject, Node, Pod, Service
from oracle.bench.workloads import Input


class Contestant(Protocol):
    """A scheduler in process: what an engine's `bench(configuration)` gives."""

    def feed(self, thing: KubernetesObject) -> None:
        """An object of the cluster; pods have their node."""
        ...

    def schedule(self, pod: Pod) -> tuple[str | None, str | None]:
        """The node, or the text of the error."""
        ...

    def assume(self, pod: Pod, node: str) -> None:
        """From now on the pod counts on the node."""
        ...

    def preempt(self, pod: Pod) -> tuple[str | None, Sequence[Pod]]:
        """For the pod that was refused just now: the node to win, if any, and the victims."""
        ...

    def remove(self, pod: Pod) -> None:
        """A victim is gone."""
        ...


@frozen
class Decided:
    """What became of one pod."""

    pod: str
    host: str | None
    error: str | None = None
    victims: tuple[str, ...] | None = None
    """None where nobody tried to evict."""


@frozen
class Timed:
    """`cpu_s`: user and system time of the process; `first_cpu_s`: the part of the first pod; `peak_mib`: its size."""

    decisions: tuple[Decided, ...]
    wall_s: float
    cpu_s: float
    first_cpu_s: float
    peak_mib: float


def run(contestant: Contestant, given: Input) -> Timed:
    """Only deciding and assuming is timed; the first decision includes the first snapshot."""
    pods = feed(contestant, given)
    gc.collect()
    gc.freeze()  # What was fed is not the measured part's garbage.
    cpu, wall = time.process_time(), time.perf_counter()
    outcomes = [decide(contestant, pod, given.preempt) for pod in pods[:1]]
    first = time.process_time() - cpu
    outcomes += [decide(contestant, pod, given.preempt) for pod in pods[1:]]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    gc.unfreeze()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    decisions = [Decided(pod.name, *outcome) for pod, outcome in zip(pods, outcomes, strict=True)]
    return Timed(tuple(decisions), wall, cpu, first, peak)


def feed(contestant: Contestant, given: Input) -> list[Pod]:
    """The cluster; what is left are the pods to decide about."""
    for kind, documents in ((Service, given.services), (Node, given.nodes), (Pod, given.existing)):
        for document in documents:
            contestant.feed(decode(document, kind))
    return [decode(document, Pod) for document in given.measured]


def decide(contestant: Contestant, pod: Pod, preempt: bool) -> tuple[str | None, str | None, tuple[str, ...] | None]:
    """The host, the error, and the victims."""
    host, error = contestant.schedule(pod)
    if host is not None:
        contestant.assume(pod, host)
        return host, None, None
    if not preempt:
        return None, error, None
    host, victims = contestant.preempt(pod)
    for victim in victims:
        contestant.remove(victim)
    if host is not None:
        contestant.assume(pod, host)
    return host, error, tuple(victim.name for victim in victims)
