"""The volumes attached to a node, by type and driver, with those that a pod would add and the limit.  [P-066..P-078]"""

from collections.abc import Iterator

from attrs import frozen

from model.attempt import Attempt
from model.fit import PredicateError
from model.node_info import NodeInfo, volume_limits
from model.predicates.csi_volumes import handles, limit_key
from model.predicates.volume_counts import MAX_AZURE_DISK, MAX_CINDER, MAX_EBS, MAX_GCE_PD
from oracle.report.words import some


@frozen
class Attached:
    """`kind`: a type of volumes or the name of a driver; `there`: attached volumes, `new`: those that the pod adds.

    `refuses`: whether the limit keeps the pod away.
    """

    kind: str
    there: tuple[str, ...]
    new: tuple[str, ...]
    limit: int
    refuses: bool

    @property
    def excess(self) -> str:
        """As in `3 attached (a, b and c) + 1 new (d) > limit 3 of gce-pd`."""
        return f"{self._sum} > limit {self.limit} of {self.kind}"

    @property
    def state(self) -> str:
        """As in `1 attached (a) + 0 new, limit 3`."""
        return f"{self._sum}, limit {self.limit}"

    @property
    def brief(self) -> str:
        """As in `1 attached + 0 new, limit 3`."""
        return f"{len(self.there)} attached + {len(self.new)} new, limit {self.limit}"

    @property
    def _sum(self) -> str:
        return f"{_counted(self.there, 'attached')} + {_counted(self.new, 'new')}"


def attached(attempt: Attempt, info: NodeInfo) -> Iterator[Attached]:
    """Of types and drivers of which the node tells a limit, and of types that the pod mounts."""
    try:
        yield from _of_types(attempt, info)
        yield from _of_drivers(attempt, info)
    except PredicateError:
        return


def _of_types(attempt: Attempt, info: NodeInfo) -> Iterator[Attached]:
    told = volume_limits(info)
    for predicate in (MAX_EBS, MAX_GCE_PD, MAX_AZURE_DISK, MAX_CINDER):
        wanted = {name for _, name in predicate.ids(attempt, attempt.pod)}
        there = {name for _, name in predicate.attached(attempt, info)}
        limit = predicate.limit(attempt, info)
        if wanted or f"attachable-volumes-{predicate.limit_name}" in told:
            refuses = bool(wanted) and len(there | wanted) > limit
            yield Attached(predicate.limit_name, tuple(sorted(there)), tuple(sorted(wanted - there)), limit, refuses)


def _of_drivers(attempt: Attempt, info: NodeInfo) -> Iterator[Attached]:
    if not attempt.semantics.gates.get("AttachVolumeLimit", True):
        return
    held = {handle: key for pod in info.pods for handle, key in handles(attempt, pod)}
    added = {handle: key for handle, key in handles(attempt, attempt.pod) if handle not in held}
    for key, limit in volume_limits(info).items():
        if key.startswith(limit_key("")):
            there, new = (tuple(sorted(h[-2] for h, of in found.items() if of == key)) for found in (held, added))
            refuses = bool(new) and len(there) + len(new) > limit
            yield Attached(key.removeprefix(limit_key("")), there, new, limit, refuses)


def _counted(names: tuple[str, ...], what: str) -> str:
    return f"{len(names)} {what} ({some(names)})" if names else f"0 {what}"
