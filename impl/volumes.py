"""The volume binder: which volumes a pod would get on a node, and getting them.  [V-001..V-045]"""

from collections.abc import Iterator

from attrs import define

from impl.assume_cache import AssumeCache, VolumeError
from impl.claims import (
    SELECTED_NODE,
    bound,
    can_be_provisioned,
    choose_volume,
    claim_key,
    is_fully_bound,
    provisioned_on,
    reaches,
    requested_storage,
    waits_for_consumer,
)
from impl.stores import Stores
from model.api.integers import parse_integer
from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.protocol import Api, ApiError, UpdateClaim, UpdateVolume


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


class VolumeBinder:
    """`volumes` and `claims`: the binder's own view of them, assumptions included."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self.volumes: AssumeCache[PersistentVolume] = AssumeCache("PersistentVolume")
        self.claims: AssumeCache[PersistentVolumeClaim] = AssumeCache("PersistentVolumeClaim")
        self._decisions: dict[str, dict[str, NodeDecision]] = {}
        self._by_class: dict[str, list[PersistentVolume]] = {}
        self._by_class_version = -1

    def delete_decisions(self, pod: Pod) -> None:
        """[V-014]"""
        self._decisions.pop(_key(pod), None)

    # --- would it do? ---

    def find(self, pod: Pod, node: Node) -> tuple[bool, bool]:
        """Whether the unbound and the bound claims would do on the node; remembers which volumes.  [V-020, V-027]

        Raises VolumeError.
        """
        decision = NodeDecision([], [])
        try:
            return self._find(pod, node, decision)
        finally:
            if decision.pairs or decision.claims:
                decided = NodeDecision(decision.pairs or None, decision.claims or None)
                self._decisions.setdefault(_key(pod), {})[node.name] = decided
            elif nodes := self._decisions.get(_key(pod)):
                nodes.pop(node.name, None)

    def _find(self, pod: Pod, node: Node, decision: NodeDecision) -> tuple[bool, bool]:
        complete, delayed, immediate = self._classified(pod)
        if immediate:
            raise VolumeError("pod has unbound immediate PersistentVolumeClaims")
        bound_ok = all(reaches(self.volumes.latest(claim.spec.volume_name), node) for claim in complete)
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
        for key in _claim_keys(pod):
            claim = self.claims.get(key)
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
        if self._by_class_version != self.volumes.version:
            self._by_class = {}
            for volume in sorted(self.volumes.all(), key=lambda volume: volume.name):
                self._by_class.setdefault(volume.spec.storage_class_name, []).append(volume)
            self._by_class_version = self.volumes.version
        return self._by_class.get(storage_class, [])

    # --- take them ---

    def assume(self, pod: Pod, node: str) -> bool:
        """Take what was found on the node; whether there was nothing to take.  [V-030]

        Raises VolumeError, with nothing taken.
        """
        claims = [self.claims.get(key) for key in _claim_keys(pod)]
        if all(claim is not None and is_fully_bound(claim) for claim in claims):
            return True
        decision = self._decisions.get(_key(pod), {}).get(node, NodeDecision(None, None))
        taken = NodeDecision([], [])
        try:
            self._take(decision, node, taken)
        except VolumeError:
            self._restore(taken.pairs or [], taken.claims or [])
            raise
        self._decisions.setdefault(_key(pod), {})[node] = taken
        return False

    def _take(self, decision: NodeDecision, node: str, taken: NodeDecision) -> None:
        """[V-031..V-033]"""
        assert taken.pairs is not None
        assert taken.claims is not None
        for pair in decision.pairs or ():
            volume = bound(pair.volume, pair.claim)
            if volume is not pair.volume:
                self.volumes.assume(volume)
            taken.pairs.append(Pair(volume, pair.claim))
        for claim in decision.claims or ():
            provisioned = provisioned_on(claim, node)
            self.claims.assume(provisioned)
            taken.claims.append(provisioned)

    def _restore(self, pairs: list[Pair], claims: list[PersistentVolumeClaim]) -> None:
        for pair in pairs:
            self.volumes.restore(pair.volume.key)
        for claim in claims:
            self.claims.restore(claim.key)

    # --- and get them ---

    def request(self, pod: Pod, api: Api) -> NodeDecision:
        """Send what was taken to the API; what is to be waited for.  [V-040, V-042]

        Raises VolumeError; what was not sent is no longer assumed then.
        """
        decision = self._decisions.get(_key(pod), {}).get(pod.spec.node_name, NodeDecision(None, None))
        pairs, claims = decision.pairs, decision.claims
        if pairs is None:
            raise VolumeError(f'failed to get cached bindings for pod "{_key(pod)}"')
        if claims is None:
            raise VolumeError(f'failed to get cached claims to provision for pod "{_key(pod)}"')
        for at, pair in enumerate(pairs):
            volume = api.call(UpdateVolume(pair.volume, pair.claim))
            if isinstance(volume, ApiError):
                self._restore(pairs[at:], claims)
                raise VolumeError(volume.message)
            pair.volume = volume
        for at, sent in enumerate(claims):
            claim = api.call(UpdateClaim(sent))
            if isinstance(claim, ApiError):
                self._restore([], claims[at:])
                raise VolumeError(claim.message)
            claims[at] = claim
        return decision

    def is_done(self, pod: Pod, decision: NodeDecision) -> bool:
        """Whether everything sent by `request` is bound by now.  Raises VolumeError if it never will be.  [V-043]"""
        name = pod.spec.node_name
        node = self._stores.nodes.get(name)
        if node is None:
            raise VolumeError(f'failed to get node "{name}": node "{name}" not found')
        if _key(pod) not in self._decisions:
            raise VolumeError(f'pod "{_key(pod)}" does not exist any more')
        return all(self._is_pair_bound(pair, node) for pair in decision.pairs or ()) and all(
            self._is_provisioned(claim, node) for claim in decision.claims or ()
        )

    def _is_pair_bound(self, pair: Pair, node: Node) -> bool:
        """[V-043.3]"""
        try:
            volume, claim = self.volumes.api(pair.volume.key), self.claims.api(claim_key(pair.claim))
        except VolumeError as error:
            raise VolumeError(f"failed to check binding: {error}") from None
        if _version(pair.volume) > _version(volume):
            return False
        _must_reach(volume, node)
        if volume.spec.claim_ref is None or not volume.spec.claim_ref.uid:
            raise VolumeError(f'ClaimRef got reset for pv "{volume.name}"')
        return is_fully_bound(claim)

    def _is_provisioned(self, sent: PersistentVolumeClaim, node: Node) -> bool:
        """[V-043.4]"""
        try:
            claim = self.claims.api(claim_key(sent))
        except VolumeError as error:
            raise VolumeError(f"failed to check provisioning pvc: {error}") from None
        if _version(sent) > _version(claim):
            return False
        if not claim.annotations:
            raise VolumeError(f'selectedNode annotation reset for PVC "{claim.name}"')
        selected = claim.annotations.get(SELECTED_NODE, "")
        if selected != node.name:
            raise VolumeError(f'selectedNode annotation value "{selected}" not set to scheduled node "{node.name}"')
        if claim.spec.volume_name:
            try:
                volume = self.volumes.api(claim.spec.volume_name)
            except VolumeError:
                return False
            _must_reach(volume, node)
        return is_fully_bound(claim)


def _must_reach(volume: PersistentVolume, node: Node) -> None:
    if not reaches(volume, node):
        raise VolumeError(
            f'pv "{volume.name}" node affinity doesn\'t match node "{node.name}": No matching NodeSelectorTerms'
        )


def _version(thing: PersistentVolume | PersistentVolumeClaim) -> int:
    return parse_integer(thing.metadata.resource_version) or 0


def _claim_keys(pod: Pod) -> Iterator[str]:
    """[O-015]"""
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim:
            yield f"{pod.namespace}/{volume.persistent_volume_claim.claim_name}"


def _key(pod: Pod) -> str:
    """[O-015]"""
    return f"{pod.namespace}/{pod.name}"
