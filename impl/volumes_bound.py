"""Whether the volumes that were requested are bound by now, as the API tells it.  [V-043]"""

from impl.assume_cache import AssumeCache, VolumeError
from impl.claims import SELECTED_NODE, claim_key, is_fully_bound, reaches
from impl.volume_search import Pair
from model.api.integers import parse_integer
from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim


def is_pair_bound(
    pair: Pair, node: Node, volumes: AssumeCache[PersistentVolume], claims: AssumeCache[PersistentVolumeClaim]
) -> bool:
    """`pair`: as the API returned it.  Raises VolumeError if it never will be.  [V-043.3]"""
    try:
        volume, claim = volumes.api(pair.volume.key), claims.api(claim_key(pair.claim))
    except VolumeError as error:
        raise VolumeError(f"failed to check binding: {error}") from None
    if _version(pair.volume) > _version(volume):
        return False
    _must_reach(volume, node)
    if volume.spec.claim_ref is None or not volume.spec.claim_ref.uid:
        raise VolumeError(f'ClaimRef got reset for pv "{volume.name}"')
    return is_fully_bound(claim)


def is_provisioned(
    sent: PersistentVolumeClaim,
    node: Node,
    volumes: AssumeCache[PersistentVolume],
    claims: AssumeCache[PersistentVolumeClaim],
) -> bool:
    """`sent`: as the API returned it.  Raises VolumeError if it never will be.  [V-043.4]"""
    try:
        claim = claims.api(claim_key(sent))
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
            volume = volumes.api(claim.spec.volume_name)
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
