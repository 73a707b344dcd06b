"""How many volumes of a CSI driver a node can attach.  [P-075..P-078]"""

from collections.abc import Iterator
from hashlib import sha1

from model.api.objects import Pod
from oracle.smt.attach_limits import NAMELESS
from oracle.smt.changes import RaiseVolumeLimit
from oracle.smt.constraint import Constraint
from oracle.smt.facts import Facts
from oracle.smt.formula import Term, at_most, every, no, some
from oracle.smt.question import Question

Handle = str | tuple[str, str, str]
ATTACHABLE = "attachable-volumes-"


def max_csi_volume_count(question: Question) -> Iterator[Constraint]:
    """Per driver: if the pod brings a new volume, all of them are within the limit; more pods can help.  [P-078]"""
    limits = {name: n for name, n in question.node.allocatable.scalars.items() if name.startswith(ATTACHABLE)}
    if not limits or not question.settings.attach_limits:
        return
    wanted, nameless = _handles(question.facts, question.pod)
    if nameless:
        yield Constraint("P-076", NAMELESS, False, error=True)
    if not wanted:
        return
    holders: dict[Handle, list[tuple[str, Term]]] = {}
    for pod, present in question.residents:
        handles, nameless = _handles(question.facts, pod)
        if nameless:
            yield Constraint("P-076", f"{NAMELESS} ({pod.key})", no(present), error=True)
        for handle, key in handles.items():
            holders.setdefault(handle, []).append((key, present))
    for key in dict.fromkeys(wanted.values()):
        if key in limits:
            yield _within(question, key, limits[key], wanted, holders)


def _within(
    question: Question,
    key: str,
    limit: int,
    wanted: dict[Handle, str],
    holders: dict[Handle, list[tuple[str, Term]]],
) -> Constraint:
    fresh = [no(some(p for _, p in holders.get(handle, []))) for handle, k in wanted.items() if k == key]
    attached = [_attached_under(key, claims) for claims in holders.values()]
    counted = [(1, term) for term in (*fresh, *attached) if term is not False]
    return Constraint(
        "P-078",
        f"volumes to be attached: {len(counted)}, limit: {limit} ({key})",
        some((every(no(term) for term in fresh), at_most(counted, limit))),
        changes=(RaiseVolumeLimit(question.node.name, key, len(counted)),),
    )


def _attached_under(key: str, claims: list[tuple[str, Term]]) -> Term:
    """A handle counts once, under the key of the last pod that has it: handles are kept without driver.  [P-076]"""
    return some(
        every((present, *(no(later) for other, later in claims[index + 1 :] if other != key)))
        for index, (own, present) in enumerate(claims)
        if own == key
    )


def _handles(facts: Facts, pod: Pod) -> tuple[dict[Handle, str], bool]:
    """Handle -> limit key, and whether some claim has no name.  [P-076]"""
    found: dict[Handle, str] = {}
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim is None:
            continue
        name = volume.persistent_volume_claim.claim_name
        if not name:
            return found, True
        claim = facts.claims.get(f"{pod.namespace}/{name}")
        if claim is None:
            continue
        bound = facts.volumes.get(claim.spec.volume_name)
        if bound is not None:
            driver = bound.spec.csi.driver if bound.spec.csi else ""
            handle: Handle = bound.spec.csi.volume_handle if bound.spec.csi else ""
        else:
            each = facts.classes.get(claim.spec.storage_class_name or "")
            driver = each.provisioner if each and claim.spec.storage_class_name is not None else ""
            handle = ("pvc", pod.namespace, name)
        if driver and handle:
            found[handle] = _limit_key(driver)
    return found, False


def _limit_key(driver: str) -> str:
    """Long names are cut and given a hash.  [P-077]"""
    raw = driver.encode()
    if len(raw) < 40:
        return f"{ATTACHABLE}csi-{driver}"
    return f"{ATTACHABLE}csi-{raw[:23].decode(errors='surrogateescape')}{sha1(raw).hexdigest()[:16]}"
