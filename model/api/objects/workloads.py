"""What pods belong to: services, controllers, budgets, priority classes, groups."""

from collections.abc import Mapping
from typing import Any

from attrs import Factory, field, frozen

from model.api.objects.affinity import LabelSelector
from model.api.objects.meta import Int32, KubernetesObject


@frozen
class MapSelectorSpec:
    """A spec that selects pods by a plain map; None and the empty map differ.  [O-068]"""

    selector: Mapping[str, str] | None = None


@frozen
class LabelSelectorSpec:
    """A spec that selects pods by a LabelSelector; None and the empty selector differ.  [O-067]"""

    selector: LabelSelector | None = None


@frozen
class Service(KubernetesObject):
    kind = "Service"

    spec: MapSelectorSpec = field(default=MapSelectorSpec(), eq=False)


@frozen
class ReplicationController(KubernetesObject):
    kind = "ReplicationController"

    spec: MapSelectorSpec = field(default=MapSelectorSpec(), eq=False)


@frozen
class ReplicaSet(KubernetesObject):
    kind = "ReplicaSet"
    api_version = "apps/v1"

    spec: LabelSelectorSpec = field(default=LabelSelectorSpec(), eq=False)


@frozen
class StatefulSet(KubernetesObject):
    kind = "StatefulSet"
    api_version = "apps/v1"

    spec: LabelSelectorSpec = field(default=LabelSelectorSpec(), eq=False)


@frozen
class BudgetStatus:
    disruptions_allowed: Int32 = 0
    disrupted_pods: Mapping[str, Any] = Factory(dict)


@frozen
class PodDisruptionBudget(KubernetesObject):
    kind = "PodDisruptionBudget"
    api_version = "policy/v1beta1"

    spec: LabelSelectorSpec = field(default=LabelSelectorSpec(), eq=False)
    status: BudgetStatus = field(default=BudgetStatus(), eq=False)


@frozen
class PriorityClass(KubernetesObject):
    """Resolved at admission; the scheduler itself reads `spec.priority`.  [O-020]"""

    kind = "PriorityClass"
    api_version = "scheduling.k8s.io/v1"
    namespaced = False

    value: Int32 = field(default=0, eq=False)
    global_default: bool = field(default=False, eq=False)
    preemption_policy: str | None = field(default=None, eq=False)


@frozen
class PodGroupSpec:
    min_member: Int32 = 0


@frozen
class PodGroup(KubernetesObject):
    """Pods that are of use only together, as kube-batch and Volcano schedule them; v1.15 knows nothing of it."""

    kind = "PodGroup"
    api_version = "scheduling.volcano.sh/v1beta1"

    spec: PodGroupSpec = field(default=PodGroupSpec(), eq=False)
