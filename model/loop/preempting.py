"""The way from a FitError to victims and a nomination.  [L-110..L-112, L-124]"""

from collections.abc import Generator
from typing import Any

from attrs import evolve

from model import preemption
from model import queue as q
from model.api.decode import amended
from model.api.objects import Pod
from model.api.protocol import ApiError, Call, DeletePod, GetPod, RecordEvent, UpdatePodStatus
from model.loop.state import SchedulerState, Transition, world
from model.preemption import Preemption
from model.quirks import quirk
from model.rules import declare, reached, rule
from model.scheduling_error import SchedulingError
from model.semantics import Semantics
from model.volumes.binder import record_decisions

quirk("L-110", "When a victim cannot be deleted the others stay, and so does the nomination")

declare("L-111", "Nobody waits for the victims; their deletions wake the preemptor", __name__)
declare("L-112", "The preemptor itself is not placed; it competes again, protected by its nomination only", __name__)
declare("L-124", "The requeue of the failed cycle comes before the nomination, which therefore stays", __name__)


@rule("L-110", "Read the pod again, look for victims, nominate, delete them one by one, then clear lesser nominations")
def preempt(state: SchedulerState, pod: Pod, error: SchedulingError, semantics: Semantics) -> Transition:
    preemptor = yield GetPod(pod.namespace, pod.name)
    if isinstance(preemptor, ApiError):
        reached("preemption: preemptor is gone")
        return state
    found = yield from preemption.preempt(preemptor, error, world(state), state.snapshot.nodes, semantics)
    binder = record_decisions(state.binder, preemptor, found.volume_fits)
    state = evolve(state, binder=binder, notes=(*state.notes, *found.notes))
    if found.error is not None:
        return state
    if found.node is not None:
        state, cleared = yield from make_room(state, preemptor, found.node, found, semantics)
        if not cleared:
            return state
    yield from clear_nominations(found.to_clear)
    return state


def make_room(
    state: SchedulerState, preemptor: Pod, node: str, found: Preemption, semantics: Semantics
) -> Generator[Call[Any], Any, tuple[SchedulerState, bool]]:
    """Nominate and evict; also whether the rest is to follow."""
    state = evolve(state, queue=q.nominate(state.queue, preemptor, node))
    answer = yield UpdatePodStatus(amended(preemptor, {"status": {"nominatedNodeName": node}}))
    if isinstance(answer, ApiError):
        reached("preemption: nomination refused")
        return evolve(state, queue=q.delete_nominated(state.queue, preemptor)), False
    for victim in found.victims:
        error = yield DeletePod(victim)
        if error is None:
            yield RecordEvent(victim, "Normal", "Preempted", f"by {preemptor.key} on node {node}")
            continue
        reached("preemption: victim cannot be deleted")
        if semantics.has("L-110"):
            return state, False
    return state, True


def clear_nominations(pods: tuple[Pod, ...]) -> Generator[Call[Any], Any, None]:
    """Of those whose own status names a node; what the API says to it does not matter."""
    for pod in pods:
        if pod.status.nominated_node_name:
            reached("preemption: nomination cleared")
            yield UpdatePodStatus(amended(pod, {"status": {"nominatedNodeName": None}}))
