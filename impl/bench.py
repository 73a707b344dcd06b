"""The scheduler in process, without API server and loop: what a benchmark drives."""

from impl.algorithm import Algorithm
from impl.fit_error import FitError
from impl.placement import placed
from impl.surroundings import Surroundings
from model.api.configuration import Configuration
from model.api.objects import KubernetesObject, Node, Pod
from model.api.protocol import Answer, Api, Call


class _NoApi(Api):
    def call(self, request: Call[Answer]) -> Answer:
        raise NotImplementedError(f"a benchmark has no API: {request}")


class Bench:
    """Feed a cluster, then schedule and assume pods one by one."""

    def __init__(self, configuration: Configuration) -> None:
        self._known = Surroundings()
        self._algorithm = Algorithm(self._known, configuration)
        self._failure: FitError | None = None
        self._api = _NoApi()

    def feed(self, thing: KubernetesObject) -> None:
        """A node, a placed pod, or an object of the stores."""
        if isinstance(thing, Pod):
            self._known.cache.add_pod(thing)
            return
        self._known.put(thing)
        if isinstance(thing, Node):
            self._known.cache.add_node(thing)

    def schedule(self, pod: Pod) -> tuple[str | None, str | None]:
        """The node, or the text of the error."""
        scheduled = self._algorithm.schedule(pod, self._api)
        self._failure = scheduled.fit_error
        return scheduled.host, scheduled.error

    def preempt(self, pod: Pod) -> tuple[str | None, tuple[Pod, ...]]:
        """For the pod that was refused last: the node and the victims."""
        if self._failure is None:
            return None, ()
        preempted = self._algorithm.preempt(pod, self._failure, self._api)
        return preempted.node, preempted.victims

    def assume(self, pod: Pod, node: str) -> None:
        self._known.cache.assume_pod(placed(pod, node))

    def remove(self, pod: Pod) -> None:
        """A victim is gone."""
        self._known.cache.remove_pod(pod)
