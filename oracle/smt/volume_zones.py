"""A bound volume of a zone is used in that zone.  [P-080..P-083]"""

from collections.abc import Iterator, Mapping

from model.api.objects import PersistentVolumeClaim, StorageClass
from oracle.smt.attach_limits import NAMELESS
from oracle.smt.changes import BindClaim, Change, CreateClaim, CreateClass
from oracle.smt.constraint import Constraint
from oracle.smt.question import Question

ZONE_KEYS = ("failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region")
CLASS = "volume.beta.kubernetes.io/storage-class"


def no_volume_zone_conflict(question: Question) -> Iterator[Constraint]:
    if not any(key in question.node.labels for key in ZONE_KEYS):
        return
    for volume in question.pod.spec.volumes:
        if volume.persistent_volume_claim is not None:
            yield from _claim(question, volume.persistent_volume_claim.claim_name)


def _claim(question: Question, name: str) -> Iterator[Constraint]:
    """[P-081, P-082]"""
    claim = question.facts.claims.get(f"{question.pod.namespace}/{name}")
    if not name:
        yield Constraint("P-081", NAMELESS, False, error=True)
    elif claim is None:
        change = CreateClaim(f"{question.pod.namespace}/{name}")
        yield Constraint("P-081", f"claim {name} does not exist", False, error=True, changes=(change,))
    elif claim.spec.volume_name:
        yield from _bound(question, claim)
    else:
        each = question.facts.classes.get(class_name(claim))
        if each is None or not class_name(claim):
            says = f"claim {name} is unbound and of no known class"
        elif each.volume_binding_mode is None:
            says = f"class {each.name} has no volumeBindingMode"
        elif each.volume_binding_mode != "WaitForFirstConsumer":
            says = f"claim {name} is unbound and must be bound at once"
        else:
            return
        yield Constraint("P-082", says, False, error=True, changes=binding(claim, each))


def _bound(question: Question, claim: PersistentVolumeClaim) -> Iterator[Constraint]:
    """A node without the label does not do for a volume that has it.  [P-083]"""
    volume = question.facts.volumes.get(claim.spec.volume_name)
    if volume is None:
        says = f"volume {claim.spec.volume_name} does not exist"
        yield Constraint("P-083", says, False, error=True, changes=(BindClaim(claim.key),))
        return
    for key in ZONE_KEYS:
        zones = _zones(volume.labels, key)
        if zones:
            here = question.node.labels.get(key, "")
            says = f"volume {volume.name} is for {key} {' or '.join(sorted(zones))}, the node is in {here or 'none'}"
            yield Constraint("P-083", says, here in zones, resolvable=False)


def _zones(labels: Mapping[str, str], key: str) -> frozenset[str]:
    """Several zones are joined by `__`; with an empty part the label says nothing.  [P-083]"""
    if key not in labels:
        return frozenset()
    parts = [part.strip() for part in labels[key].split("__")]
    return frozenset(parts) if all(parts) else frozenset()


def binding(claim: PersistentVolumeClaim, its_class: StorageClass | None) -> tuple[Change, ...]:
    """What would end a claim's waiting to be bound."""
    named = class_name(claim)
    return (BindClaim(claim.key), *((CreateClass(named),) if named and its_class is None else ()))


def class_name(claim: PersistentVolumeClaim) -> str:
    """[O-110]"""
    return claim.annotations.get(CLASS, claim.spec.storage_class_name or "")
