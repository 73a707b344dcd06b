"""Preempt: whose eviction would make room, and on which node.  [E-001..E-052, L-120..L-123]"""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from impl import extenders
from impl.configured import Plan
from impl.extenders import ExtenderError
from impl.feasibility import Feasibility
from impl.fit_error import FitError
from impl.lanes import Ints, Lane, Rows
from impl.outcomes import FITS
from impl.row_column import FEW, SharedColumns
from impl.scheduling_error import NO_NODES
from impl.victim_columns import VictimColumns
from impl.victims import Victims, select_victims
from model.api.integers import INT32_MAX
from model.api.objects import Pod
from model.api.protocol import Api


@frozen
class Preempted:
    """`node` is None where nothing can be won.  `notes`: marks of arbitrary orders.

    `left`: what extenders made of the candidates, and `ties`: the best of those; None without extenders.
    """

    node: str | None = None
    victims: tuple[Pod, ...] = ()
    to_clear: tuple[Pod, ...] = ()
    error: str | None = None
    notes: tuple[str, ...] = ()
    left: extenders.Candidates | None = None
    ties: tuple[str, ...] = ()


class Preemption:
    """For one kind of pod.  Victims are kept by row while nothing but the row could change them."""

    def __init__(self, feasibility: Feasibility, plan: Plan, shared: SharedColumns) -> None:
        self._feasibility = feasibility
        self._table = feasibility.table
        self._surroundings = feasibility.question.surroundings
        self._plan = plan
        self._columns = VictimColumns(0)
        self._lowest = shared.column("lowest priority", self._lowest_priority)
        self._tick = -1
        self._was_local = False
        """Whether the verdicts kept depend on nothing but their rows."""
        self._budgets_version = -1
        self._listed: Ints = np.zeros(0, np.int64)
        self._listed_at = (-1, -1)

    def preempt(self, pod: Pod, fit_error: FitError, api: Api) -> Preempted:
        """`fit_error`: why the pod fits nowhere; the table is as it was then.  Raises Crash."""
        if not self.is_eligible(pod):
            return Preempted()
        if not self._surroundings.stores.nodes:
            return Preempted(error=NO_NODES)
        rows, helps = self.potential(fit_error)
        if not helps:
            return Preempted(to_clear=(pod,))
        candidates = self.candidates(pod, rows)
        notes = self._notes(candidates)
        if self._plan.extenders and len(candidates):
            return self._with_extenders(pod, candidates, api, notes)
        if not len(candidates):
            return Preempted(notes=notes)
        node, row = min((self.name(row), row) for row in self.best(candidates).tolist())
        return Preempted(node, self.victims(row).pods, self.to_clear(pod, node), notes=notes)

    def name(self, row: int) -> str:
        return str(self._table.name_of[row])

    def is_eligible(self, pod: Pod) -> bool:
        """Not while victims of an earlier preemption are on their way out.  [E-003]"""
        if self._plan.gates["NonPreemptingPriority"] and pod.spec.preemption_policy == "Never":
            return False
        row = self._table.row_of.get(pod.status.nominated_node_name)
        return row is None or not any(p.is_terminating and p.priority < pod.priority for p in self._table.pods[row])

    def potential(self, fit_error: FitError) -> tuple[Ints, bool]:
        """The rows of listed nodes where eviction may help, and whether there is such a node at all.  [E-004]"""
        nodes, row_of = self._surroundings.stores.nodes, self._table.row_of
        state = self._surroundings.stores.versions["Node"], self._table.membership
        if state != self._listed_at:
            self._listed = np.array([row_of[name] for name in nodes if name in row_of], np.int64)
            self._listed_at = state
        rows = self._listed
        rows = rows[~fit_error.unresolvable_rows(len(self._table.with_affinity))[rows]]
        return rows, len(rows) > 0 or len(self._listed) < len(nodes)

    # --- candidates --------------------------------------------------------------------------------

    def candidates(self, pod: Pod, rows: Ints) -> Ints:
        """Those of the rows where eviction makes room.  [E-010]"""
        nominated = self._surroundings.queue.nominated
        budgets = list(self._surroundings.stores.budgets.values())
        columns = self._columns_now()
        unknown = rows[~columns.known[rows]]
        if len(unknown) > FEW:
            columns.rule_out(unknown)
            unknown = self._promising(unknown, pod.priority)
        for row in unknown.tolist():
            others = nominated.get(self.name(row), ())
            columns.put(row, select_victims(self._feasibility, row, pod.priority, others, budgets))
            if others:  # They come and go without a trace in the row.
                columns.known[row] = False
        possible: Ints = rows[columns.possible[rows]]
        return possible

    def _promising(self, rows: Ints, priority: int) -> Ints:
        """Without those where the pod does not fit and there is nobody to evict."""
        codes = self._feasibility.codes()
        if codes is None:
            return rows
        promising: Ints = rows[(codes[rows] == FITS) | (self._lowest.values()[rows] < priority)]
        return promising

    def _lowest_priority(self, rows: Rows) -> Lane:
        """Of the pods on the rows; no pod counts as the highest."""
        if isinstance(rows, int):
            return min((pod.priority for pod in self._table.pods[rows]), default=INT32_MAX)
        return np.array([self._lowest_priority(row) for row in range(len(self._table.name_of))], np.int64)

    def _columns_now(self) -> VictimColumns:
        """What is kept, less what may have changed."""
        table, version = self._table, self._surroundings.stores.versions["PodDisruptionBudget"]
        changed = table.changed_since(self._tick)
        was_local, self._was_local = self._was_local, self._feasibility.is_local
        if changed is None or version != self._budgets_version or not (was_local and self._was_local):
            self._columns = VictimColumns(len(table.with_affinity))
        else:
            self._columns.known[list(changed)] = False
        for name, pods in self._surroundings.queue.nominated.items():
            if pods and name in table.row_of:
                self._columns.known[table.row_of[name]] = False
        self._tick, self._budgets_version = table.tick, version
        return self._columns

    def victims(self, row: int) -> Victims:
        """Of a candidate."""
        found = self._columns.victims[row]
        assert found is not None
        return found

    def best(self, candidates: Ints) -> Ints:
        """The candidates among which chance decides.  [E-045]"""
        return self._columns.best(candidates)

    def to_clear(self, pod: Pod, node: str) -> tuple[Pod, ...]:
        """The pods nominated to the node that must give way.  [E-001.8]"""
        nominated: Sequence[Pod] = self._surroundings.queue.nominated.get(node, ())
        return tuple(other for other in nominated if other.priority < pod.priority)

    def _notes(self, candidates: Ints) -> tuple[str, ...]:
        noted = candidates[self._columns.noted[candidates]].tolist()
        return tuple(dict.fromkeys(note for row in noted for note in self.victims(row).notes))

    # --- extenders ---------------------------------------------------------------------------------

    def _with_extenders(self, pod: Pod, candidates: Ints, api: Api, notes: tuple[str, ...]) -> Preempted:
        pods_on = {name: self._table.pods[row] for name, row in self._table.row_of.items()}
        found = {self.name(row): self.victims(row) for row in candidates.tolist()}
        asked = {name: (victims.pods, victims.pdb_violations) for name, victims in found.items()}
        try:
            left = extenders.candidates_left(self._plan.extenders, pod, asked, pods_on, api)
        except ExtenderError as error:
            return Preempted(error=str(error), notes=notes)
        if not left:
            return Preempted(notes=notes, left=left)
        columns = VictimColumns(len(left))
        for at, (pods, violations) in enumerate(left.values()):
            columns.put(at, Victims(tuple(pods), violations))
        ties = tuple(sorted(list(left)[at] for at in columns.best(np.arange(len(left))).tolist()))
        node = ties[0]
        if node not in pods_on:
            text = f"preemption failed: the target node {node} has been deleted from scheduler cache"
            return Preempted(error=text, notes=notes, left=left, ties=ties)
        victims, to_clear = tuple(left[node][0]), self.to_clear(pod, node)
        return Preempted(node, victims, to_clear, notes=notes, left=left, ties=ties)
