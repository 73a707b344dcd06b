"""What happens to a pod that could not be scheduled or bound.  [L-051..L-057]"""

from attrs import evolve

from model import queue as q
from model.api.objects import Pod
from model.api.protocol import ApiError, GetPod, RecordEvent, UpdatePodStatus, WakeAt
from model.loop.conditions import NotScheduled, with_condition
from model.loop.pods import is_unassigned_and_ours
from model.loop.state import Requeue, SchedulerState, Transition, at_next_reading
from model.queue import QueueError
from model.quirks import quirk
from model.rules import clause, declare, reached, rule
from model.semantics import Semantics

UNSCHEDULABLE = "Unschedulable"
SCHEDULER_ERROR = "SchedulerError"
VOLUME_BINDING_FAILED = "VolumeBindingFailed"

FIRST_DELAY_MS = 100
LONGEST_DELAY_MS = 60_000

quirk("L-053", "A failed pod is requeued as the API has it, even if it is another one by now, or not ours any more")

declare("L-057", "The requeue comes before the pod's own status update is seen, as it nearly always does", __name__)
declare("L-132", "The reasons are Unschedulable, SchedulerError and VolumeBindingFailed", __name__)


@rule("L-051", "A failure is handled in this order: requeue, event, condition")
@clause("L-133", "From outside a failure is an event, then the status update, if there is one")
def record_failure(
    state: SchedulerState, pod: Pod, condition: NotScheduled, event_message: str, semantics: Semantics
) -> Transition:
    state = yield from requeue(state, pod, semantics)
    reached("L-133")
    reached(f"failure: {condition.reason}")
    yield RecordEvent(pod, "Warning", "FailedScheduling", event_message)
    changed = with_condition(pod, condition, state.now.ms)
    if changed is not None:
        yield UpdatePodStatus(changed)
    return state


@rule("L-052", "The pod is read from the API and waits again, with the cycle of the moment of its failure")
def requeue(state: SchedulerState, pod: Pod, semantics: Semantics) -> Transition:
    return (yield from try_to_requeue(state, Requeue(pod, state.queue.cycle, FIRST_DELAY_MS, 0), semantics))


def try_to_requeue(state: SchedulerState, attempt: Requeue, semantics: Semantics) -> Transition:
    """A pod that is gone or has a node is dropped; when the API fails, the delay doubles up to 60 s."""
    fetched = yield GetPod(attempt.pod.namespace, attempt.pod.name)
    if isinstance(fetched, Pod):
        return with_fetched(state, attempt, fetched, semantics)
    if isinstance(fetched, ApiError) and fetched.reason == "NotFound":
        reached("requeue: pod is gone")
        return state
    reached("requeue: retried")
    delay = min(2 * attempt.delay, LONGEST_DELAY_MS)
    again = evolve(attempt, delay=delay, due=state.now.ms + delay)
    yield WakeAt(again.due)
    return evolve(state, requeues=(*state.requeues, again))


@clause("L-053", "What is queued is what the API answered, whatever it has become")
def with_fetched(state: SchedulerState, attempt: Requeue, fetched: Pod, semantics: Semantics) -> SchedulerState:
    if fetched.spec.node_name:
        reached("requeue: pod has a node")
        return state
    reached("L-053")
    same = fetched.uid == attempt.pod.uid and not fetched.is_terminating
    if not semantics.has("L-053") and not (same and is_unassigned_and_ours(fetched, semantics)):
        return state
    state = at_next_reading(state)
    try:
        queue = q.add_unschedulable_if_not_present(state.queue, fetched, attempt.pod_cycle, state.now, semantics.quirks)
    except QueueError:
        reached("requeue: refused")
        return state
    return evolve(state, queue=queue)


def retry_requeues(state: SchedulerState, semantics: Semantics) -> Transition:
    """Those whose delay is over.  [L-052]"""
    due = [attempt for attempt in state.requeues if attempt.due <= state.now.ms]
    state = evolve(state, requeues=tuple(attempt for attempt in state.requeues if attempt not in due))
    for attempt in due:
        state = yield from try_to_requeue(state, attempt, semantics)
    return state
