"""Having the assumed volumes bound: the requests to the API server, and the check whether it has happened."""

from collections.abc import Generator
from typing import Any

from model.api.integers import parse_integer
from model.api.objects import Node, PersistentVolume, PersistentVolumeClaim, Pod
from model.api.protocol import ApiError, Call, UpdateClaim, UpdateVolume
from model.rules import clause, reached, rule
from model.volumes.assume_cache import AssumeError, entry
from model.volumes.binder import Binder, Decision, VolumeError, decided, decision_of, pod_key, restored
from model.volumes.find import SELECTED_NODE, is_fully_bound
from model.volumes.matching import reaches
from model.world import World


@rule("V-042", "Volumes are updated, then claims; after a failure what was not updated is no longer assumed")
def bind_api_update(binder: Binder, pod: Pod) -> Generator[Call[Any], Any, Binder]:
    """Send the decision for the pod on its node; the objects answered take their place in it.

    Updated objects stay updated, whatever fails later.  Raises VolumeError.
    """
    node_name = pod.spec.node_name
    decision = decision_of(binder, pod, node_name)
    if decision.bindings is None:
        raise VolumeError(f'failed to get cached bindings for pod "{pod_key(pod)}"', binder)
    if decision.provisionings is None:
        raise VolumeError(f'failed to get cached claims to provision for pod "{pod_key(pod)}"', binder)
    pairs, claims = list(decision.bindings), list(decision.provisionings)
    for i, (volume, claim) in enumerate(pairs):
        answer = yield UpdateVolume(volume, claim)
        if isinstance(answer, ApiError):
            binder = decided(binder, pod, node_name, Decision(tuple(pairs), tuple(claims)))
            raise VolumeError(answer.message, restored(binder, pairs[i:], claims))
        pairs[i] = (answer, claim)
    for i, claim in enumerate(claims):
        answer = yield UpdateClaim(claim)
        if isinstance(answer, ApiError):
            binder = decided(binder, pod, node_name, Decision(tuple(pairs), tuple(claims)))
            raise VolumeError(answer.message, restored(binder, (), claims[i:]))
        claims[i] = answer
    return decided(binder, pod, node_name, Decision(tuple(pairs), tuple(claims)))


@clause("V-043", "Bound when the API server's volumes and claims say so; what can no longer come true is an error")
def check_bindings(binder: Binder, pod: Pod, decision: Decision, world: World) -> bool:
    """Whether all is bound; False means that it may still become so.

    `decision`: what `bind_api_update` left for the pod on its node.  Raises VolumeError.
    """
    reached("V-043")
    node = world.nodes.get(pod.spec.node_name)
    if node is None:
        name = pod.spec.node_name
        raise VolumeError(f'failed to get node "{name}": node "{name}" not found', binder)
    if pod_key(pod) not in binder.decisions:
        raise VolumeError(f'pod "{pod_key(pod)}" does not exist any more', binder)
    return all(_pair_is_bound(binder, pair, node) for pair in decision.bindings or ()) and all(
        _is_provisioned(binder, claim, node) for claim in decision.provisionings or ()
    )


def _pair_is_bound(binder: Binder, pair: tuple[PersistentVolume, PersistentVolumeClaim], node: Node) -> bool:
    """[V-043.3]"""
    try:
        volume = entry(binder.volumes, pair[0].key, PersistentVolume).api
        claim = entry(binder.claims, pair[1].key, PersistentVolumeClaim).api
    except AssumeError as error:
        raise VolumeError(f"failed to check binding: {error}", binder) from None
    if _version(pair[0]) > _version(volume):
        return False
    _require_reach(binder, volume, node)
    if volume.spec.claim_ref is None or not volume.spec.claim_ref.uid:
        raise VolumeError(f'ClaimRef got reset for pv "{volume.name}"', binder)
    return is_fully_bound(claim)


def _is_provisioned(binder: Binder, updated: PersistentVolumeClaim, node: Node) -> bool:
    """[V-043.4]"""
    try:
        claim = entry(binder.claims, updated.key, PersistentVolumeClaim).api
    except AssumeError as error:
        raise VolumeError(f"failed to check provisioning pvc: {error}", binder) from None
    if _version(updated) > _version(claim):
        return False
    if not claim.annotations:
        raise VolumeError(f'selectedNode annotation reset for PVC "{claim.name}"', binder)
    selected = claim.annotations.get(SELECTED_NODE, "")
    if selected != node.name:
        text = f'selectedNode annotation value "{selected}" not set to scheduled node "{node.name}"'
        raise VolumeError(text, binder)
    if claim.spec.volume_name:
        made = binder.volumes.get(claim.spec.volume_name)
        if made is None:
            return False
        _require_reach(binder, made.api, node)
    return is_fully_bound(claim)


def _require_reach(binder: Binder, volume: PersistentVolume, node: Node) -> None:
    if not reaches(volume, node):
        text = f'pv "{volume.name}" node affinity doesn\'t match node "{node.name}": No matching NodeSelectorTerms'
        raise VolumeError(text, binder)


def _version(thing: PersistentVolume | PersistentVolumeClaim) -> int:
    """The API server's versions are numbers; none at all comes before all of them."""
    return parse_integer(thing.metadata.resource_version) or 0
