"""Are the pods of a group placed as one?  At the end of a trace enough of them have a node, or none has.

The annotation `scheduling.k8s.io/group-name` names the group of a pod; a PodGroup of that name says in
`spec.minMember` how many are enough, and without one it takes them all.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from model.api.components import Engine
from model.api.objects import Pod, PodGroup
from oracle.environment import Environment
from oracle.environment.watches import FINISHED
from oracle.guard import SchedulerFault, guarded_scheduler
from oracle.judgement.judged import Judged, Outcome, Wrong
from oracle.judgement.playing import broken
from oracle.trace import read_trace

GROUP_NAME = "scheduling.k8s.io/group-name"


def judge_gangs(case: Mapping[str, Any], engine: Engine) -> tuple[Judged, ...]:
    """One judgement for each group.  Raises ManifestError for a trace that cannot be played."""
    trace = read_trace(case)
    at = -1
    try:
        environment = Environment(guarded_scheduler(engine, trace.configuration), trace.settings)
        environment.start(trace.cluster, observe=False)
        for at, operation in enumerate(trace.events):  # noqa: B007
            environment.step(operation, observe=False)
    except SchedulerFault as fault:
        return (broken(fault, at),)
    return tuple(_judged(environment, at))


def _judged(environment: Environment, step: int) -> Iterator[Judged]:
    members: dict[str, list[Pod]] = {}
    for pod in environment.store.all("Pod"):
        if isinstance(pod, Pod) and pod.annotations.get(GROUP_NAME) and pod.status.phase not in FINISHED:
            members.setdefault(f"{pod.namespace}/{pod.annotations[GROUP_NAME]}", []).append(pod)
    for key, pods in members.items():
        group = environment.store.get("PodGroup", key)
        enough = group.spec.min_member if isinstance(group, PodGroup) else len(pods)
        placed = sum(bool(pod.spec.node_name) for pod in pods)
        if 0 < placed < enough:
            says = f"{placed} of the {len(pods)} pods of group {key} have a node; it needs {enough}, or none"
            yield Judged("gang", pods[0].key, Outcome.FAILED, step, Wrong("part", says))
        else:
            yield Judged("gang", pods[0].key, Outcome.PASSED, step)
