"""Was room made in the right place, and at the expense of the right pods?"""

from collections.abc import Sequence

from attrs import frozen

from model.algorithm import Attempted, basic_checks, filtered
from model.api.configuration import Configuration
from model.api.objects import Pod
from model.api.protocol import Crash
from model.attempt import Attempt
from model.decision import answered
from model.node_info import NodeInfo
from model.preemption import Preemption, preempt
from model.preemption.permitted import permits_victims
from model.preemption.simulation import Simulation, fits, having, without
from oracle.judgement.judged import Outcome, Wrong
from oracle.judgement.second_opinion import allows_victims
from oracle.judgement.view import Known, Sight
from oracle.levels import Level


@frozen
class Room:
    """A node that a pod was nominated to, and who was deleted for it, in order.

    `complete`: no deletion was refused, after which kube-scheduler leaves the others alone.
    """

    pod: Pod
    node: str
    victims: tuple[str, ...] = ()
    complete: bool = True


def judge_room(
    room: Room, sights: Sequence[Sight], view: Known, level: Level, is_sure: bool, configuration: Configuration
) -> tuple[Outcome, Wrong | None]:
    """Right if it is right in one of the sights.  `view`: what Z3 is asked about."""
    try:
        problems = [_problem(room, sight, level) for sight in sights]
    except Crash:
        return Outcome.UNCERTAIN, None
    if None in problems:
        return Outcome.PASSED, None
    wrong = problems[0]
    assert wrong is not None
    defended = not is_sure or (
        wrong.tag in NEEDING_PROOF and allows_victims(view.cluster, room.pod, room.node, room.victims, configuration)
    )
    return (Outcome.UNCERTAIN if defended else Outcome.FAILED), wrong


NEEDING_PROOF = {"insufficient", "excessive", "needless"}


def _problem(room: Room, sight: Sight, level: Level) -> Wrong | None:
    if not room.node:
        return Wrong("elsewhere", f"{room.victims[0]} was deleted to make room for {room.pod.key}, and is on no node")
    info = sight.attempt.snapshot.get(room.node)
    if info is None or info.node is None:
        return Wrong("unknown-node", f"room was made for {room.pod.key} on {room.node}, and there is no such node")
    if room.victims and (wrong := _wrong_victims(room, sight, info)):
        return wrong
    return _not_best(room, sight, info) if level >= Level.RANKED else None


def _wrong_victims(room: Room, sight: Sight, info: NodeInfo) -> Wrong | None:
    there = {pod.key: pod for pod in info.pods}
    for key in room.victims:
        if key not in there:
            return Wrong("elsewhere", f"{key} was deleted to make room on {room.node}, and is not there")
        if there[key].priority >= room.pod.priority:
            return Wrong("not-lower", f"{key} was deleted for {room.pod.key}, which is no more important")
    if sight.feasible:
        return Wrong("needless", f"pods were deleted for {room.pod.key}, which fits {sight.feasible[0]} as it is")
    victims = [there[key] for key in room.victims]
    left = _without(Simulation(sight.attempt, info), victims)
    if not fits(left):
        leaving = [p for p in info.pods if p.is_terminating and p not in victims]
        if room.complete and not fits(_without(left, leaving)):
            return Wrong(
                "insufficient", f"{room.pod.key} does not fit {room.node} without {_list(room.victims)} either"
            )
        return None
    for victim in victims:
        if fits(having(left, victim)):
            return Wrong("excessive", f"{victim.key} was deleted for {room.pod.key}, which fits beside it")
    return None


def _without(simulation: Simulation, pods: Sequence[Pod]) -> Simulation:
    for pod in pods:
        simulation = without(simulation, pod)
    return simulation


def _not_best(room: Room, sight: Sight, info: NodeInfo) -> Wrong | None:
    """A node on which the pod fits by now is as good as any.  [E-026, E-040, E-045]"""
    if not room.victims and room.node in sight.feasible:
        return None
    wanted = best_room(sight)
    if room.node not in wanted.allowed:
        places = " or ".join(sorted(wanted.allowed)) or "no node"
        return Wrong("not-best", f"room for {room.pod.key} was made on {room.node}; best is {places}")
    expected = [pod.key for pod in wanted.allowed[room.node].pods]
    if sorted(expected) == sorted(room.victims) or not room.complete or is_permitted(room, sight.attempt, info):
        return None
    return Wrong("victims", f"the victims on {room.node} were {_list(room.victims)}; best is {_list(expected)}")


def judge_omission(pod: Pod, sights: Sequence[Sight], is_sure: bool) -> tuple[Outcome, Wrong | None]:
    """No room was made for a pod that fits nowhere."""
    try:
        wanted = [best_room(sight) for sight in sights]
    except Crash:
        return Outcome.PASSED, None
    if any(found.node in (None, pod.status.nominated_node_name) for found in wanted):
        return Outcome.PASSED, None
    wrong = Wrong("not-made", f"room could be made for {pod.key} on {wanted[0].node}, and was not")
    return (Outcome.FAILED if is_sure else Outcome.UNCERTAIN), wrong


def best_room(sight: Sight) -> Preemption:
    """What kube-scheduler would do for a pod that fits nowhere.  Raises Crash."""
    attempt = sight.attempt
    if basic_checks(attempt.pod, attempt.world):
        return Preemption()
    found = answered(filtered(attempt, Attempted(sight.tree, 0)), {})
    if found.error is None:
        return Preemption()
    return answered(preempt(attempt.pod, found.error, attempt.world, attempt.snapshot, attempt.semantics), {})


def is_permitted(room: Room, attempt: Attempt, info: NodeInfo) -> bool:
    """Whether these are the victims, in an order in which kube-scheduler may delete them.  [E-022, nondet]"""
    there = {pod.key: pod for pod in info.pods}
    victims = [there[key] for key in room.victims if key in there]
    budgets = tuple(attempt.world.budgets.values())
    return len(victims) == len(room.victims) and permits_victims(attempt, info, budgets, victims)


def _list(keys: Sequence[str]) -> str:
    return ", ".join(keys) or "nobody"
