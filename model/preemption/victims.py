"""The victims on one node: all lower pods go, then as many as possible come back.  [E-021..E-026, L-122]"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from attrs import frozen

from model.api.objects import Pod, PodDisruptionBudget
from model.attempt import Attempt
from model.node_info import NodeInfo
from model.preemption.budgets import split_by_violation
from model.preemption.simulation import Simulation, fits, having, without
from model.rules import clause, declare, reached, rule

NOW = datetime.max.replace(tzinfo=UTC)
"""Stands for the current time, which is later than every recorded one."""

declare("E-060", "In the simulation no single victim can stay, save on a node above its CSI volume limit", __name__)
declare("E-061", "A pod put back counts for all anti-affinity terms, so the victims may be more than needed", __name__)
declare("E-062", "The number of victims is not minimal", __name__)
declare("E-063", "The number of budget violations is not minimal", __name__)
declare("E-064", "A budget can save a less important pod at the cost of a more important one", __name__)
declare("E-066", "Removing one of two pods with the same host port frees the port", __name__)


@frozen
class Victims:
    """`pods` in order: those that violate a budget first; `pdb_violations`: how many those are."""

    pods: tuple[Pod, ...] = ()
    pdb_violations: int = 0
    notes: tuple[str, ...] = ()


@rule("E-021", "Possible victims are the pods of strictly lower priority, whatever their state")
@clause("E-071", "A terminating pod is a possible victim like any other")
def potential_victims(attempt: Attempt, info: NodeInfo) -> tuple[Pod, ...]:
    lower = tuple(pod for pod in info.pods if pod.priority < attempt.pod.priority)
    if any(pod.is_terminating for pod in lower):
        reached("E-071")
    return lower


@rule("O-051", "A pod started at status.startTime, or now")
@clause("E-070", "A pod without start time counts as started now")
def start_time(pod: Pod) -> datetime:
    """[O-051, nondet]"""
    if pod.status.start_time is None:
        reached("E-070")
        return NOW
    return pod.status.start_time


@rule("O-052", "A pod is more important by its priority, then by its earlier start")
@rule("E-022", "More important is the higher priority, then the earlier start; equals keep the order of the node")
def importance(pod: Pod) -> tuple[int, datetime]:
    """The key of the stable order; kube-scheduler may order equals in any way.  [O-052, nondet]"""
    return -pod.priority, start_time(pod)


@clause("E-024", "Each pod comes back if the preemptor still fits, violating ones first, and else is a victim")
@clause("E-026", "A node where all can stay after all is a candidate without victims")
@clause("E-025", "Violations are counted among the victims; the list is ordered within each of the two groups")
@rule("L-122", "Remove all lower pods, test, sort, split by budget, and reprieve pod by pod")
def select_victims_on_node(attempt: Attempt, info: NodeInfo, budgets: Sequence[PodDisruptionBudget]) -> Victims | None:
    """None where the pod would not fit even without all of them; the victims may be none.  [E-026]"""
    lower = potential_victims(attempt, info)
    simulation = emptied(attempt, info, lower)
    if not fits(simulation):
        return None
    violating, others = split(sorted(lower, key=importance), budgets, attempt)
    simulation, violating_victims = not_reprieved(simulation, violating)
    _, other_victims = not_reprieved(simulation, others)
    reached("E-024")
    if violating_victims:
        reached("E-025")
    victims = (*violating_victims, *other_victims)
    if not victims:
        reached("E-026")
    return Victims(victims, len(violating_victims), order_notes(lower))


@rule("E-023", "The possible victims are split, keeping their order, into those that violate a budget and the others")
def split(
    pods: Iterable[Pod], budgets: Sequence[PodDisruptionBudget], attempt: Attempt
) -> tuple[Sequence[Pod], Sequence[Pod]]:
    return split_by_violation(pods, budgets, attempt.semantics.quirks)


def emptied(attempt: Attempt, info: NodeInfo, lower: Iterable[Pod]) -> Simulation:
    """The node without any of its possible victims."""
    simulation = Simulation(attempt, info)
    for pod in lower:
        simulation = without(simulation, pod)
    return simulation


def not_reprieved(simulation: Simulation, pods: Iterable[Pod]) -> tuple[Simulation, tuple[Pod, ...]]:
    """The node with those put back that can stay, and the others."""
    victims = []
    for pod in pods:
        restored = having(simulation, pod)
        if fits(restored):
            simulation = restored
        else:
            simulation = without(restored, pod)
            victims.append(pod)
    return simulation, tuple(victims)


def order_notes(lower: Sequence[Pod]) -> tuple[str, ...]:
    """Marks of an order that another run of kube-scheduler need not keep.  [E-022, E-070]"""
    ties = len({importance(pod) for pod in lower}) < len(lower)
    absent = any(pod.status.start_time is None for pod in lower)
    return ("victimOrderTie",) * ties + ("nilStartTime",) * absent
