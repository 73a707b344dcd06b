"""Schedule: one attempt to find a node for a pod.  [A-001..A-005, A-036..A-050, L-060..L-073]"""

from collections.abc import Sequence

import numpy as np
from attrs import define

from impl import extenders
from impl.configured import Plan, plan
from impl.extenders import ExtenderError
from impl.filtering import Filtering, Tried
from impl.fit_error import FitError
from impl.lanes import Ints
from impl.node_order import MISSING
from impl.outcomes import Outcomes
from impl.preemption import Preempted
from impl.prepared import Preparations, Prepared
from impl.priorities.scorer import PriorityError
from impl.scheduling_error import NO_NODES, SchedulingError
from impl.surroundings import Surroundings
from impl.table import Table
from model.api.configuration import Configuration, Extender
from model.api.integers import int64
from model.api.objects import Node, Pod
from model.api.protocol import Api


@define
class Scheduled:
    """`fit_error` is there when that is the error."""

    host: str | None = None
    error: str | None = None
    fit_error: FitError | None = None


class Algorithm:
    """Lives as long as its scheduler.  `notes`: marks of the last attempts, for whoever observes.  [A-001]

    Raises ConfigurationError or Crash for a configuration that cannot run.
    """

    def __init__(self, surroundings: Surroundings, configuration: Configuration) -> None:
        self.surroundings = surroundings
        self._recency = surroundings.cache.recency
        self.plan: Plan = plan(configuration)
        self.table = Table(surroundings.cache.kinds)
        self.outcomes = Outcomes()
        self.preparations = Preparations(self.plan, self.table, self.outcomes, surroundings)
        self.filtering = Filtering(self.plan, self.table, self.outcomes, surroundings)
        self.last_node_index = 0
        self.notes: list[str] = []

    def schedule(self, pod: Pod, api: Api) -> Scheduled:
        """Raises Crash."""
        try:
            return self._schedule(pod, api)
        except (SchedulingError, ExtenderError, PriorityError) as error:
            return Scheduled(error=str(error))

    def _schedule(self, pod: Pod, api: Api) -> Scheduled:
        self.refresh(pod)
        prepared = self.preparations.of(pod)
        tried = self.filtering.find(prepared.feasibility)
        if self.plan.extenders:
            return self._with_extenders(pod, prepared, tried, api)
        if not len(tried.feasible):
            return self.unfit(tried, {})
        if len(tried.feasible) == 1:
            return Scheduled(self.table.name_of[tried.feasible[0]])
        totals = prepared.scoring.totals(tried.span)
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
        if not self.table.name_of:
            regular = self.surroundings.cache.tree.regular()
            self.table.arrange(regular[0] if regular else ())
        self._recency.refresh(self.table)

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
            found = self.preparations.of(pod).preemption.preempt(pod, fit_error, api)
        self.notes += found.notes
        return found
