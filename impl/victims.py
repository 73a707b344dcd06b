"""The victims on one node: all lower pods go, then as many as possible come back.  [E-020..E-030, E-035..E-037]"""

from collections.abc import Sequence
from datetime import UTC, datetime

from attrs import frozen

from impl.feasibility import Feasibility, Simulation
from impl.pod_kind import PodKind
from model.api.objects import Pod, PodDisruptionBudget
from model.api.selectors import SelectorError, from_label_selector

OFFSET = 2**31
"""Makes every summand of E-036 at least 0."""

NOW = datetime.max.replace(tzinfo=UTC)
"""Stands for the current time, which is later than every recorded one.  [E-070]"""


def start_time(pod: Pod) -> datetime:
    return pod.status.start_time or NOW


@frozen
class Victims:
    """`pods`: those that violate a budget first; `pdb_violations`: how many those are."""

    pods: tuple[Pod, ...] = ()
    pdb_violations: int = 0
    notes: tuple[str, ...] = ()
    """Marks of an order that another run need not keep: victimOrderTie, nilStartTime.  [E-022, E-070]"""

    @property
    def first_priority(self) -> int:
        """[E-035]"""
        return self.pods[0].priority

    @property
    def sum_of_priorities(self) -> int:
        """[E-036]"""
        return sum(pod.priority + OFFSET for pod in self.pods)

    @property
    def earliest_start(self) -> datetime:
        """[E-037]"""
        highest = max(pod.priority for pod in self.pods)
        return min(start_time(pod) for pod in self.pods if pod.priority == highest)


def select_victims(
    feasibility: Feasibility,
    row: int,
    priority: int,
    nominated: Sequence[Pod],
    budgets: Sequence[PodDisruptionBudget],
) -> Victims | None:
    """None where the pod would not fit even without all lower pods.  [E-021..E-026]"""
    if feasibility.hopeless(row):
        return None
    table = feasibility.table
    pods = table.pods[row]
    lower = [(pod, kind) for pod, kind in zip(pods, table.kinds_of_row[row], strict=True) if pod.priority < priority]
    simulation = feasibility.simulation(row, nominated)
    for pod, kind in lower:
        simulation.trial.remove(pod, kind)
    if not simulation.fits:
        return None
    lower.sort(key=_importance)
    violating = [entry for entry in lower if budgets and violates(entry[0], budgets)]
    others = [entry for entry in lower if entry not in violating] if violating else lower
    violating_victims = _not_reprieved(simulation, violating)
    other_victims = _not_reprieved(simulation, others)
    return Victims((*violating_victims, *other_victims), len(violating_victims), _notes(lower))


def _importance(entry: tuple[Pod, PodKind]) -> tuple[int, datetime]:
    """The key of the stable order, the most important first.  [E-022]"""
    pod = entry[0]
    return -pod.priority, start_time(pod)


def _notes(lower: Sequence[tuple[Pod, PodKind]]) -> tuple[str, ...]:
    tie = len(set(map(_importance, lower))) < len(lower)
    absent = any(pod.status.start_time is None for pod, _ in lower)
    return ("victimOrderTie",) * tie + ("nilStartTime",) * absent


def _not_reprieved(simulation: Simulation, entries: Sequence[tuple[Pod, PodKind]]) -> list[Pod]:
    """[E-024]"""
    victims = []
    for pod, kind in entries:
        simulation.trial.add(pod, kind)
        if not simulation.fits:
            simulation.trial.remove(pod, kind)
            victims.append(pod)
    return victims


def violates(pod: Pod, budgets: Sequence[PodDisruptionBudget]) -> bool:
    """Whether a budget that allows nothing more covers the pod; nobody counts what was allowed.  [E-030]"""
    return bool(pod.labels) and any(
        budget.namespace == pod.namespace and budget.status.disruptions_allowed <= 0 and _covers(budget, pod)
        for budget in budgets
    )


def _covers(budget: PodDisruptionBudget, pod: Pod) -> bool:
    try:
        selector = from_label_selector(budget.spec.selector)
    except SelectorError:
        return False
    return not selector.is_empty and selector.matches(pod.labels)
