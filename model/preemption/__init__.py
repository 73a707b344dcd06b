"""Preemption: which pods would have to go, from which node, to let a pod in.  [E-001, E-002, L-120]"""

from collections.abc import Generator, Mapping
from typing import Any

from attrs import Factory, astuple, evolve, frozen

from model.algorithm import with_metadata
from model.api.objects import Pod
from model.api.protocol import Call
from model.attempt import Attempt, known
from model.extenders import ExtenderError
from model.preemption.candidates import select_nodes_for_preemption
from model.preemption.eligibility import is_eligible, potential_nodes
from model.preemption.extenders import candidates_left_by_extenders
from model.preemption.pick import best_candidates
from model.preemption.victims import Victims, emptied, potential_victims
from model.quirks import quirk
from model.rules import clause, reached, rule
from model.scheduling_error import FitError, NoNodesAvailable, SchedulingError
from model.semantics import Semantics
from model.volume_decisions import volume_decisions
from model.volumes.find import VolumeFit
from model.world import Snapshot, World

__all__ = ["Preemption", "Victims", "nominations_to_clear", "preempt"]

quirk("E-001", "A pod that no node can be freed for keeps its own nomination")


@frozen
class Preemption:
    """What Preempt decides, and how it came to it.

    `node`, `victims` (in order of deletion) and `to_clear` (pods to un-nominate) are the decision; or `error`.
    `eligible` is None and the rest empty where preemption is not considered at all.  `potential`: nodes
    that preemption might help, in listed order; `candidates`: those with a solution; `allowed`: the equally
    good ones, by name, any of which may be chosen.  [nondet]  `volume_fits`: what the simulation has the volume
    binder remember.  [V-027]  `notes` as in an Observation.
    """

    node: str | None = None
    victims: tuple[Pod, ...] = ()
    to_clear: tuple[Pod, ...] = ()
    error: str | None = None
    eligible: bool | None = None
    potential: tuple[str, ...] = ()
    candidates: Mapping[str, Victims] = Factory(dict)
    allowed: Mapping[str, Victims] = Factory(dict)
    volume_fits: Mapping[str, VolumeFit] = Factory(dict)
    notes: tuple[str, ...] = ()


@rule("E-001", "Eligibility, potential nodes, victims on each, extenders, the best node, and whom to un-nominate")
@clause("E-002", "Preempt looks at the snapshot of the failed attempt, with metadata computed anew")
@rule("L-120", "Only a FitError leads to preemption; without potential nodes the pod's own nomination goes")
def preempt(
    pod: Pod, failure: SchedulingError, world: World, snapshot: Snapshot, semantics: Semantics
) -> Generator[Call[Any], Any, Preemption]:
    """`snapshot`: that of the failed attempt; `world`: live.  Raises Crash."""
    if not isinstance(failure, FitError):
        return Preemption()
    if not is_eligible(pod, failure, snapshot, semantics):
        return Preemption(eligible=False)
    if not world.nodes:
        return Preemption(eligible=True, error=NoNodesAvailable().text)
    potential = potential_nodes(world.nodes, failure)
    if not potential:
        return Preemption(eligible=True, to_clear=(pod,))
    reached("E-002")
    attempt = with_metadata(Attempt(pod, snapshot, world, semantics))
    candidates = select_nodes_for_preemption(attempt, potential)
    cleared = (emptied(attempt, info, potential_victims(attempt, info)) for info in known(attempt, potential))
    simulated = (astuple(simulation, recurse=False) for simulation in cleared)
    considered = Preemption(
        eligible=True,
        potential=potential,
        candidates=candidates,
        volume_fits=volume_decisions(attempt, simulated, feasible=(), check_all=False),
        notes=notes(candidates),
    )
    try:
        candidates = yield from candidates_left_by_extenders(attempt, candidates)
    except ExtenderError as error:
        return evolve(considered, error=str(error))
    return decided(attempt, evolve(considered, candidates=candidates))


def decided(attempt: Attempt, considered: Preemption) -> Preemption:
    """The choice among the candidates."""
    allowed = best_candidates(considered.candidates, attempt.semantics.quirks)
    if not allowed:
        reached("preemption: no candidate")
        return considered if attempt.semantics.has("E-001") else evolve(considered, to_clear=(attempt.pod,))
    node = attempt.semantics.tie_breaker(allowed)
    if node not in attempt.snapshot:
        error = f"preemption failed: the target node {node} has been deleted from scheduler cache"
        return evolve(considered, allowed=allowed, error=error)
    return evolve(
        considered,
        allowed=allowed,
        node=node,
        victims=allowed[node].pods,
        to_clear=nominations_to_clear(attempt.pod, node, attempt.world),
    )


def nominations_to_clear(pod: Pod, node: str, world: World) -> tuple[Pod, ...]:
    """Pods of lower priority nominated to the node, in the order of the queue's list.  [E-001]"""
    return tuple(nominated for nominated in world.nominated.get(node, ()) if nominated.priority < pod.priority)


def notes(candidates: Mapping[str, Victims]) -> tuple[str, ...]:
    """Which marks the order of the victims earns.  [E-022, E-070]"""
    return tuple(dict.fromkeys(note for victims in candidates.values() for note in victims.notes))
