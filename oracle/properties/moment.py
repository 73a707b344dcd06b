"""A moment of a run: what the API server holds, what the scheduler shows, and what became of the moment before."""

from collections.abc import Mapping
from typing import Any

from attrs import Factory, evolve, frozen

from model.api.integers import INT64_MAX
from model.api.objects import Node, Pod
from model.api.protocol import Observation
from oracle.environment import Step
from oracle.environment.store import Store
from oracle.environment.watches import awaits
from oracle.trace import Trace

MOST = INT64_MAX // 100_000
"""Of cores or bytes: a hundred pods that ask for as much can be added up, in thousandths too."""

QUEUES = ("active", "backoff", "unschedulable")


@frozen
class Moment:
    """`pods` and `nodes` as the API server holds them, by key.

    `disturbed`: nodes that became smaller, or to which something came that the scheduler did not place or not hear of.
    `taken`: pods that were placed by somebody else.
    `is_beyond_measure`: a pod asks, or has asked, for more than sums can hold; they wrap, and measure nothing.
    `decided`: pod -> the UID it had when it was last taken from the queue, or nothing if it is gone since
        or was taken while an earlier binding in its name was under way.
    `since`: queue and pod -> the time in ms since when the pod has been there without being taken.
    """

    trace: Trace
    step: Step
    pods: Mapping[str, Pod]
    nodes: Mapping[str, Node]
    before: "Moment | None" = None
    disturbed: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    is_beyond_measure: bool = False
    decided: dict[str, str] = Factory(dict)
    since: Mapping[tuple[str, str], int] = Factory(dict)

    @property
    def shown(self) -> Observation | None:
        """What the scheduler shows of itself."""
        return self.step.observation

    @property
    def is_heard(self) -> bool:
        """Whether the scheduler knows of everything that the API server holds."""
        return not self.step.undelivered

    def pending(self) -> Mapping[str, Pod]:
        """The pods that wait for this scheduler."""
        name = self.trace.configuration.scheduler_name
        return {key: pod for key, pod in self.pods.items() if awaits(pod, name)}

    def effects(self, name: str) -> list[Any]:
        """What the effects of this name in the step were about."""
        return [effect[name] for effect in self.step.effects if name in effect]


def next_moment(trace: Trace, store: Store, step: Step, before: Moment | None) -> Moment:
    pods = {pod.key: pod for pod in store.all("Pod") if isinstance(pod, Pod)}
    nodes = {node.name: node for node in store.all("Node") if isinstance(node, Node)}
    beyond = (before is not None and before.is_beyond_measure) or any(map(_asks_for_too_much, pods.values()))
    moment = Moment(trace, step, pods, nodes, is_beyond_measure=beyond, since=_since(step, before))
    if before is None:
        return moment
    came = _came(moment, before)
    return evolve(
        moment,
        before=evolve(before, before=None),
        disturbed=before.disturbed | _disturbed(moment, before) | {moment.pods[key].spec.node_name for key in came},
        taken=before.taken | came,
        decided=before.decided
        | {key: "" if _is_under_way(key, before) else _uid(key, before, moment) for key in step.popped or ()}
        | dict.fromkeys(before.pods.keys() - pods.keys(), ""),
    )


def _is_under_way(key: str, moment: Moment) -> bool:
    """A binding in the pod's name; if it comes true, nobody can tell which decision that was."""
    return moment.shown is not None and any(bind.startswith(f"{key} ") for bind in moment.shown.pending_binds)


def _uid(key: str, *moments: Moment) -> str:
    """In the first of them that knows the pod; a step may create what it takes."""
    return next((one.pods[key].metadata.uid for one in moments if key in one.pods), "")


def _asks_for_too_much(pod: Pod) -> bool:
    containers = (*pod.spec.containers, *pod.spec.init_containers)
    return any(amount.number > MOST for one in containers for amount in one.resources.requests.values())


def _came(moment: Moment, before: Moment) -> set[str]:
    """Pods that have a node now, and not from this scheduler."""
    placed = {(said["pod"], said["node"]) for said in moment.effects("bind")}
    return {
        key
        for key, pod in moment.pods.items()
        if key not in before.pods or before.pods[key].spec.node_name != pod.spec.node_name
        if (key, pod.spec.node_name) not in placed
    }


def _disturbed(moment: Moment, before: Moment) -> set[str]:
    if not moment.is_heard:
        return {*moment.nodes}
    return {
        name
        for name, node in before.nodes.items()
        if name not in moment.nodes or moment.nodes[name].status.allocatable != node.status.allocatable
    }


def _since(step: Step, before: Moment | None) -> Mapping[tuple[str, str], int]:
    if step.observation is None:
        return {}
    known = before.since if before else {}
    taken = set(step.popped or ())
    return {
        (queue, key): step.clock if key in taken else known.get((queue, key), step.clock)
        for queue in QUEUES
        for key in getattr(step.observation, queue)
    }
