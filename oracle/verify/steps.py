"""What a running scheduler did in one step, as Z3 sees it."""

import re
from collections.abc import Iterator, Mapping

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.objects import Pod
from oracle.environment.step import Step
from oracle.smt.facts import Facts
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS
from oracle.verify.claims import Claims
from oracle.verify.opinion import Opinion

_FITS_NOWHERE = re.compile(r"0/\d+ nodes are available: ")


def verify_step(
    before: Cluster, step: Step, configuration: Configuration, limit_ms: int = LIMIT_MS
) -> Iterator[Opinion]:
    """The binding, the failure, the victims of the one cycle of a step; `before`: the cluster as the cycle saw it.

    Says nothing where the scheduler saw something else (events held back, bindings under way) and with extenders.
    """
    if not step.popped or len(step.popped) != 1 or step.crash is not None or configuration.extenders:
        return
    pods = {pod.key: pod for pod in before.pods}
    pod = pods.get(step.popped[0])
    if pod is None or step.undelivered or (step.observation is not None and step.observation.pending_binds):
        return
    claims = Claims(Facts.of(before), pod, Settings.of(configuration), limit_ms)
    for effect in step.effects:
        match effect:
            case {"bind": {"pod": pod.key, "node": node}}:
                yield claims.host(node)
            case {"event": {"pod": pod.key, "reason": "FailedScheduling", "message": message}}:
                if _FITS_NOWHERE.match(message):
                    yield claims.unschedulable()
    yield from _victims(claims, step, pods)


def _victims(claims: Claims, step: Step, pods: Mapping[str, Pod]) -> Iterator[Opinion]:
    victims = [effect["deleteVictim"] for effect in step.effects if "deleteVictim" in effect]
    if victims and all(victim in pods for victim in victims):
        node = pods[victims[0]].spec.node_name
        yield claims.victims(node, victims)
