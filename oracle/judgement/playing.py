"""A whole trace under the eyes of a witness, and what is left when it is over."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from model.api.components import Engine
from model.api.configuration import ConfigurationError
from model.api.objects import Pod
from model.api.protocol import Crash
from model.engine import Reference
from oracle.environment import Environment
from oracle.environment.watches import awaits
from oracle.guard import SchedulerFault, guarded_scheduler
from oracle.judgement.judged import Judged, Outcome, Wrong
from oracle.judgement.refusal import refuses
from oracle.judgement.settling import is_settled
from oracle.judgement.witness import Witness
from oracle.levels import Level
from oracle.trace import Trace, read_trace


@frozen
class CaseVerdict:
    judged: tuple[Judged, ...]

    @property
    def outcome(self) -> Outcome:
        outcomes = {each.outcome for each in self.judged}
        return next((o for o in (Outcome.FAILED, Outcome.UNCERTAIN) if o in outcomes), Outcome.PASSED)

    @property
    def failed(self) -> tuple[Judged, ...]:
        return tuple(each for each in self.judged if each.outcome is Outcome.FAILED)


def judge_trace(case: Mapping[str, Any], engine: Engine, level: Level) -> CaseVerdict:
    """Everything the scheduler does in the trace.  Raises ManifestError for a trace that cannot be played."""
    trace = read_trace(case)
    try:
        scheduler = guarded_scheduler(engine, trace.configuration)
        witness = Witness(scheduler, trace.configuration, level)
    except (Crash, ConfigurationError) as end:
        refused = _refusal_of_reference(trace)
        return CaseVerdict(() if refused else (_ended("at-start", -1, str(end)),))
    except SchedulerFault as fault:
        return CaseVerdict((broken(fault, -1),))
    environment = Environment(witness, trace.settings)
    try:
        _play(trace, environment, witness)
    except SchedulerFault as fault:
        return CaseVerdict((*witness.judged, broken(fault, witness.step)))
    except _Ended as end:
        crash = _ended("ended", witness.step, str(end))
        return CaseVerdict((*witness.judged, *(() if _reference_ends(trace) else (crash,))))
    return CaseVerdict((*witness.judged, *_left_pending(trace, environment, witness)))


class _Ended(Exception):
    """The scheduler's process ended."""


def _play(trace: Trace, environment: Environment, witness: Witness) -> None:
    steps = [environment.start(trace.cluster, observe=False)]
    for at, operation in enumerate(trace.events):
        if steps[-1].crash is not None:
            break
        witness.step = at
        steps.append(environment.step(operation, observe=False))
    if (crash := steps[-1].crash) is not None:
        raise _Ended(crash)


def broken(fault: SchedulerFault, step: int) -> Judged:
    """The scheduler failed as a program."""
    how = str(fault).partition(" ")[0]
    return Judged("fault", "", Outcome.FAILED, step, Wrong(how, f"the scheduler failed: {fault}"))


def _ended(how: str, step: int, last_words: str) -> Judged:
    return Judged("crash", "", Outcome.FAILED, step, Wrong(how, f"the scheduler crashed: {last_words}"))


# --- what the reference does with the same trace --------------------------------------------------


def _refusal_of_reference(trace: Trace) -> bool:
    try:
        Reference().scheduler(trace.configuration)
    except (Crash, ConfigurationError):
        return True
    return False


def _reference_ends(trace: Trace) -> bool:
    return _played_by_reference(trace) is None


def _played_by_reference(trace: Trace) -> Environment | None:
    """None where it ends."""
    environment = Environment(Reference().scheduler(trace.configuration), trace.settings)
    step = environment.start(trace.cluster, observe=False)
    for operation in trace.events:
        if step.crash is not None:
            return None
        step = environment.step(operation, observe=False)
    return None if step.crash is not None else environment


# --- pods that were left --------------------------------------------------------------------------


def _left_pending(trace: Trace, environment: Environment, witness: Witness) -> Iterator[Judged]:
    """Pods that could run and do not, in a trace that ends with time enough, where the reference places them."""
    if not is_settled(trace.events) or witness.shadow.lost:
        return
    view = witness.shadow.view()
    name = trace.configuration.scheduler_name
    waiting = [pod for pod in view.pods.values() if awaits(pod, name) and not witness.shadow.knows_place_of(pod)]
    able = [pod for pod in waiting if not _may_be_binding(pod, witness) and not refuses(view.sight(pod))]
    if not able:
        return
    reference = _played_by_reference(trace)
    for pod in able:
        stored = reference and reference.store.get("Pod", pod.key)
        if isinstance(stored, Pod) and stored.spec.node_name:
            wrong = Wrong("left", f"{pod.key} was left pending, though it fits {view.sight(pod).feasible[0]}")
            yield Judged("pending", pod.key, Outcome.FAILED, witness.step, wrong, view.cluster)


def _may_be_binding(pod: Pod, witness: Witness) -> bool:
    """Whether it may have a node already that waits for its volumes."""
    has_claims = any(volume.persistent_volume_claim for volume in pod.spec.volumes)
    return has_claims and witness.knowledge.undecided[pod.key] > 0
