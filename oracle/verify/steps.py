"""What a running scheduler did in one cycle, as Z3 sees it."""

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from model.api.cluster import Cluster
from model.api.configuration import Configuration
from model.api.objects import Pod
from model.api.protocol import Observation
from oracle.environment.step import Step
from oracle.smt.facts import FINISHED, Facts
from oracle.smt.settings import Settings
from oracle.smt.solving import LIMIT_MS
from oracle.verify.claims import Claims
from oracle.verify.opinion import Opinion, Standing, allowed

_FITS_NOWHERE = re.compile(r"0/\d+ nodes are available: ")


@frozen
class Before:
    """The cluster as the cycle found it.

    `seen`: what the scheduler showed of itself then, if it does.  `may_miss`: the rule by which it may
    overlook a node that is feasible, "" for none.
    """

    cluster: Cluster
    seen: Observation | None = None
    may_miss: str = ""

    @property
    def is_shared(self) -> bool:
        """The scheduler knows the same pods on the same nodes; False also while it waits for a binding.

        And while pods are left of a node that is gone: its labels may be known to the scheduler still [C-043].  And
        while it makes room for a pod that waits no more: somebody else placed it.
        """
        placed: dict[str, set[str]] = {}
        for pod in self.cluster.pods:
            if pod.spec.node_name and pod.status.phase not in FINISHED:
                placed.setdefault(pod.spec.node_name, set()).add(pod.key)
        if not placed.keys() <= {node.name for node in self.cluster.nodes}:
            return False
        if self.seen is None:
            return True
        cached = {**self.seen.cache_nodes, **self.seen.ghost_nodes}
        known = {node: set(pods) for node, pods in cached.items() if pods}
        waiting = {pod.key for pod in self.cluster.pods if not pod.spec.node_name}
        expected = {key for keys in self.seen.nominated.values() for key in keys}
        return not self.seen.pending_binds and known == placed and expected <= waiting

    @property
    def nominated(self) -> Mapping[str, tuple[Pod, ...]] | None:
        """As the scheduler keeps it; None where it does not show it, then the pods' status counts."""
        if self.seen is None:
            return None
        pods = {pod.key: pod for pod in self.cluster.pods}
        return {
            node: tuple(pods[key] for key in keys if key in pods and not pods[key].spec.node_name)
            for node, keys in self.seen.nominated.items()
        }


def verify_step(
    before: Before, step: Step, configuration: Configuration, limit_ms: int = LIMIT_MS, advice: bool = False
) -> Iterator[Opinion]:
    """The binding, the failure or the victims of the one cycle of a step; as `advice` also who could have been spared.

    Says nothing where the scheduler cannot be held to what the cluster was: it had not been told all, or something
    happened while it decided; nor where extenders have a say.
    """
    pods = {pod.key: pod for pod in before.cluster.pods}
    alone = step.popped is not None and len(step.popped) == 1 and not step.during_errors
    if not alone or step.undelivered or step.crash is not None or configuration.extenders or not before.is_shared:
        return
    [key] = step.popped or ("",)
    if key not in pods:
        return
    facts = Facts.of(before.cluster, before.nominated)
    claims = Claims(facts, pods[key], Settings.of(configuration), limit_ms)
    for effect in step.effects:
        match effect:
            case {"bind": {"pod": pod, "node": node}} if pod == key:
                yield claims.host(node)
            case {"event": {"pod": pod, "reason": "FailedScheduling", "message": message}} if pod == key:
                if _FITS_NOWHERE.match(message):
                    yield _excused(claims.unschedulable(), before)
    yield from _victims(claims, step, pods, advice)


def _excused(opinion: Opinion, before: Before) -> Opinion:
    excused = before.may_miss and opinion.standing is Standing.DISAGREES
    return allowed(opinion, before.may_miss) if excused else opinion


def _victims(claims: Claims, step: Step, pods: Mapping[str, Pod], advice: bool) -> Iterator[Opinion]:
    """Nothing where a deletion failed: the rest of the victims were not asked for then.  [L-110]"""
    if any("deleteVictimError" in effect for effect in step.effects):
        return
    victims = [effect["deleteVictim"] for effect in step.effects if "deleteVictim" in effect]
    if victims and all(victim in pods for victim in victims):
        node = pods[victims[0]].spec.node_name
        yield claims.victims(node, victims)
        if advice:
            yield from claims.least(node, victims)
