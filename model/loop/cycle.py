"""One scheduling cycle: take a pod, decide about it, act on the decision.  [L-050, L-054, L-058, L-080..L-091]"""

from attrs import evolve

from model import queue as q
from model.algorithm import basic_checks, schedule
from model.api.decode import amended
from model.api.objects import Pod
from model.api.protocol import RecordEvent, TookPod
from model.cache.pods import assume_pod
from model.cache.snapshot import take_snapshot
from model.cache.state import CacheError
from model.loop.binding import start_binding
from model.loop.conditions import NotScheduled
from model.loop.failure import SCHEDULER_ERROR, UNSCHEDULABLE, record_failure
from model.loop.preempting import preempt
from model.loop.state import Decided, SchedulerState, Transition, world
from model.quirks import quirk
from model.rules import clause, reached, rule
from model.scheduling_error import FitError, SchedulingError
from model.semantics import Semantics
from model.volumes.binder import VolumeError, after_failure, assume_pod_volumes, record_decisions

quirk("L-054", "Every failure of an attempt is called Unschedulable, internal errors too")


@rule("L-050", "Take a pod, decide; on failure record it and perhaps preempt, on success assume and start to bind")
@clause("L-058", "The pod is tried as it was when it was queued, without another look")
def start_cycle(state: SchedulerState, semantics: Semantics) -> Transition:
    """Up to the decision."""
    state = evolve(state, notes=())
    queue, pod = q.pop(state.queue)
    if pod is None:
        return state
    reached("L-058")
    yield TookPod(pod)
    state = evolve(state, queue=queue)
    if pod.is_terminating:
        reached("cycle: pod is being deleted")
        yield RecordEvent(pod, "Warning", "FailedScheduling", f"skip schedule deleting pod: {pod.key}")
        return state
    return (yield from decide(state, pod, semantics))


def decide(state: SchedulerState, pod: Pod, semantics: Semantics) -> Transition:
    """Run the algorithm on a snapshot brought up to date, unless the basic checks refuse the pod.  [L-062]"""
    sights = world(state)
    if basic_checks(pod, sights) is None:
        state = evolve(state, snapshot=take_snapshot(state.snapshot, state.cache, semantics.quirks))
    attempted = yield from schedule(
        pod, sights, state.snapshot.nodes, state.cache.tree, state.last_node_index, semantics
    )
    return evolve(
        state,
        cache=evolve(state.cache, tree=attempted.tree),
        binder=record_decisions(state.binder, pod, attempted.volume_fits),
        last_node_index=attempted.last_node_index,
        decided=Decided(pod, attempted),
    )


def finish_cycle(state: SchedulerState, semantics: Semantics) -> Transition:
    """From the decision on."""
    if state.decided is None:
        return state
    pod, attempted = state.decided.pod, state.decided.attempted
    state = evolve(state, decided=None)
    if attempted.error is not None:
        return (yield from failed(state, pod, attempted.error, semantics))
    if attempted.host is None:
        raise ValueError(f"neither a host nor an error for {pod.key}")
    return (yield from succeeded(state, pod, attempted.host, semantics))


@rule("L-054", "Whatever the error, the condition's reason is Unschedulable and both messages are its text")
@clause("L-100", "Preemption is tried after a FitError only, unless it is disabled")
def failed(state: SchedulerState, pod: Pod, error: SchedulingError, semantics: Semantics) -> Transition:
    fits_nowhere = isinstance(error, FitError)
    reason = UNSCHEDULABLE if fits_nowhere or semantics.has("L-054") else SCHEDULER_ERROR
    state = yield from record_failure(state, pod, NotScheduled(reason, error.text), error.text, semantics)
    if fits_nowhere and not semantics.disable_preemption and semantics.gates.get("PodPriority", True):
        reached("L-100")
        state = yield from preempt(state, pod, error, semantics)
    return state


@clause("L-080", "First the volumes are assumed; when that fails, the cycle has failed")
@clause("L-091", "A pod that the cache knows already cannot be assumed; the cycle has failed")
def succeeded(state: SchedulerState, pod: Pod, host: str, semantics: Semantics) -> Transition:
    """Assume the volumes, then the pod, then bind."""
    assumed = amended(pod, {"spec": {"nodeName": host}})
    try:
        binder, all_bound = assume_pod_volumes(state.binder, assumed)
        state = assume(evolve(state, binder=binder), assumed, semantics)
    except VolumeError as error:
        reached("L-080")
        return (yield from failed_to("AssumePodVolumes", evolve(state, binder=error.binder), assumed, error, semantics))
    except CacheError as error:
        reached("L-091")
        binder = after_failure(binder, assumed, semantics.quirks)
        return (yield from failed_to("AssumePod", evolve(state, binder=binder), assumed, error, semantics))
    return (yield from start_binding(state, assumed, all_bound, semantics))


def failed_to(
    step: str, state: SchedulerState, assumed: Pod, error: VolumeError | CacheError, semantics: Semantics
) -> Transition:
    """The condition says what went wrong, the event also in which step.  [L-130]"""
    condition = NotScheduled(SCHEDULER_ERROR, str(error))
    return (yield from record_failure(state, assumed, condition, f"{step} failed: {error}", semantics))


@rule("L-090", "The pod counts on its host from now on, and its nomination is over")
def assume(state: SchedulerState, assumed: Pod, semantics: Semantics) -> SchedulerState:
    """Raises CacheError."""
    cache = assume_pod(state.cache, assumed, semantics.quirks)
    return evolve(state, cache=cache, queue=q.delete_nominated(state.queue, assumed))
