"""What must come about now and then in a search, or it does not look where it should."""

from collections.abc import Callable, Mapping

from oracle.properties.moment import Moment


def a_pod_is_evicted(moment: Moment) -> bool:
    return bool(moment.effects("deleteVictim"))


def a_pod_gets_the_node_it_was_nominated_to(moment: Moment) -> bool:
    shown = moment.before.shown if moment.before else None
    return shown is not None and any(
        said["pod"] in shown.nominated.get(said["node"], ()) for said in moment.effects("bind")
    )


def a_pod_is_swept_after_a_minute(moment: Moment) -> bool:
    before = moment.before
    return before is not None and any(
        queue == "unschedulable" and moment.step.clock - since > 60_000 and (queue, key) not in moment.since
        for (queue, key), since in before.since.items()
    )


def a_victim_lingers(moment: Moment) -> bool:
    """While the pod that it has to make room for waits."""
    shown = moment.shown
    return shown is not None and any(
        pod.is_terminating and pod.spec.node_name in shown.nominated for pod in moment.pods.values()
    )


def a_binding_is_refused(moment: Moment) -> bool:
    return bool(moment.effects("bindError"))


def a_pod_is_placed_before_its_events_are_heard(moment: Moment) -> bool:
    return not moment.is_heard and bool(moment.effects("bind"))


def an_assumption_outlives_its_step(moment: Moment) -> bool:
    return moment.shown is not None and bool(moment.shown.assumed)


def pods_outlive_their_node(moment: Moment) -> bool:
    return moment.shown is not None and bool(moment.shown.ghost_nodes)


SOMETIMES: Mapping[str, Callable[[Moment], bool]] = {
    "a pod is evicted": a_pod_is_evicted,
    "a pod gets the node it was nominated to": a_pod_gets_the_node_it_was_nominated_to,
    "a pod is swept after a minute": a_pod_is_swept_after_a_minute,
    "a victim lingers": a_victim_lingers,
    "a binding is refused": a_binding_is_refused,
    "a pod is placed before its events are heard": a_pod_is_placed_before_its_events_are_heard,
    "an assumption outlives its step": an_assumption_outlives_its_step,
    "pods outlive their node": pods_outlive_their_node,
}
