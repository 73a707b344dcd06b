"""How many disks of a kind a node can attach, for the kinds that Kubernetes knows itself.  [P-066..P-072]"""

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from model.api.objects import Pod, Volume, VolumeSpec
from oracle.smt.changes import RaiseVolumeLimit
from oracle.smt.constraint import Constraint
from oracle.smt.facts import Facts
from oracle.smt.formula import Term, at_most, no, some
from oracle.smt.question import Question

Identity = str | tuple[str, str, str]
"""A disk's own name, or a placeholder for a claim whose volume is not known."""

NAMELESS = "a volume has a claim without a name"


@frozen
class DiskKind:
    """`source`: the field of a volume that holds the disk, `name`: the disk's field that names it.  [P-066, P-070]"""

    source: str
    name: str
    resource: str
    default: int

    def identity(self, volume: Volume | VolumeSpec) -> str | None:
        disk = getattr(volume, self.source)
        return None if disk is None else getattr(disk, self.name)


KINDS: Mapping[str, DiskKind] = {
    "MaxEBSVolumeCount": DiskKind("aws_elastic_block_store", "volume_id", "attachable-volumes-aws-ebs", 39),
    "MaxGCEPDVolumeCount": DiskKind("gce_persistent_disk", "pd_name", "attachable-volumes-gce-pd", 16),
    "MaxAzureDiskVolumeCount": DiskKind("azure_disk", "disk_name", "attachable-volumes-azure-disk", 16),
    "MaxCinderVolumeCount": DiskKind("cinder", "volume_id", "attachable-volumes-cinder", 256),
}

_SMALL_INSTANCES = re.compile(r"^[cmr]5.*|t3|z1d")
_SMALL_EBS = 25


def max_volume_count(question: Question, predicate: str) -> Iterator[Constraint]:
    """The disks of the pod and those that are there are, together, not more than the limit.  [P-068, P-069, P-072]"""
    kind, facts = KINDS[predicate], question.facts
    wanted = _identities(facts, question.pod, kind)
    if None in wanted:
        yield Constraint("P-067", NAMELESS, False, error=True)
    if not wanted:
        return
    there: dict[Identity, list[Term]] = {}
    for pod, present in question.residents:
        for identity in _identities(facts, pod, kind):
            if identity is None:
                yield Constraint("P-067", f"{NAMELESS} ({pod.key})", no(present), error=True)
            elif identity not in wanted:
                there.setdefault(identity, []).append(present)
    limit = _limit(question, kind)
    yield Constraint(
        "P-069",
        f"disks to be attached: {len(wanted) + len(there)}, limit: {limit} ({kind.resource})",
        at_most([(1, some(presents)) for presents in there.values()], limit - len(wanted)),
        changes=(RaiseVolumeLimit(question.node.name, kind.resource, len(wanted) + len(there)),),
    )


def _identities(facts: Facts, pod: Pod, kind: DiskKind) -> dict[Identity | None, None]:
    """In order, each once; None for a claim without a name.  [P-067]"""
    found: dict[Identity | None, None] = {}
    for volume in pod.spec.volumes:
        own = kind.identity(volume)
        if own is not None:
            found[own] = None
        elif volume.persistent_volume_claim is not None:
            name = volume.persistent_volume_claim.claim_name
            claim = facts.claims.get(f"{pod.namespace}/{name}")
            bound = facts.volumes.get(claim.spec.volume_name) if claim else None
            if not name:
                found[None] = None
            elif bound is None:
                found["pvc", pod.namespace, name] = None
            elif (identity := kind.identity(bound.spec)) is not None:
                found[identity] = None
    return found


def _limit(question: Question, kind: DiskKind) -> int:
    """[P-070, P-071]"""
    node = question.node
    if question.settings.attach_limits and kind.resource in node.allocatable.scalars:
        return node.allocatable.scalars[kind.resource]
    if question.settings.max_pd_volumes is not None:
        return question.settings.max_pd_volumes
    instance = node.labels.get("beta.kubernetes.io/instance-type", "")
    if kind.source == "aws_elastic_block_store" and _SMALL_INSTANCES.search(instance):
        return _SMALL_EBS
    return kind.default
