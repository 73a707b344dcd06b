"""Faults of preemption: whether it is tried, the victims, the node, what extenders make of it."""

from oracle.mutants import Mutant

PREEMPTION = (
    Mutant(
        "B25",
        "Mended: a pod that waits for its victims has its nomination cleared",
        "impl.preemption:Preemption.preempt",
        "return Preempted()",
        "return Preempted(to_clear=(pod,))",
        ("E-003",),
    ),
    Mutant(
        "B26",
        "Mended: a pod nominated to a node where eviction no longer helps may evict elsewhere",
        "impl.preemption:Preemption.preempt",
        "if not self.is_eligible(pod):",
        "if not self.is_eligible(pod) and not fit_error.unresolvable_rows(len(self._table.with_affinity))["
        "self._table.row_of.get(pod.status.nominated_node_name, 0)]:",
        ("E-003",),
    ),
    Mutant(
        "B31-first",
        "The first budget that covers a pod decides for all of them",
        "impl.victims:violates",
        "any(\n        budget.namespace == pod.namespace and budget.status.disruptions_allowed <= 0 "
        "and _covers(budget, pod)\n"
        "        for budget in budgets\n    )",
        "next((budget.status.disruptions_allowed <= 0 for budget in budgets if budget.namespace == pod.namespace "
        "and _covers(budget, pod)), False)",
        ("E-030",),
    ),
    Mutant(
        "B31-disrupted",
        "Mended: a pod that its budget lists as disrupted already violates nothing",
        "impl.victims:violates",
        "budget.status.disruptions_allowed <= 0 and",
        'budget.status.disruptions_allowed <= 0 and pod.name not in ((budget.document.get("status") or {}).get('
        '"disruptedPods") or {}) and',
        ("E-030",),
    ),
    Mutant(
        "B32-order",
        "Victims that violate no budget come first",
        "impl.victims:select_victims",
        "(*violating_victims, *other_victims)",
        "(*other_victims, *violating_victims)",
        ("E-025",),
    ),
    Mutant(
        "B32-highest",
        "Mended: a node is judged by the victim that really has the highest priority",
        "impl.victims:Victims.first_priority",
        "return self.pods[0].priority",
        "return max(pod.priority for pod in self.pods)",
        ("E-035",),
    ),
    Mutant(
        "B34-latest",
        "Of the most important victims the latest start decides",
        "impl.victims:Victims.earliest_start",
        "return min(",
        "return max(",
        ("E-037",),
    ),
    Mutant(
        "B34-lower",
        "The start of less important victims decides as well",
        "impl.victims:Victims.earliest_start",
        " if pod.priority == highest",
        "",
        ("E-037",),
    ),
    Mutant(
        "B35",
        "Negative priorities are added up as they are, so that more victims look cheaper",
        "impl.victims:Victims.sum_of_priorities",
        "pod.priority + OFFSET",
        "pod.priority",
        ("E-036",),
    ),
    Mutant(
        "B37-equal",
        "A terminating pod of equal priority keeps the preemptor waiting",
        "impl.preemption:Preemption.is_eligible",
        "p.priority < pod.priority",
        "p.priority <= pod.priority",
        ("E-003",),
    ),
    Mutant(
        "B37-living",
        "Any pod of lower priority on its nominated node keeps the preemptor waiting",
        "impl.preemption:Preemption.is_eligible",
        "p.is_terminating and ",
        "",
        ("E-003",),
    ),
    Mutant(
        "B40",
        "Mended: an extender's answer keeps the number of budgets that are violated",
        "impl.extenders:candidates_left",
        "_converted(extender, answer, pods_on)",
        "{node: (pods, candidates[node][1] if node in candidates else 0) "
        "for node, (pods, _) in _converted(extender, answer, pods_on).items()}",
        ("E-052",),
    ),
    Mutant(
        "B41",
        "An ignorable extender that fails leaves no candidate",
        "impl.extenders:candidates_left",
        "if not extender.ignorable:\n                raise",
        "if not extender.ignorable:\n                raise\n            candidates = {}",
        ("L-205",),
    ),
    Mutant(
        "B43",
        "Mended: a node that an extender names and nobody knows is an error, and does not end the process",
        "impl.extenders:_pod",
        "raise Crash(NIL_DEREFERENCE)",
        'raise ExtenderError("node not found")',
        ("E-052",),
    ),
    Mutant(
        "B44",
        "A candidate without victims ends the process",
        "impl.victim_columns:VictimColumns.put",
        "if victims and victims.pods:",
        "if victims:",
        ("L-123",),
    ),
    Mutant(
        "B47-skip",
        "Only every other pod is considered as a victim",
        "impl.victims:select_victims",
        "if pod.priority < priority]",
        "if pod.priority < priority][::2]",
        ("E-021",),
    ),
)
