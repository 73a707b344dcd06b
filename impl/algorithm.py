"""Schedule: one attempt to find a node for a pod.  [A-001..A-050, L-060..L-073]"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from attrs import define

from impl import extenders
from impl.configured import Plan, plan
from impl.extenders import ExtenderError
from impl.feasibility import Feasibility
from impl.fit_error import FitError
from impl.lanes import Codes, Ints
from impl.node_order import MISSING, NodeOrder, feasible_nodes_to_find
from impl.outcomes import FITS, UNKNOWN_CONDITION, Outcomes
from impl.pod_kind import PodKind
from impl.predicates.check import Question
from impl.preemption import Preempted, Preemption
from impl.priorities.scorer import PriorityError, Subject
from impl.row_column import SharedColumns
from impl.scoring import Scoring
from impl.surroundings import Surroundings
from impl.table import Table
from model.api.configuration import Configuration, Extender
from model.api.integers import int64
from model.api.objects import Node, Pod
from model.api.protocol import Api

NO_NODES = "no nodes available to schedule pods"
KINDS_REMEMBERED = 128


class SchedulingError(Exception):
    """The attempt ends without a verdict on the pod; the message is kube-scheduler's."""


@define
class Scheduled:
    """`fit_error` is there when that is the error."""

    host: str | None = None
    error: str | None = None
    fit_error: FitError | None = None


@define
class Tried:
    """The nodes tried in one attempt, in order, with the verdicts; and those of them that are feasible."""

    rows: Ints
    codes: Codes
    feasible: Ints
    repeats: bool

    def failed(self) -> tuple[Ints, Codes]:
        """The rows where the pod does not fit, each once, and why."""
        rows, codes = self.rows, self.codes
        if len(self.feasible):
            failing = codes != FITS
            rows, codes = rows[failing], codes[failing]
        if self.repeats:
            rows, first = np.unique(rows, return_index=True)
            codes = codes[first]
        return rows, codes


class Prepared:
    """What is known for one kind of pod; renewed when node objects or workload objects change."""

    def __init__(self, algorithm: "Algorithm", pod: Pod, kind: PodKind, shared: SharedColumns) -> None:
        plan, table, surroundings = algorithm.plan, algorithm.table, algorithm.surroundings
        self.feasibility = Feasibility(
            Question(
                pod=pod,
                kind=kind,
                table=table,
                outcomes=algorithm.outcomes,
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
        self._seen = algorithm.changes()

    def is_stale(self, algorithm: "Algorithm") -> bool:
        return self._seen != algorithm.changes() or self.feasibility.is_slow != self.feasibility.must_be_slow


class Algorithm:
    """Lives as long as its scheduler.  `notes`: marks of the last attempts, for whoever observes.  [A-001]

    Raises ConfigurationError or Crash for a configuration that cannot run.
    """

    def __init__(self, surroundings: Surroundings, configuration: Configuration) -> None:
        self.configuration = configuration
        self.surroundings = surroundings
        self.plan: Plan = plan(configuration)
        self.table = Table(surroundings.cache.kinds)
        self.outcomes = Outcomes()
        self.last_node_index = 0
        self.notes: list[str] = []
        self._shared = SharedColumns(self.table)
        self._order = NodeOrder(self.table)
        self._prepared: OrderedDict[PodKind, Prepared] = OrderedDict()

    # --- what is remembered ------------------------------------------------------------------------

    def changes(self) -> int:
        """Grows when anything changes that `Prepared` does not follow by itself."""
        return self.table.epoch + self.surroundings.stores.workload_version

    def prepared(self, pod: Pod) -> Prepared:
        """For an attempt of this pod."""
        if self.table.pairs.crowded:
            self._prepared.clear()
            self.table.pairs.forget()
        kind = self.table.kinds.of(pod)
        found = self._prepared.get(kind)
        if pod.spec.node_name:  # Kinds do not tell it; such a pod is seen only when preemption reads it anew.
            found = Prepared(self, pod, kind, SharedColumns(self.table))
        elif found is None or found.is_stale(self):
            found = self._prepared[kind] = Prepared(self, pod, kind, self._shared.at(self.changes()))
            if len(self._prepared) > KINDS_REMEMBERED:
                self._prepared.popitem(last=False)
        else:
            self._prepared.move_to_end(kind)
        found.feasibility.prepare(pod)
        return found

    # --- one attempt -------------------------------------------------------------------------------

    def schedule(self, pod: Pod, api: Api) -> Scheduled:
        """Raises Crash."""
        try:
            return self._schedule(pod, api)
        except (SchedulingError, ExtenderError, PriorityError) as error:
            return Scheduled(error=str(error))

    def _schedule(self, pod: Pod, api: Api) -> Scheduled:
        self.refresh(pod)
        prepared = self.prepared(pod)
        tried = self.find(prepared)
        if self.plan.extenders:
            return self._with_extenders(pod, prepared, tried, api)
        if not len(tried.feasible):
            return self.unfit(tried, {})
        if len(tried.feasible) == 1:
            return Scheduled(self.table.name_of[tried.feasible[0]])
        totals = prepared.scoring.totals(tried.feasible)
        return Scheduled(self.table.name_of[tried.feasible[self.select(totals)]])

    def refresh(self, pod: Pod) -> None:
        """Basic checks, then the snapshot.  Raises SchedulingError.  [A-003..A-005]"""
        stores = self.surroundings.stores
        for volume in pod.spec.volumes:
            if volume.persistent_volume_claim:
                name = volume.persistent_volume_claim.claim_name
                claim = stores.claims.get(f"{pod.namespace}/{name}")
                if claim is None:
                    raise SchedulingError(f'persistentvolumeclaim "{name}" not found')
                if claim.metadata.deletion_timestamp is not None:
                    raise SchedulingError(f'persistentvolumeclaim "{claim.name}" is being deleted')
        if not stores.nodes:
            raise SchedulingError(NO_NODES)
        self.surroundings.cache.refresh(self.table)

    def select(self, totals: Ints) -> int:
        """Which of the best it is to be: they take turns.  [A-042]"""
        best = (totals == totals[totals.argmax()]).nonzero()[0]
        chosen = int(best[self.last_node_index % len(best)])
        self.last_node_index = (self.last_node_index + 1) % 2**64
        return chosen

    def unfit(self, tried: Tried, messages: dict[str, list[str]]) -> Scheduled:
        """[A-036]"""
        count = len(self.surroundings.stores.nodes)
        error = FitError(count, *tried.failed(), self.outcomes, messages)
        return Scheduled(error=error.text, fit_error=error)

    # --- filtering ---------------------------------------------------------------------------------

    def find(self, prepared: Prepared) -> Tried:
        """Try nodes until enough fit; the node tree moves on.  Raises SchedulingError.  [A-021..A-026]"""
        tree = self.surroundings.cache.tree
        rows = self._order.upcoming(tree)
        wanted = feasible_nodes_to_find(tree.count, self.plan.percentage)
        codes, failing = self._codes(prepared.feasibility, rows, wanted)
        stop = len(codes)
        if not failing:
            stop = min(stop, wanted + 1)
            feasible = rows[: min(stop, wanted)]
        else:
            fitting = (codes == FITS).nonzero()[0]
            if len(fitting) > wanted:
                stop = int(fitting[wanted]) + 1
            feasible = rows[fitting[:wanted]]
        tree.advance(stop)
        if self.outcomes.any_error:
            self._raise_errors(codes[:stop])
        return Tried(rows[:stop], codes[:stop], feasible, self._order.repeats)

    def _codes(self, feasibility: Feasibility, rows: Ints, wanted: int) -> tuple[Codes, int]:
        """The verdicts on the rows in order, at least up to the first feasible one too many; how many do not fit."""
        by_row = feasibility.codes()
        nominated = self._nominated(feasibility) if self.surroundings.queue.nominated else {}
        if by_row is None or self._order.gaps:
            codes = self._codes_one_by_one(feasibility, rows, wanted, nominated)
            return codes, int(np.count_nonzero(codes))
        if nominated:
            by_row = by_row.copy()
            for row, pods in nominated.items():
                by_row[row] = feasibility.code(row, pods)
        elif not feasibility.failing:
            return np.zeros(min(len(rows), wanted + 1), np.int32), 0
        if feasibility.failing < len(by_row) - wanted:
            codes = by_row[rows[: wanted + 1 + wanted // 8]]
            failing = int(np.count_nonzero(codes))
            if len(codes) - failing > wanted:
                return codes, failing
        codes = by_row[rows]
        return codes, int(np.count_nonzero(codes))

    def _nominated(self, feasibility: Feasibility) -> dict[int, Sequence[Pod]]:
        """The nominated pods that are reckoned with, by row."""
        row_of = self.table.row_of
        return {
            row_of[name]: qualified
            for name, pods in self.surroundings.queue.nominated.items()
            if name in row_of and (qualified := feasibility.qualified(pods))
        }

    def _codes_one_by_one(
        self, feasibility: Feasibility, rows: Ints, wanted: int, nominated: Mapping[int, Sequence[Pod]]
    ) -> Codes:
        codes: list[int] = []
        fitting = 0
        for row in rows.tolist():
            code = feasibility.code(row, nominated.get(row, ())) if row != MISSING else self._missing_code()
            codes.append(code)
            fitting += code == FITS
            if fitting > wanted:
                break
        return np.array(codes, np.int32)

    def _missing_code(self) -> int:
        """[P-023, P-024]"""
        return self.outcomes.error("node not found") if self.plan.check_all else self.outcomes.code(UNKNOWN_CONDITION)

    def _raise_errors(self, codes: Codes) -> None:
        """[A-026]"""
        texts = []
        for code, times in enumerate(np.bincount(codes).tolist()):
            error = self.outcomes[code].error
            if times and error is not None:
                texts.append(error if times == 1 else f"{error} (repeated {times} times)")
        if texts:
            raise SchedulingError(texts[0] if len(texts) == 1 else f"[{', '.join(sorted(texts))}]")

    # --- extenders ---------------------------------------------------------------------------------

    def _with_extenders(self, pod: Pod, prepared: Prepared, tried: Tried, api: Api) -> Scheduled:
        nodes, messages = self.narrowed(pod, tried, api)
        if not nodes:
            return self.unfit(tried, messages)
        if len(nodes) == 1:
            return Scheduled(nodes[0].name)
        return Scheduled(nodes[self.select(self.ranked(pod, prepared, nodes, api))].name)

    def narrowed(self, pod: Pod, tried: Tried, api: Api) -> tuple[Sequence[Node], dict[str, list[str]]]:
        """What extenders leave of the feasible nodes, and their messages.  Raises ExtenderError and Crash."""
        nodes, row_of = self.table.nodes, self.table.row_of
        found = [node for row in tried.feasible if (node := nodes[row])]

        def known(name: str) -> Node | None:
            return nodes[row_of[name]] if name in row_of else None

        return extenders.filtered(self.plan.extenders, pod, known, found, api)

    def rows(self, nodes: Sequence[Node]) -> Ints:
        """MISSING for a node that an extender brought in and the snapshot does not have."""
        return np.array([self.table.row_of.get(node.name, MISSING) for node in nodes], np.int64)

    def ranked(self, pod: Pod, prepared: Prepared, nodes: Sequence[Node], api: Api) -> Ints:
        """The totals with the extenders' scores.  Raises PriorityError and Crash.  [L-071]"""
        totals = prepared.scoring.totals_with_strangers(self.rows(nodes))
        extra = extenders.scores(self.plan.extenders, pod, nodes, api)
        return totals + np.array([int64(extra.get(node.name, 0)) for node in nodes], np.int64)

    def binder(self, pod: Pod) -> Extender | None:
        """The extender that binds the pod.  [L-099]"""
        return next((e for e in self.plan.extenders if e.bind_verb and extenders.is_interested(e, pod)), None)

    def has_binder(self, pod: Pod) -> bool:
        """[L-099]"""
        return self.binder(pod) is not None

    def bind(self, pod: Pod, node: str, api: Api) -> str | None:
        """Ask the binder; the text of an error, or None.  [L-204]"""
        extender = self.binder(pod)
        assert extender is not None
        return extenders.bind(extender, pod, node, api)

    # --- preemption --------------------------------------------------------------------------------

    def preempt(self, pod: Pod, fit_error: FitError, api: Api) -> Preempted:
        """Raises Crash.  [E-001]"""
        with np.errstate(all="ignore"):
            found = self.prepared(pod).preemption.preempt(pod, fit_error, api)
        self.notes += found.notes
        return found
