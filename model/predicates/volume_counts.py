"""MaxEBSVolumeCount and its like: a node attaches only so many volumes of one type."""

import re
from collections.abc import Iterator

from attrs import frozen

from model.api.integers import parse_integer
from model.api.objects import Pod, Volume, VolumeSpec
from model.attempt import Attempt
from model.fit import FITS, Fit
from model.node_info import NodeInfo
from model.predicates import reasons
from model.predicates.claims import look_up
from model.quirks import quirk
from model.rules import clause, declare, reached, rule

quirk("P-067", "A claim without a known volume counts as one volume of every type")
quirk("P-069", "A node over its limit refuses even a pod that attaches nothing new")
quirk("P-071", "An instance type with t3 or z1d anywhere in it has the small EBS limit")

Id = tuple[str, str]
"""A volume's identity, marked as real or as a placeholder."""


@frozen
class MaxVolumeCount:
    """The predicate for the volumes whose source is `source` and whose identity is its `identity`.  [P-066]

    `default`: the limit of a node that reports none.
    """

    source: str
    identity: str
    limit_name: str
    default: int

    @clause("P-068", "A pod that mounts no volume of the type fits")
    @clause("P-069", "The node's volumes and the pod's new ones do not exceed the limit")
    def __call__(self, attempt: Attempt, info: NodeInfo, /) -> Fit:
        """Raises PredicateError for a claim reference without a name, also on pods of the node."""
        wanted = set(self.ids(attempt, attempt.pod)) if attempt.pod.spec.volumes else None
        if not wanted:
            reached("P-068")
            return FITS
        attached = self.attached(attempt, info)
        reached("P-069")
        if wanted <= attached and not attempt.semantics.has("P-069"):
            return FITS
        if len(attached | wanted) > self.limit(attempt, info):
            return (reasons.MAX_VOLUME_COUNT_EXCEEDED,)
        return FITS

    @rule("P-072", "Pods of any phase on the node count; a volume used by several counts once")
    def attached(self, attempt: Attempt, info: NodeInfo) -> set[Id]:
        return {id_ for pod in info.pods for id_ in self.ids(attempt, pod)}

    @clause("P-067", "An inline volume or the claimed volume if of the type; a claim of unknown type counts as any")
    def ids(self, attempt: Attempt, pod: Pod) -> Iterator[Id]:
        """The pod's volumes of this type.  Raises PredicateError."""
        for volume in pod.spec.volumes:
            if (inline := self._id(volume)) is not None:
                yield "volume", inline
            elif volume.persistent_volume_claim:
                found = look_up(volume.persistent_volume_claim.claim_name, pod.namespace, attempt.world)
                if found.volume is None:
                    reached("P-067")
                    if attempt.semantics.has("P-067"):
                        yield "claim", found.key
                elif (claimed := self._id(found.volume.spec)) is not None:
                    yield "volume", claimed

    def _id(self, holder: Volume | VolumeSpec) -> str | None:
        source = getattr(holder, self.source)
        return None if source is None else getattr(source, self.identity)

    @clause("P-070", "The limit is what the node reports as allocatable, even 0")
    @clause("P-071", "A node that reports none has the limit of the environment, or the default of the type")
    def limit(self, attempt: Attempt, info: NodeInfo) -> int:
        reported = info.allocatable.scalars.get(f"attachable-volumes-{self.limit_name}")
        if reported is not None and attempt.semantics.gates.get("AttachVolumeLimit", True):
            reached("P-070")
            return reported
        reached("P-071")
        configured = parse_integer(attempt.semantics.max_pd_volumes) or 0
        if configured > 0:
            return configured
        return _SMALL_EBS_LIMIT if self is MAX_EBS and _is_small(attempt, info) else self.default


_SMALL_EBS_LIMIT = 25
_SMALL = re.compile(r"^[cmr]5.*|t3|z1d")
_SMALL_AS_MEANT = re.compile(r"^([cmr]5|t3|z1d)")


def _is_small(attempt: Attempt, info: NodeInfo) -> bool:
    instance_type = info.node.labels.get("beta.kubernetes.io/instance-type", "") if info.node else ""
    pattern = _SMALL if attempt.semantics.has("P-071") else _SMALL_AS_MEANT
    return pattern.search(instance_type) is not None


declare("P-066", "A volume is known by the identity its type has, inline or in a persistent volume", __name__)
MAX_EBS = MaxVolumeCount("aws_elastic_block_store", "volume_id", "aws-ebs", default=39)
MAX_GCE_PD = MaxVolumeCount("gce_persistent_disk", "pd_name", "gce-pd", default=16)
MAX_AZURE_DISK = MaxVolumeCount("azure_disk", "disk_name", "azure-disk", default=16)
MAX_CINDER = MaxVolumeCount("cinder", "volume_id", "cinder", default=256)

declare("P-073", "Too many volumes of any type give one and the same reason, which evictions may mend", __name__)
