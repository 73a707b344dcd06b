"""Who may preempt, and where it might help.  [E-003..E-005, L-121]"""

from collections.abc import Iterable

from model.api.objects import Pod
from model.quirks import quirk
from model.rules import clause, reached, rule
from model.scheduling_error import FitError
from model.semantics import Semantics
from model.world import Snapshot

quirk("E-003", "A pod waits for victims even on a node that no longer takes it without them")


@rule("E-003", "A pod waits instead of preempting again while a victim is terminating on its nominated node")
def is_eligible(pod: Pod, failure: FitError, snapshot: Snapshot, semantics: Semantics) -> bool:
    if semantics.gates.get("NonPreemptingPriority", False) and pod.spec.preemption_policy == "Never":
        reached("preemption: policy Never")
        return False
    name = pod.status.nominated_node_name
    if not semantics.has("E-003") and not potential_nodes([name], failure):
        return True
    nominated = snapshot.get(name)
    return nominated is None or not any(held.is_terminating and held.priority < pod.priority for held in nominated.pods)


@rule("E-004", "Preemption might help on nodes refused for resolvable reasons only, and on nodes never evaluated")
@clause("E-005", "Fifteen reasons cannot be mended by removing pods; those of extenders can")
@rule("L-121", "Whether a reason is unresolvable is a matter of its identity, not of its text")
def potential_nodes(names: Iterable[str], failure: FitError) -> tuple[str, ...]:
    reached("E-005")
    return tuple(name for name in names if all(reason.resolvable for reason in failure.failed.get(name, ())))
