"""What is known for one kind of pod, and remembered for the kinds met last."""

from collections import OrderedDict

from impl.configured import Plan
from impl.feasibility import Feasibility
from impl.outcomes import Outcomes
from impl.pod_kind import PodKind
from impl.predicates.check import Question
from impl.preemption import Preemption
from impl.priorities.scorer import Subject
from impl.row_column import SharedColumns
from impl.scoring import Scoring
from impl.surroundings import Surroundings
from impl.table import Table
from model.api.objects import Pod

KINDS_REMEMBERED = 128


class Prepared:
    """Renewed when node objects or workload objects change."""

    def __init__(self, known: "Preparations", pod: Pod, kind: PodKind, shared: SharedColumns) -> None:
        plan, table, surroundings = known.plan, known.table, known.surroundings
        self.feasibility = Feasibility(
            Question(
                pod=pod,
                kind=kind,
                table=table,
                outcomes=known.outcomes,
                surroundings=surroundings,
                ignored_resources=plan.ignored_resources,
                max_volumes=plan.max_volumes,
                count_volumes=plan.gates["AttachVolumeLimit"],
            ),
            plan,
            shared,
        )
        self.scoring = Scoring(
            Subject(
                pod=pod,
                kind=kind,
                table=table,
                surroundings=surroundings,
                hard_pod_affinity_weight=plan.hard_pod_affinity_weight,
            ),
            plan,
            shared,
        )
        self.preemption = Preemption(self.feasibility, plan, shared)
        self._changes = known.changes()

    def is_stale(self, changes: int) -> bool:
        return self._changes != changes or self.feasibility.is_slow != self.feasibility.must_be_slow


class Preparations:
    """By kind of pod; those of the kinds met last are kept."""

    def __init__(self, plan: Plan, table: Table, outcomes: Outcomes, surroundings: Surroundings) -> None:
        self.plan = plan
        self.table = table
        self.outcomes = outcomes
        self.surroundings = surroundings
        self._shared = SharedColumns(table)
        self._by_kind: OrderedDict[PodKind, Prepared] = OrderedDict()

    def changes(self) -> int:
        """Grows when anything changes that `Prepared` does not follow by itself."""
        return self.table.epoch + self.surroundings.stores.workload_version

    def of(self, pod: Pod) -> Prepared:
        """For an attempt of this pod."""
        if self.table.pairs.crowded:
            self._by_kind.clear()
            self.table.pairs.forget()
        kind = self.table.kinds.of(pod)
        found = self._by_kind.get(kind)
        if pod.spec.node_name:  # Kinds do not tell it; such a pod is seen only when preemption reads it anew.
            found = Prepared(self, pod, kind, SharedColumns(self.table))
        elif found is None or found.is_stale(self.changes()):
            found = self._by_kind[kind] = Prepared(self, pod, kind, self._shared.at(self.changes()))
            if len(self._by_kind) > KINDS_REMEMBERED:
                self._by_kind.popitem(last=False)
        else:
            self._by_kind.move_to_end(kind)
        found.feasibility.prepare(pod)
        return found
