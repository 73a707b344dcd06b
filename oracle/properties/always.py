"""What must never be otherwise.  Each property gives the sentence that says how it is broken, or None."""

from collections.abc import Callable, Mapping

from model.api.objects import Node, Pod
from model.api.resources import Resources, add, container_sum
from oracle.environment.watches import FINISHED
from oracle.properties.moment import QUEUES, Moment
from oracle.shortage import has_to_count, lacking

SWEEP_MS = 30_000
LEFTOVER_MS = 60_000
LONGEST_BACKOFF_MS = 10_000
FLUSH_MS = 1_000
WORDS = {"pods": "room", "cpu": "CPU", "memory": "memory"}

Property = Callable[[Moment], str | None]


def no_pod_is_in_two_queues(moment: Moment) -> str | None:
    if moment.shown is None:
        return None
    waiting = [key for queue in QUEUES for key in getattr(moment.shown, queue)]
    twice = sorted({key for key in waiting if waiting.count(key) > 1})
    return f"{', '.join(twice)} waits in two queues" if twice else None


def no_pod_is_lost(moment: Moment) -> str | None:
    """A pod that has no node yet waits in a queue, or is assumed; a binding by an extender nobody confirms.

    One that cannot be read after it failed is in no queue until it can.
    """
    if moment.shown is None or not moment.is_heard or any(e.bind_verb for e in moment.trace.configuration.extenders):
        return None
    unreadable = moment.trace.settings.api_failures.get_pod
    held = {key for queue in QUEUES for key in getattr(moment.shown, queue)} | {*moment.shown.assumed}
    lost = sorted(moment.pending().keys() - held - {*unreadable})
    return f"{', '.join(lost)} waits for a node, and in no queue" if lost else None


def nobody_waits_for_ever(moment: Moment) -> str | None:
    """Backoff ends after 10 s, and an unschedulable pod is tried again after a minute, and a sweep."""
    limits = {"backoff": LONGEST_BACKOFF_MS + FLUSH_MS, "unschedulable": LEFTOVER_MS + SWEEP_MS + FLUSH_MS}
    for (queue, key), since in moment.since.items():
        waited = moment.step.clock - since
        if waited > limits.get(queue, waited):
            return f"{key} has been in the {queue} queue for {waited / 1000:g} s"
    return None


def nominations_do_not_leak(moment: Moment) -> str | None:
    """Only pods that exist and wait are nominated; v1.15.3 does not look again when others place them meanwhile."""
    if moment.shown is None or not moment.is_heard:
        return None
    waiting = {key for key, pod in moment.pods.items() if not pod.spec.node_name} | moment.taken
    leaked = sorted({key for keys in moment.shown.nominated.values() for key in keys} - waiting)
    return f"{', '.join(leaked)} is nominated, and does not wait for a node" if leaked else None


def the_cache_is_true(moment: Moment) -> str | None:
    """With nothing under way, the cache holds on every node the pods that the API server says are there."""
    shown = moment.shown
    if shown is None or not moment.is_heard or shown.assumed or shown.pending_binds:
        return None
    held = {node: sorted(pods) for node, pods in {**shown.cache_nodes, **shown.ghost_nodes}.items() if pods}
    there: dict[str, list[str]] = {}
    for key, pod in moment.pods.items():
        if pod.spec.node_name and pod.status.phase not in FINISHED:
            there.setdefault(pod.spec.node_name, []).append(key)
    for node in {**held, **there}:
        if held.get(node, []) != sorted(there.get(node, [])):
            return f"the cache has {_list(held.get(node))} on {node}, where {_list(there.get(node))} runs"
    return None


def no_node_is_overcommitted(moment: Moment) -> str | None:
    """A pod that this scheduler binds does not ask for more than an undisturbed node has left.

    A binding names a pod, and is done to another of that name if the one decided about is gone.
    """
    if not has_to_count(moment.trace.configuration):
        return None
    for bound in moment.effects("bind"):
        node, pod = moment.nodes.get(bound["node"]), moment.pods.get(bound["pod"])
        if node is None or pod is None or node.name in moment.disturbed or moment.is_beyond_measure:
            continue
        if moment.decided.get(pod.key, pod.metadata.uid) != pod.metadata.uid:
            continue
        if short := _short(node, pod, moment.pods):
            return f"{node.name} has not enough {', '.join(short)} for {pod.key} and those who run there"
    return None


def _short(node: Node, pod: Pod, pods: Mapping[str, Pod]) -> list[str]:
    """Of room, CPU and memory."""
    there = (one for one in pods.values() if one.spec.node_name == node.name and one.status.phase not in FINISHED)
    names = lacking(pod, [container_sum(one) for one in there], add(Resources(), node.status.allocatable))
    return [WORDS[name] for name in names if name in WORDS]


def _list(keys: list[str] | None) -> str:
    return ", ".join(keys or ()) or "nothing"


ALWAYS: Mapping[str, Property] = {
    "no pod is in two queues": no_pod_is_in_two_queues,
    "no pod is lost": no_pod_is_lost,
    "nobody waits for ever": nobody_waits_for_ever,
    "nominations do not leak": nominations_do_not_leak,
    "the cache is true": the_cache_is_true,
    "no node is overcommitted": no_node_is_overcommitted,
}
