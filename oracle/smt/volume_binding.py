"""Claims find their volumes: bound ones are reachable, the others can be matched or provisioned.  [P-079, V-015..V-028]

Which volume goes to which claim is left to the solver, so it finds a placement wherever there is one;
v1.15 chooses greedily, smallest claim first, and may miss it.  [V-022]
"""

from collections.abc import Iterator

import z3

from model.api.objects import PersistentVolume, PersistentVolumeClaim
from model.api.quantity import Quantity, parse_quantity
from model.api.selectors import SelectorError, any_node_term_matches, from_label_selector, topology_matches
from oracle.smt.changes import BindClaim, CreateClaim, ProvideVolume
from oracle.smt.constraint import Constraint
from oracle.smt.formula import Term, at_most, implies, some
from oracle.smt.question import Question
from oracle.smt.volume_zones import CLASS, binding, class_name

BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
NO_PROVISIONER = ("", "kubernetes.io/no-provisioner")
NOTHING = parse_quantity("0")


def check_volume_binding(question: Question) -> Iterator[Constraint]:
    """[V-017, V-020]"""
    waiting: list[PersistentVolumeClaim] = []
    for volume in question.pod.spec.volumes:
        if volume.persistent_volume_claim is None:
            continue
        key = f"{question.pod.namespace}/{volume.persistent_volume_claim.claim_name}"
        claim = question.facts.claims.get(key)
        if claim is None:
            yield Constraint("V-017", f"claim {key} does not exist", False, error=True, changes=(CreateClaim(key),))
        elif claim.spec.volume_name and BIND_COMPLETED in claim.annotations:
            yield _reachable(question, claim)
        else:
            problem = _why_not_later(question, claim)
            if problem is None:
                waiting.append(claim)
            else:
                yield problem
    yield from _found_later(question, waiting)


def _reachable(question: Question, claim: PersistentVolumeClaim) -> Constraint:
    """[V-021]"""
    volume = question.facts.volumes.get(claim.spec.volume_name)
    if volume is None:
        says = f"volume {claim.spec.volume_name} does not exist"
        return Constraint("V-021", says, False, error=True, changes=(BindClaim(claim.key),))
    says = f"volume {volume.name} of claim {claim.key} cannot be reached from the node"
    return Constraint("V-021", says, _reaches(question, volume), resolvable=False)


def _why_not_later(question: Question, claim: PersistentVolumeClaim) -> Constraint | None:
    """None for a claim that is to be bound when its pod has a node.  [V-016, V-017, V-020.2]"""
    each = question.facts.classes.get(class_name(claim))
    if each is not None and class_name(claim) and each.volume_binding_mode is None:
        says = f"class {each.name} has no volumeBindingMode"
        return Constraint("V-016", says, False, error=True, changes=(BindClaim(claim.key),))
    waits = each is not None and class_name(claim) and each.volume_binding_mode == "WaitForFirstConsumer"
    if waits and not claim.spec.volume_name:
        return None
    says = f"claim {claim.key} must be bound before its pod is scheduled"
    return Constraint("V-020", says, False, error=True, changes=binding(claim, each))


def _found_later(question: Question, waiting: list[PersistentVolumeClaim]) -> Iterator[Constraint]:
    """Each claim gets a volume of its own, or is provisioned.  [V-020.4..V-020.6, V-022]"""
    taken: dict[str, list[Term]] = {}
    choices: list[dict[str, Term]] = []
    for index, claim in enumerate(waiting):
        selected = claim.annotations.get(SELECTED_NODE)
        chosen: dict[str, Term] = {}
        if selected is None:
            for volume in _candidates(question, claim):
                chosen[volume.name] = z3.Bool(f"{claim.key} #{index} gets {volume.name}")
                taken.setdefault(volume.name, []).append(chosen[volume.name])
        elif selected != question.node.name:
            says = f"claim {claim.key} is being provisioned for node {selected}"
            yield Constraint("V-020", says, False, resolvable=False)
        choices.append(chosen)
    for name, terms in taken.items():
        yield Constraint("V-022", f"volume {name} can serve one claim only", at_most([(1, t) for t in terms], 1))
    for index, claim in enumerate(waiting):
        chosen = choices[index]
        yield from _prebound_first(question, claim, chosen, taken)
        yield Constraint(
            "V-022",
            f"claim {claim.key} finds no volume for the node and cannot be provisioned there",
            some((*chosen.values(), _provisionable(question, claim))),
            resolvable=False,
            changes=(ProvideVolume(claim.key, question.node.name),),
        )


def _prebound_first(
    question: Question, claim: PersistentVolumeClaim, chosen: dict[str, Term], taken: dict[str, list[Term]]
) -> Iterator[Constraint]:
    """A volume promised to the claim is the one to take, unless another claim of that name took it.  [V-023, V-024]"""
    for name in chosen:
        if _promised(question.facts.volumes[name], claim):
            elsewhere = some(term for term in taken[name] if term is not chosen[name])
            for other, term in chosen.items():
                if not _promised(question.facts.volumes[other], claim):
                    says = f"claim {claim.key} has volume {name} promised to it"
                    yield Constraint("V-023", says, implies(term, elsewhere))


def _candidates(question: Question, claim: PersistentVolumeClaim) -> list[PersistentVolume]:
    """The volumes that the claim could get on the node.  [V-022, V-023]"""
    found: list[PersistentVolume] = []
    for volume in question.facts.volumes.values():
        if volume.spec.storage_class_name != (claim.spec.storage_class_name or ""):
            continue
        if (volume.spec.volume_mode or "Filesystem") != (claim.spec.volume_mode or "Filesystem"):
            continue
        if volume.metadata.deletion_timestamp is not None or _storage(volume).number < _wanted(claim).number:
            continue
        if _promised(volume, claim):
            if not _reaches(question, volume):
                return []
            found.append(volume)
        elif _is_free_for(volume, claim) and _reaches(question, volume):
            found.append(volume)
    return found


def _is_free_for(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    try:
        selected = claim.spec.selector is None or from_label_selector(claim.spec.selector).matches(volume.labels)
    except SelectorError:
        return False
    return (
        selected
        and volume.status.phase == "Available"
        and volume.spec.claim_ref is None
        and volume.annotations.get(CLASS, volume.spec.storage_class_name) == class_name(claim)
        and all(mode in volume.spec.access_modes for mode in claim.spec.access_modes)
    )


def _promised(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """[V-024]"""
    holder = volume.spec.claim_ref
    return (
        holder is not None
        and (holder.namespace, holder.name) == (claim.namespace, claim.name)
        and holder.uid in ("", claim.uid)
    )


def _reaches(question: Question, volume: PersistentVolume) -> bool:
    """[V-025]"""
    affinity = volume.spec.node_affinity
    if affinity is None or affinity.required is None:
        return True
    return any_node_term_matches(affinity.required.node_selector_terms, question.node.labels, {})


def _provisionable(question: Question, claim: PersistentVolumeClaim) -> bool:
    """[V-026]"""
    each = question.facts.classes.get(class_name(claim))
    return (
        each is not None
        and each.provisioner not in NO_PROVISIONER
        and topology_matches(each.allowed_topologies, question.node.labels)
    )


def _storage(volume: PersistentVolume) -> Quantity:
    return volume.spec.capacity.get("storage", NOTHING)


def _wanted(claim: PersistentVolumeClaim) -> Quantity:
    return claim.spec.resources.requests.get("storage", NOTHING)


def dealt_greedily(question: Question) -> bool:
    """Whether v1.15's own way finds a volume for every claim that is to be matched or provisioned.  [V-022, V-023]

    Smallest claim first, each takes the smallest volume that is left.
    """
    names = (v.persistent_volume_claim.claim_name for v in question.pod.spec.volumes if v.persistent_volume_claim)
    claims = [question.facts.claims.get(f"{question.pod.namespace}/{name}") for name in names]
    waiting = [c for c in claims if c is not None and not c.spec.volume_name and SELECTED_NODE not in c.annotations]
    taken: set[str] = set()
    for claim in sorted(waiting, key=lambda claim: _wanted(claim).number):
        left = [volume for volume in _candidates(question, claim) if volume.name not in taken]
        left.sort(key=lambda volume: (not _promised(volume, claim), _storage(volume).number))
        if left:
            taken.add(left[0].name)
        elif not _provisionable(question, claim):
            return False
    return True
