"""Which existing volumes the waiting claims would be bound to on a node."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim
from model.api.quantity import Quantity, parse_quantity
from model.api.selectors import Selector, SelectorError, any_node_term_matches, from_label_selector
from model.fit import PredicateError
from model.quirks import Quirks, quirk
from model.rules import clause, declare, reached, rule
from model.volumes.classes import class_of_claim, class_of_volume
from model.world import World

quirk("V-029", "Volumes are listed by the class in their spec, though the class compared may be an annotation's")
declare("V-029", "Volumes of equal fitness are interchangeable; here the first by name is taken", __name__)

Pair = tuple[PersistentVolume, PersistentVolumeClaim]


@rule("V-022", "Smallest claim first, each takes the volume that fits best, and none is reconsidered")
def match_claims(
    claims: Iterable[PersistentVolumeClaim], node: Node, world: World, quirks: Quirks
) -> tuple[tuple[Pair, ...], tuple[PersistentVolumeClaim, ...]]:
    """The pairs, and the claims that found nothing.  Raises PredicateError.

    Claims of one size keep their order; kube-scheduler may take them in any.
    """
    chosen: dict[str, Pair] = {}
    unmatched: list[PersistentVolumeClaim] = []
    for claim in sorted(claims, key=lambda claim: requested(claim).number):
        candidates = [v for v in listed(claim, world.binder_volumes, quirks) if v.name not in chosen]
        volume = best_volume(claim, candidates, node)
        if volume:
            chosen[volume.name] = (volume, claim)
        else:
            unmatched.append(claim)
    return tuple(chosen.values()), tuple(unmatched)


@rule("V-007", "Volumes are listed by the class that their spec names, as last assumed")
def listed(
    claim: PersistentVolumeClaim, volumes: Mapping[str, PersistentVolume], quirks: Quirks
) -> Iterator[PersistentVolume]:
    """Those of the claim's class, by name."""
    for _, volume in sorted(volumes.items()):
        if "V-029" in quirks:
            same = volume.spec.storage_class_name == (claim.spec.storage_class_name or "")
        else:
            same = class_of_volume(volume) == class_of_claim(claim)
        if same:
            yield volume


@rule("V-023", "The volume bound to the claim in advance, or the smallest available one that satisfies the claim")
def best_volume(
    claim: PersistentVolumeClaim, candidates: Sequence[PersistentVolume], node: Node
) -> PersistentVolume | None:
    """None, too, where the volume bound in advance does not reach the node.  Raises PredicateError."""
    selector = _selector(claim)
    best: PersistentVolume | None = None
    for volume in candidates:
        if _mode(volume) != _mode(claim) or volume.metadata.deletion_timestamp is not None:
            continue
        if is_bound_to(volume, claim):
            if capacity(volume).number >= requested(claim).number:
                return volume if reaches(volume, node) else None
        elif (
            satisfies(volume, claim, selector)
            and reaches(volume, node)
            and (best is None or capacity(volume).number < capacity(best).number)
        ):
            best = volume
    return best


def _selector(claim: PersistentVolumeClaim) -> Selector:
    try:
        return from_label_selector(claim.spec.selector) if claim.spec.selector else Selector()
    except SelectorError as error:
        raise PredicateError(f"error creating internal label selector for claim: {claim.key}: {error}") from None


def satisfies(volume: PersistentVolume, claim: PersistentVolumeClaim, selector: Selector) -> bool:
    """Free, of the claim's class, selected by it, with its access modes, and large enough.  [V-023]"""
    return (
        volume.status.phase == "Available"
        and volume.spec.claim_ref is None
        and selector.matches(volume.labels)
        and class_of_volume(volume) == class_of_claim(claim)
        and _includes(volume.spec.access_modes, claim.spec.access_modes)
        and capacity(volume).number >= requested(claim).number
    )


def _includes(modes: Collection[str], wanted: Iterable[str]) -> bool:
    return all(mode in modes for mode in wanted)


def _mode(holder: PersistentVolume | PersistentVolumeClaim) -> str:
    return "Filesystem" if holder.spec.volume_mode is None else holder.spec.volume_mode


def requested(claim: PersistentVolumeClaim) -> Quantity:
    """Bytes; 0 where the claim does not say."""
    return claim.spec.resources.requests.get("storage", _NOTHING)


def capacity(volume: PersistentVolume) -> Quantity:
    """Bytes; 0 where the volume does not say."""
    return volume.spec.capacity.get("storage", _NOTHING)


_NOTHING = parse_quantity("0")


@rule("V-024", "A volume is bound to the claim in advance if it names it, and names no other UID")
def is_bound_to(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    ref = volume.spec.claim_ref
    return ref is not None and (ref.name, ref.namespace) == (claim.name, claim.namespace) and ref.uid in ("", claim.uid)


@clause("V-025", "A volume reaches a node that its required node affinity matches; no terms match no node")
def reaches(volume: PersistentVolume, node: Node) -> bool:
    """Without required affinity it reaches every node.  Fields are never matched."""
    reached("V-025")
    affinity = volume.spec.node_affinity
    if affinity is None or affinity.required is None:
        return True
    return any_node_term_matches(affinity.required.node_selector_terms, node.labels, {})
