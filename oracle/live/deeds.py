"""What the scheduler asked of the server, as far as it shows a decision."""

from attrs import frozen

from model.api.objects import Pod, PodCondition
from oracle.environment.effects import scheduled_condition


@frozen(kw_only=True)
class Deed:
    """`at`: the revision of the cluster that the request met; `error`: why it was refused, None if it was not;
    `when`: milliseconds since the server started."""

    at: int
    pod: str
    error: str | None = None
    when: int = 0


@frozen(kw_only=True)
class Bound(Deed):
    """A binding; `before` is None where there was no such pod."""

    node: str
    before: Pod | None = None

    @property
    def bound_to(self) -> str:
        """Where the pod already was."""
        return self.before.spec.node_name if self.before else ""


@frozen(kw_only=True)
class StatusSet(Deed):
    """A status written; `before` and `after` are None where it was refused."""

    before: Pod | None = None
    after: Pod | None = None

    @property
    def refusal(self) -> PodCondition | None:
        """The condition that says that the pod cannot be scheduled, if this brought it or renewed it."""
        condition = self.after and scheduled_condition(self.after)
        if not condition or condition.status != "False" or condition.reason != "Unschedulable":
            return None
        old = scheduled_condition(self.before) if self.before else None
        return None if _said(old) == _said(condition) else condition

    @property
    def nominated(self) -> str:
        """The node that the pod is nominated to now, "" if none."""
        return self.after.status.nominated_node_name if self.after else ""

    @property
    def nomination(self) -> str:
        """The node that the pod got nominated to, perhaps once more; "" if none."""
        if not self.before or not self.after:
            return ""
        old, new = self.before.status.nominated_node_name, self.after.status.nominated_node_name
        return new if new != old or self.before.document == self.after.document else ""


@frozen(kw_only=True)
class Evicted(Deed):
    """A pod deleted; `victim` is None where there was none."""

    victim: Pod | None = None


@frozen(kw_only=True)
class LookedAt(Deed):
    """A single pod read, as some schedulers do after a failed attempt."""


@frozen(kw_only=True)
class VolumeWritten(Deed):
    """A claim, or a volume for a claim, written as one does who binds volumes before the pod; `pod` is not known.

    `claim`: its key.
    """

    pod: str = ""
    claim: str


def _said(condition: PodCondition | None) -> tuple[str, str, str] | None:
    return None if condition is None else (condition.status, condition.reason, condition.message)
