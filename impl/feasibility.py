"""Where one kind of pod fits: the configured predicates in order, kept by row where they are local.  [P-020..P-025]"""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import define

from impl.configured import Plan
from impl.lanes import Codes, Lane, Rows
from impl.outcomes import FITS
from impl.predicates.check import Check, Question
from impl.predicates.pod_affinity_slow import cannot_precompute
from impl.row_column import SharedColumns
from impl.trial import Trial
from model.api.objects import Pod

Combine = Callable[[Lane, Lane], Lane]


class Feasibility:
    """`head`: the leading local predicates, whose verdicts are kept; `tail`: the others.

    `failing`: how many of the `codes` given last are failures.
    """

    def __init__(self, question: Question, plan: Plan, shared: SharedColumns) -> None:
        self.question = question
        self.table = question.table
        self.outcomes = question.outcomes
        self.is_slow = cannot_precompute(question)
        if self.is_slow:  # what extenders manage is a part of the metadata, which then do not exist
            question.ignored_resources = frozenset()
        self._check_all = plan.check_all
        content = question.kind.local_content, self.is_slow
        checks = self._checks(plan, shared.makers(("predicates", content)))
        local = next((at for at, check in enumerate(checks) if not check.local), len(checks))
        self._head, self._tail = checks[:local], checks[local:]
        self._columnar = all(check.columnar for check in self._tail)
        self.failing = 0
        self._combine: Combine = self.outcomes.joined if plan.check_all else self.outcomes.first
        head = self._head[0].codes if len(self._head) == 1 else self._head_codes
        self._kept = shared.counted(("verdict", content), head)
        self._watchers = [check for check in checks if check.watching]

    def _checks(self, plan: Plan, known: dict[str, Check | None]) -> list[Check]:
        """`known`: the local ones of another kind with the same local content; new ones come to them."""
        checks = []
        for name, factory in plan.predicates.items():
            check = known[name] if name in known else factory(self.question)
            if check is None or check.local:
                known[name] = check
            if check is not None:
                checks.append(check)
        return checks

    @property
    def must_be_slow(self) -> bool:
        """Whether `is_slow` ought to be set now.  [P-038]"""
        return cannot_precompute(self.question)

    def prepare(self, pod: Pod) -> None:
        """Before each attempt: this pod asks, and the surroundings may have changed."""
        self.question.pod = pod
        for check in self._tail:
            check.prepare()

    def _head_codes(self, rows: Rows) -> Lane:
        codes: Lane = FITS if isinstance(rows, int) else np.zeros(len(self.table.name_of), np.int32)
        for at, check in enumerate(self._head):
            codes = self._combine(codes, check.codes(rows)) if at else check.codes(rows)
        return codes

    # --- many nodes --------------------------------------------------------------------------------

    def codes(self) -> Codes | None:
        """The verdict on every row, nominated pods aside; None if it must be asked node by node."""
        if not self._columnar:
            return None
        codes: Codes = self._kept.values()
        self.failing = self._kept.nonzero
        asked = [check for check in self._tail if not check.is_idle]
        if asked:
            for check in asked:
                codes = self._combine(codes, check.codes(self.table.rows))
            self.failing = int(np.count_nonzero(codes))
        return codes

    # --- one node ----------------------------------------------------------------------------------

    def code(self, row: int, nominated: Sequence[Pod]) -> int:
        """The verdict on one row; `nominated`: the pods nominated to it.  [P-020, P-021]"""
        qualified = self.qualified(nominated)
        if qualified:
            trial = Trial(self.table, row, self._watchers)
            for pod in qualified:
                trial.add(pod, self.table.kinds.of(pod))
            code = self._run(trial, self._head + self._tail, FITS)
            if code != FITS:
                return code
        head = int(self._kept.values()[row])
        if not self._tail or (head != FITS and (not self._check_all or self.outcomes[head].error is not None)):
            return head
        return self._run(Trial(self.table, row), self._tail, head)

    def qualified(self, nominated: Sequence[Pod]) -> list[Pod]:
        """The nominated pods that are reckoned with.  [P-021]"""
        pod = self.question.pod
        return [other for other in nominated if other.priority >= pod.priority and other.uid != pod.uid]

    def _run(self, trial: Trial, checks: Sequence[Check], code: int) -> int:
        for check in checks:
            verdict = check.at(trial)
            if verdict != FITS:
                if not self._check_all or self.outcomes[verdict].error is not None:
                    return verdict
                code = int(self.outcomes.joined(code, verdict))
        return code

    # --- preemption --------------------------------------------------------------------------------

    @property
    def is_local(self) -> bool:
        """Whether at present the verdict on a row depends on that row only."""
        return all(check.is_idle for check in self._tail)

    def hopeless(self, row: int) -> bool:
        """The node object alone rules the pod out, before anybody is asked who keeps what he answered."""
        return any(check.static and check.codes(row) != FITS for check in self._head)

    def simulation(self, row: int, nominated: Sequence[Pod]) -> "Simulation":
        """Of a node that is not hopeless.  [E-020]"""
        qualified = self.qualified(nominated)
        checks = [check for check in self._head if not check.static]
        checks += [check for check in self._tail if qualified or not check.is_idle]
        return Simulation(Trial(self.table, row, [check for check in checks if check.watching]), checks, qualified)


@define
class Simulation:
    """`nominated`: the pods that must fit too; alwaysCheckAllPredicates does not matter here."""

    trial: Trial
    checks: Sequence[Check]
    nominated: Sequence[Pod]

    @property
    def fits(self) -> bool:
        """With the nominated pods and without.  [E-020]"""
        if self.nominated:
            crowded = self.trial.copy()
            for pod in self.nominated:
                crowded.add(pod, self.trial.table.kinds.of(pod))
            if not self._passes(crowded):
                return False
        return self._passes(self.trial)

    def _passes(self, trial: Trial) -> bool:
        return all(check.at(trial) == FITS for check in self.checks)
