"""The arguments that a policy can give to a predicate or a priority.  [L-243]"""

from attrs import fields, frozen


@frozen
class ServiceAffinity:
    labels: tuple[str, ...] = ()


@frozen
class LabelsPresence:
    labels: tuple[str, ...] = ()
    presence: bool = False


@frozen
class PredicateArgument:
    """One member is set in a valid argument.  [P-008]"""

    service_affinity: ServiceAffinity | None = None
    labels_presence: LabelsPresence | None = None

    @property
    def members(self) -> int:
        """How many members are set."""
        return _members(self)


@frozen
class ServiceAntiAffinity:
    label: str = ""


@frozen
class LabelPreference:
    label: str = ""
    presence: bool = False


@frozen
class UtilizationShapePoint:
    """`utilization` in percent, `score` 0..10."""

    utilization: int = 0
    score: int = 0


@frozen
class RequestedToCapacityRatioArguments:
    """A policy file says `shape`; `utilizationShape` is the name of the same list inside the scheduler."""

    shape: tuple[UtilizationShapePoint, ...] = ()
    utilization_shape: tuple[UtilizationShapePoint, ...] = ()

    @property
    def points(self) -> tuple[UtilizationShapePoint, ...]:
        return self.shape or self.utilization_shape


@frozen
class PriorityArgument:
    """One member is set in a valid argument.  [S-004]"""

    service_anti_affinity: ServiceAntiAffinity | None = None
    label_preference: LabelPreference | None = None
    requested_to_capacity_ratio_arguments: RequestedToCapacityRatioArguments | None = None

    @property
    def members(self) -> int:
        """How many members are set."""
        return _members(self)


def _members(argument: PredicateArgument | PriorityArgument) -> int:
    return sum(getattr(argument, member.name) is not None for member in fields(type(argument)))
