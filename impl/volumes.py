"""The volume binder: which volumes a pod would get on a node, and getting them.  [V-001..V-014, V-027, V-030..V-045]"""

from impl.assume_cache import AssumeCache, VolumeError
from impl.claims import bound, is_fully_bound, provisioned_on
from impl.stores import Stores
from impl.volume_search import NodeDecision, Pair, VolumeSearch, claim_keys
from impl.volumes_bound import is_pair_bound, is_provisioned
from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.protocol import Api, ApiError, UpdateClaim, UpdateVolume


class VolumeBinder:
    """`volumes` and `claims`: the binder's own view of them, assumptions included."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self.volumes: AssumeCache[PersistentVolume] = AssumeCache("PersistentVolume")
        self.claims: AssumeCache[PersistentVolumeClaim] = AssumeCache("PersistentVolumeClaim")
        self._search = VolumeSearch(stores, self.volumes, self.claims)
        self._decisions: dict[str, dict[str, NodeDecision]] = {}

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
            return self._search.find(pod, node, decision)
        finally:
            if decision.pairs or decision.claims:
                decided = NodeDecision(decision.pairs or None, decision.claims or None)
                self._decisions.setdefault(_key(pod), {})[node.name] = decided
            elif nodes := self._decisions.get(_key(pod)):
                nodes.pop(node.name, None)

    # --- take them ---

    def assume(self, pod: Pod, node: str) -> bool:
        """Take what was found on the node; whether there was nothing to take.  [V-030]

        Raises VolumeError, with nothing taken.
        """
        claims = [self.claims.get(key) for key in claim_keys(pod)]
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
        return all(is_pair_bound(pair, node, self.volumes, self.claims) for pair in decision.pairs or ()) and all(
            is_provisioned(claim, node, self.volumes, self.claims) for claim in decision.claims or ()
        )


def _key(pod: Pod) -> str:
    """[O-015]"""
    return f"{pod.namespace}/{pod.name}"
