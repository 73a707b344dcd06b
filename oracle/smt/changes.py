"""Changes that would lift a constraint.  What they do to a cluster, `oracle.explain` knows; here they are named.

Amounts are milli-CPU, bytes or units.
"""

from attrs import frozen

from model.api.amounts import amount
from model.api.objects import Taint


@frozen
class FreeResource:
    node: str
    resource: str
    amount: int

    def __str__(self) -> str:
        return f"free {amount(self.resource, self.amount)} {self.resource} on node {self.node}"


@frozen
class LowerRequest:
    """`to`: what the whole pod may ask for; 0 or less means there is no room at all."""

    resource: str
    to: int

    def __str__(self) -> str:
        if self.to <= 0:
            return f"drop the {self.resource} request"
        return f"lower the {self.resource} request to {amount(self.resource, self.to)}"


@frozen
class RaisePodLimit:
    node: str
    to: int

    def __str__(self) -> str:
        return f"let node {self.node} run {self.to} pod{'' if self.to == 1 else 's'}"


@frozen
class RemovePods:
    """`pods`: namespace/name."""

    pods: tuple[str, ...]

    def __str__(self) -> str:
        return f"remove {'pod' if len(self.pods) == 1 else 'the pods'} {', '.join(self.pods)}"


@frozen
class Uncordon:
    node: str

    def __str__(self) -> str:
        return f"uncordon node {self.node}"


@frozen
class RemoveTaint:
    node: str
    taint: Taint

    def __str__(self) -> str:
        """What Kubernetes itself has put there comes back as long as there is a reason."""
        if self.taint.key.startswith("node.kubernetes.io/"):
            return f"remove the cause of taint {taint_text(self.taint)} on node {self.node}"
        return f"remove taint {taint_text(self.taint)} from node {self.node}"


@frozen
class Tolerate:
    taint: Taint

    def __str__(self) -> str:
        return f"let the pod tolerate {taint_text(self.taint)}"


@frozen
class LabelNode:
    node: str
    key: str
    value: str

    def __str__(self) -> str:
        return f"label node {self.node} {self.key}={self.value}"


@frozen
class DropNodeSelector:
    key: str

    def __str__(self) -> str:
        return f"drop {self.key} from the pod's nodeSelector"


@frozen
class DropNodeAffinity:
    def __str__(self) -> str:
        return "drop the pod's required node affinity"


@frozen
class DropHostPort:
    port: int

    def __str__(self) -> str:
        return f"drop host port {self.port} from the pod"


@frozen
class DropVolume:
    name: str

    def __str__(self) -> str:
        return f"drop volume {self.name} from the pod"


@frozen
class DropPodAffinity:
    def __str__(self) -> str:
        return "drop the pod's required pod affinity"


@frozen
class DropPodAntiAffinity:
    """`index`: which of the pod's required terms."""

    index: int
    topology_key: str

    def __str__(self) -> str:
        return f"drop the pod's required anti-affinity over {self.topology_key} (term {self.index + 1})"


@frozen
class RaiseVolumeLimit:
    """`resource`: the allocatable of the node that says how many volumes of a kind it can attach."""

    node: str
    resource: str
    to: int

    def __str__(self) -> str:
        return f"let node {self.node} attach {self.to} volume{'' if self.to == 1 else 's'} ({self.resource})"


@frozen
class ProvideVolume:
    """`claim`: namespace/name."""

    claim: str
    node: str

    def __str__(self) -> str:
        return f"provide a volume for claim {self.claim} that node {self.node} can reach"


@frozen
class BindClaim:
    """`claim`: namespace/name."""

    claim: str

    def __str__(self) -> str:
        return f"bind claim {self.claim} to a volume"


@frozen
class CreateClaim:
    """`claim`: namespace/name."""

    claim: str

    def __str__(self) -> str:
        return f"create claim {self.claim} and bind it to a volume"


@frozen
class CreateClass:
    name: str

    def __str__(self) -> str:
        return f"create storage class {self.name}, which binds claims once a pod comes"


Change = (
    FreeResource
    | LowerRequest
    | RaisePodLimit
    | RemovePods
    | Uncordon
    | RemoveTaint
    | Tolerate
    | LabelNode
    | DropNodeSelector
    | DropNodeAffinity
    | DropHostPort
    | DropVolume
    | DropPodAffinity
    | DropPodAntiAffinity
    | RaiseVolumeLimit
    | ProvideVolume
    | BindClaim
    | CreateClaim
    | CreateClass
)


def taint_text(taint: Taint) -> str:
    """As kubectl writes taints."""
    return f"{taint.key}={taint.value}:{taint.effect}" if taint.value else f"{taint.key}:{taint.effect}"
