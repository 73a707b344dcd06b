"""Mutants made by rule that the search did not find: why nothing can tell them, or what would."""

from collections.abc import Mapping

EXPLAINED: Mapping[str, str] = {
    "impl.filtering:Filtering._codes: 0 → -1": "with any other count the codes are looked at, and all of them fit",
    "impl.filtering:Filtering._codes: wanted // 8 → wanted * 8": "how many rows are looked at in the first go",
    "impl.filtering:Filtering._codes: 1 → 2": (
        "how many rows are looked at in the first go; those after the first feasible one too many are never counted"
    ),
    "impl.filtering:Filtering._codes: 1 → 0, number 2": "how many rows are looked at in the first go",
    "impl.filtering:Filtering._codes: feasibility.failing < len(by_row) - wanted → "
    "feasibility.failing > len(by_row) - wanted": "whether a part of the rows is looked at first, or all at once",
    "impl.node_tree:NodeTree.take: order[start:] + order * (missing // len(order) + 1) if order else "
    '("",) * missing → order[start:] + order * (missing // len(order) + 1)': (
        "an empty tree has a position only after a cycle asked for its pass, and a cycle without nodes ends before that"
    ),
    "impl.outcomes:Outcomes._join: first.error is not None or second.error is not None → second.error is not None": (
        "a node is done with at the first error, so no error is ever joined with anything"
    ),
    "impl.predicates.check:Static.__init__: super().__init__(question) → pass": (
        "nobody reads the question, the table or the outcomes of a verdict kept as a column"
    ),
    "impl.predicates.pod_affinity:MatchInterPodAffinity.is_idle: self._index.anti and self.existing_anti() → "
    "self.existing_anti()": "of no terms, none match",
    "impl.priorities.pod_affinity:InterPodAffinity.scores: not self.subject.kind.has_affinity and not counted.all() → "
    "not self.subject.kind.has_affinity": "where all rows count, the rows that are looked through are none",
    "impl.priorities.spreading:_scores_of_pairs: pair > mask → pair >= mask": "a count of 0 adds nothing",
    "impl.recency:Recency.touch: 1 → 2": "generations are only compared",
    "impl.row_column:SharedColumns.__init__: 1 → 2": (
        "no version is negative but that of the start, when there is nothing to drop yet"
    ),
    "impl.row_column:SharedColumns.at: version != self._version or max(len(self._columns), len(self._counted), "
    "len(self._makers)) > MOST → version != self._version": "how many columns are kept; a new one has the same values",
    "impl.stores:Stores.__init__: 0 → -1": "the count is only compared with what it was",
    "impl.table:Table.__init__: 0 → -1, number 2": "the count is only compared with what it was",
    "impl.table:Table.__init__: 0 → 1, number 5": "without images every node has its 0 worked out instead of given",
    "impl.table:Table._new_row: row is None and self._free → self._free": "which row a name gets matters to speed only",
    "impl.table:Table.put: 1 → 2": "more rows count as changed than did; what they hold is computed again",
}
"""Survivors by their place, and why no search can tell them from the original."""

WANTING: Mapping[str, str] = {
    "impl.algorithm:Algorithm.select: 64 → 63": "2^63 decisions, or a case that begins after about as many",
    "impl.algorithm:Algorithm.preempt: self.notes += found.notes → pass": (
        "a look at the marks of arbitrary orders, which the search does not compare"
    ),
    "impl.chosen_priorities:_shape_problem: 100 → 101": "a shape with a point at a utilization of 101",
    "impl.node_order:NodeOrder.upcoming: self._membership != self._table.membership → "
    "self._membership == self._table.membership": (
        "a name that stays in the node tree without its node, and comes back: a node must be added twice, in two "
        "zones, which no API server tells"
    ),
    "impl.pair_index:PairIndex.place: not placed.living and not placed.terminating → not placed.terminating": (
        "one of two pods that are alike goes from its node, and then comes the first that looks for such pods"
    ),
    "impl.pair_index:PairIndex.place: terminating and tally.living → terminating": (
        "a pod that begins to terminate between two pods whose anti-affinity it matches"
    ),
    "impl.placement:placed: pod.document.get(\"spec\") or {} → pod.document.get('spec')": (
        "a pod that loses its whole spec while it fails"
    ),
    "impl.predicates.pod_affinity_slow:SlowInterPodAffinity._reason: selected or not self._selects_itself() → "
    "not self._selects_itself()": (
        "a pod whose anti-affinity has a broken selector, on a node that is gone, and a pod with an affinity to its "
        "like, which runs in another zone"
    ),
    "impl.predicates.pod_affinity_slow:SlowInterPodAffinity._reason: kind.affinity_terms and not matched and (selected "
    "or not self._selects_itself()) → kind.affinity_terms and (not matched)": (
        "a pod whose anti-affinity has a broken selector, on a node that is gone, and the first pod with an affinity "
        "to its like"
    ),
    "impl.predicates.service_affinity:CheckServiceAffinity.added: self in trial.notes and pod.full_name != "
    "self.question.pod.full_name and self._is_alike(pod) → pod.full_name != self.question.pod.full_name and "
    "self._is_alike(pod)": (
        "service affinity without inter-pod affinity, a placed pod with a broken selector, and victims of the same "
        "service as the preemptor"
    ),
    "impl.predicates.service_affinity:services_of: service.namespace == kind.namespace and service.spec.selector is "
    "not None and all(kind.labels.get(key) == value for key, value in service.spec.selector.items()) → "
    "service.spec.selector is not None and all((kind.labels.get(key) == value for key, value in "
    "service.spec.selector.items()))": "service affinity, and a service that selects the pod in another namespace only",
    "impl.predicates.volume_binding:check_volume_binding: CheckVolumeBinding(question) if question.kind.claims else "
    "None → CheckVolumeBinding(question)": (
        "an extender that answers with a node it was not asked about, for a pod that had claims, lost them and has "
        "them again; those of the search answer with nodes they were asked about"
    ),
    "impl.volumes:VolumeBinder._restore: self.claims.restore(claim.key) → pass": (
        "a claim that cannot be updated because it changed, and another node at the next attempt"
    ),
}
"""Survivors by their place, and an input that would give them away."""
