"""Which volumes a pod's claims would get on a node.  [V-010, V-017, V-020..V-029]"""

from collections.abc import Iterator

from attrs import define

from impl.assume_cache import AssumeCache, VolumeError
from impl.claims import (
    SELECTED_NODE,
    can_be_provisioned,
    choose_volume,
    is_fully_bound,
    reaches,
    requested_storage,
    waits_for_consumer,
)
from impl.stores import Stores
from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim, Pod


@define
class Pair:
    """A volume for a claim; after the API update, the volume as the API returned it.  [V-042]"""

    volume: PersistentVolume
    claim: PersistentVolumeClaim


@define
class NodeDecision:
    """What a pod gets on one node; None and an empty list differ.  [V-010, V-027]"""

    pairs: list[Pair] | None
    claims: list[PersistentVolumeClaim] | None


class VolumeSearch:
    """Among the volumes and claims as the binder sees them, assumptions included."""

    def __init__(
        self, stores: Stores, volumes: AssumeCache[PersistentVolume], claims: AssumeCache[PersistentVolumeClaim]
    ) -> None:
        self._stores = stores
        self._volumes = volumes
        self._claims = claims
        self._by_class: dict[str, list[PersistentVolume]] = {}
        self._by_class_version = -1

    def find(self, pod: Pod, node: Node, decision: NodeDecision) -> tuple[bool, bool]:
        """Whether the unbound and the bound claims would do; `decision` takes what was found, even before an error.

        Raises VolumeError.
        """
        complete, delayed, immediate = self._classified(pod)
        if immediate:
            raise VolumeError("pod has unbound immediate PersistentVolumeClaims")
        bound_ok = all(reaches(self._volumes.latest(claim.spec.volume_name), node) for claim in complete)
        to_match, to_provision = [], []
        for claim in delayed:
            selected = claim.annotations.get(SELECTED_NODE)
            if selected is None:
                to_match.append(claim)
            elif selected == node.name:
                to_provision.append(claim)
            else:
                return False, bound_ok
        decision.pairs, unmatched = self._matched(to_match, node)
        to_provision += unmatched
        if not to_provision:
            return True, bound_ok
        if not all(can_be_provisioned(claim, self._stores.classes, node) for claim in to_provision):
            return False, bound_ok
        decision.claims = to_provision
        return True, bound_ok

    def _classified(
        self, pod: Pod
    ) -> tuple[list[PersistentVolumeClaim], list[PersistentVolumeClaim], list[PersistentVolumeClaim]]:
        """The fully bound claims, those that wait for their consumer, and the others.  [V-017]"""
        complete, delayed, immediate = [], [], []
        for key in claim_keys(pod):
            claim = self._claims.get(key)
            if claim is None:
                raise VolumeError(f'error getting PVC "{key}": could not find v1.PersistentVolumeClaim "{key}"')
            if is_fully_bound(claim):
                complete.append(claim)
            elif waits_for_consumer(claim, self._stores.classes) and not claim.spec.volume_name:
                delayed.append(claim)
            else:
                immediate.append(claim)
        return complete, delayed, immediate

    def _matched(
        self, claims: list[PersistentVolumeClaim], node: Node
    ) -> tuple[list[Pair], list[PersistentVolumeClaim]]:
        """Volumes for the claims, the smallest claim first, and the claims left over.  [V-022]"""
        pairs, unmatched = [], []
        chosen: set[str] = set()
        for claim in sorted(claims, key=lambda claim: requested_storage(claim).number):
            candidates = self._volumes_of(claim.spec.storage_class_name or "")
            volume = choose_volume(claim, candidates, node, chosen)
            if volume is None:
                unmatched.append(claim)
            else:
                chosen.add(volume.name)
                pairs.append(Pair(volume, claim))
        return pairs, unmatched

    def _volumes_of(self, storage_class: str) -> list[PersistentVolume]:
        """By name; the annotation does not count.  [V-007, V-029]"""
        if self._by_class_version != self._volumes.version:
            self._by_class = {}
            for volume in sorted(self._volumes.all(), key=lambda volume: volume.name):
                self._by_class.setdefault(volume.spec.storage_class_name, []).append(volume)
            self._by_class_version = self._volumes.version
        return self._by_class.get(storage_class, [])


def claim_keys(pod: Pod) -> Iterator[str]:
    """[O-015]"""
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim:
            yield f"{pod.namespace}/{volume.persistent_volume_claim.claim_name}"
