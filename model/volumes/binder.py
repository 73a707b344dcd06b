"""The volume binder's state: what it sees, what it decided for pods on nodes, what it assumes."""

from collections.abc import Iterable, Mapping

from attrs import Factory, evolve, frozen

from model.api.decode import amended
from model.api.objects import KubernetesObject, PersistentVolume, PersistentVolumeClaim, Pod
from model.quirks import Quirks, quirk
from model.rules import clause, declare, reached, rule
from model.volumes import assume_cache
from model.volumes.assume_cache import AssumeCache, AssumeError
from model.volumes.find import SELECTED_NODE, VolumeFit, is_fully_bound
from model.volumes.matching import is_bound_to

BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller"

Pair = tuple[PersistentVolume, PersistentVolumeClaim]


class VolumeError(Exception):
    """A step of volume binding failed; `binder` is the state it leaves behind."""

    def __init__(self, text: str, binder: "Binder") -> None:
        super().__init__(text)
        self.binder = binder


@frozen
class Decision:
    """For one pod on one node: volumes to bind to claims, and claims to make volumes for.

    None is not the empty list: it says that nothing was decided.  [V-010, V-013]
    """

    bindings: tuple[Pair, ...] | None = None
    provisionings: tuple[PersistentVolumeClaim, ...] | None = None


@frozen
class Binder:
    """`decisions`: the pod's `namespace/name` -> node name -> decision.  [V-001, V-010]"""

    volumes: AssumeCache[PersistentVolume] = Factory(dict)
    claims: AssumeCache[PersistentVolumeClaim] = Factory(dict)
    decisions: Mapping[str, Mapping[str, Decision]] = Factory(dict)


declare("V-001", "The binder sees volumes and claims through assume caches, and keeps its decisions", __name__)
declare("V-010", "Decisions are kept by the pod's name, not its UID, and by node", __name__)


def put(binder: Binder, thing: KubernetesObject) -> Binder:
    """An informer delivers a volume or a claim, new or changed; other kinds are none of its business.  [V-003]"""
    match thing:
        case PersistentVolume():
            return evolve(binder, volumes=assume_cache.put(binder.volumes, thing))
        case PersistentVolumeClaim():
            return evolve(binder, claims=assume_cache.put(binder.claims, thing))
    return binder


def drop(binder: Binder, thing: KubernetesObject) -> Binder:
    """An informer delivers that a volume or a claim is gone.  [V-004]"""
    match thing:
        case PersistentVolume():
            return evolve(binder, volumes=assume_cache.drop(binder.volumes, thing.key))
        case PersistentVolumeClaim():
            return evolve(binder, claims=assume_cache.drop(binder.claims, thing.key))
    return binder


# --- decisions ------------------------------------------------------------------------------------


@rule("O-015", "Volume binding knows a pod by namespace/name, always with the slash")
def pod_key(pod: Pod) -> str:
    return f"{pod.namespace}/{pod.name}"


@clause("V-011", "A decision replaces that for the pod on the node")
@clause("V-012", "A node without a decision is left out; the pod's entry stays")
def record_decision(binder: Binder, pod: Pod, node_name: str, found: VolumeFit) -> Binder:
    """Remember what volume binding found for the node.  [V-027]"""
    if found.bindings or found.provisionings:
        reached("V-011")
        return decided(binder, pod, node_name, Decision(found.bindings or None, found.provisionings or None))
    reached("V-012")
    known = binder.decisions.get(pod_key(pod))
    if known is None:
        return binder
    kept = {name: decision for name, decision in known.items() if name != node_name}
    return evolve(binder, decisions={**binder.decisions, pod_key(pod): kept})


def record_decisions(binder: Binder, pod: Pod, found: Mapping[str, VolumeFit]) -> Binder:
    """`found`: by node name."""
    for node_name, volume_fit in found.items():
        binder = record_decision(binder, pod, node_name, volume_fit)
    return binder


def decided(binder: Binder, pod: Pod, node_name: str, decision: Decision) -> Binder:
    """[V-011]"""
    known = binder.decisions.get(pod_key(pod), {})
    return evolve(binder, decisions={**binder.decisions, pod_key(pod): {**known, node_name: decision}})


@rule("V-013", "A pod without an entry, or a node without one in it, has no decision")
def decision_of(binder: Binder, pod: Pod, node_name: str) -> Decision:
    return binder.decisions.get(pod_key(pod), {}).get(node_name, Decision())


@rule("V-014", "All decisions of a pod are forgotten at once")
def delete_decisions(binder: Binder, pod: Pod) -> Binder:
    return evolve(binder, decisions={key: nodes for key, nodes in binder.decisions.items() if key != pod_key(pod)})


# --- assuming -------------------------------------------------------------------------------------


@clause("V-030", "A pod whose claims are all bound needs nothing; else its decision for the node is assumed")
@clause("V-033", "What is assumed becomes the decision, with empty lists where there is nothing to do")
def assume_pod_volumes(binder: Binder, assumed: Pod) -> tuple[Binder, bool]:
    """`assumed`: the pod on its node.  The new state and whether all claims are bound.  Raises VolumeError."""
    reached("V-030")
    if _all_bound(binder, assumed):
        return binder, True
    node_name = assumed.spec.node_name
    decision = decision_of(binder, assumed, node_name)
    binder, bindings = _assume_bindings(binder, decision.bindings or ())
    binder, provisionings = _assume_provisionings(binder, bindings, decision.provisionings or (), node_name)
    reached("V-033")
    return decided(binder, assumed, node_name, Decision(bindings, provisionings)), False


def _all_bound(binder: Binder, pod: Pod) -> bool:
    """A claim that is not known counts as not bound.  [V-030]"""
    claims = (v.persistent_volume_claim for v in pod.spec.volumes if v.persistent_volume_claim)
    held = [binder.claims.get(f"{pod.namespace}/{claim.claim_name}") for claim in claims]
    return all(entry is not None and is_fully_bound(entry.latest) for entry in held)


@rule("V-031", "Each chosen volume is assumed as bound to its claim; a failure takes all of them back")
def _assume_bindings(binder: Binder, chosen: tuple[Pair, ...]) -> tuple[Binder, tuple[Pair, ...]]:
    volumes = binder.volumes
    done: list[Pair] = []
    for volume, claim in chosen:
        bound = bound_to(volume, claim)
        if bound is not volume:
            try:
                volumes = assume_cache.assume(volumes, bound)
            except AssumeError as error:
                raise VolumeError(str(error), restored(evolve(binder, volumes=volumes), done, ())) from None
        done.append((bound, claim))
    return evolve(binder, volumes=volumes), tuple(done)


@rule("V-032", "Each claim to make a volume for is assumed with the node selected; a failure takes all back")
def _assume_provisionings(
    binder: Binder, bindings: tuple[Pair, ...], chosen: tuple[PersistentVolumeClaim, ...], node_name: str
) -> tuple[Binder, tuple[PersistentVolumeClaim, ...]]:
    claims = binder.claims
    done: list[PersistentVolumeClaim] = []
    for claim in chosen:
        selected = amended(claim, {"metadata": {"annotations": {SELECTED_NODE: node_name}}})
        try:
            claims = assume_cache.assume(claims, selected)
        except AssumeError as error:
            raise VolumeError(str(error), restored(evolve(binder, claims=claims), bindings, done)) from None
        done.append(selected)
    return evolve(binder, claims=claims), tuple(done)


@rule("V-034", "The volume refers to the claim, and is marked as bound by a controller unless it was bound in advance")
def bound_to(volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolume:
    """The volume itself where nothing is to change."""
    ref = volume.spec.claim_ref
    patch: dict[str, object] = {}
    if ref is None or (ref.name, ref.namespace, ref.uid) != (claim.name, claim.namespace, claim.uid):
        patch["spec"] = {
            "claimRef": {
                "kind": "PersistentVolumeClaim",
                "apiVersion": "v1",
                "namespace": claim.namespace,
                "name": claim.name,
                "uid": claim.uid or None,
                "resourceVersion": claim.metadata.resource_version or None,
                "fieldPath": None,
            }
        }
    if not is_bound_to(volume, claim) and BOUND_BY_CONTROLLER not in volume.annotations:
        patch["metadata"] = {"annotations": {BOUND_BY_CONTROLLER: "yes"}}
    return amended(volume, patch) if patch else volume


def restored(binder: Binder, pairs: Iterable[Pair], claims: Iterable[PersistentVolumeClaim]) -> Binder:
    """Assumptions about these volumes and claims are taken back.  [V-006]"""
    volumes_now, claims_now = binder.volumes, binder.claims
    for volume, _ in pairs:
        volumes_now = assume_cache.restore(volumes_now, volume.key)
    for claim in claims:
        claims_now = assume_cache.restore(claims_now, claim.key)
    return evolve(binder, volumes=volumes_now, claims=claims_now)


quirk("V-036", "What was assumed for a pod stays assumed when the pod then fails")


@clause("V-036", "Only a failed update or a newer object takes an assumption back, not the pod's own failure")
def after_failure(binder: Binder, assumed: Pod, quirks: Quirks) -> Binder:
    """What the binder assumes once the pod has failed on its node."""
    reached("V-036")
    decision = decision_of(binder, assumed, assumed.spec.node_name)
    return binder if "V-036" in quirks else restored(binder, decision.bindings or (), decision.provisionings or ())


declare("V-037", "A claim gone missing leaves the pod not all bound, with nothing to do", __name__)
declare("V-035", "An assumed volume is taken and an assumed claim tied to its node, for pods to come", __name__)
