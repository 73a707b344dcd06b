"""Which pods a disruption budget protects.  [E-030]"""

from collections.abc import Iterable, Sequence

from model.api.objects import Pod, PodDisruptionBudget
from model.api.selectors import Selector, SelectorError, from_label_selector
from model.quirks import Quirks, quirk
from model.rules import rule

quirk(
    "E-030",
    "A budget's allowance is not used up by the victims, two of whom may go for an allowance of one; "
    "and it protects pods whose eviction is under way already",
)


@rule("E-030", "A pod with labels violates a budget of its namespace that selects it and allows no disruption")
def split_by_violation(
    pods: Iterable[Pod], budgets: Iterable[PodDisruptionBudget], quirks: Quirks
) -> tuple[Sequence[Pod], Sequence[Pod]]:
    """The violating pods and the others, each in the order given."""
    selecting = [(budget, selector) for budget in budgets if (selector := effective_selector(budget))]
    allowance = [budget.status.disruptions_allowed for budget, _ in selecting]
    violating: list[Pod] = []
    others: list[Pod] = []
    for pod in pods:
        protecting = [i for i, (budget, selector) in enumerate(selecting) if protects(budget, selector, pod, quirks)]
        violates = any(allowance[i] <= 0 for i in protecting)
        (violating if violates else others).append(pod)
        if "E-030" not in quirks:
            for i in protecting:
                allowance[i] -= 1
    return violating, others


def effective_selector(budget: PodDisruptionBudget) -> Selector | None:
    """None for a selector that selects nothing here: missing, empty, or impossible to build."""
    try:
        selector = from_label_selector(budget.spec.selector)
    except SelectorError:
        return None
    return None if selector.nothing or selector.is_empty else selector


def protects(budget: PodDisruptionBudget, selector: Selector, pod: Pod, quirks: Quirks) -> bool:
    if "E-030" not in quirks and pod.name in budget.status.disrupted_pods:
        return False
    return bool(pod.labels) and budget.namespace == pod.namespace and selector.matches(pod.labels)
