"""The life of a pod in the cache: absent, assumed, added.  [C-010..C-024]

Every operation takes the cache and gives the cache after it; a refused one raises CacheError.
"""

from collections.abc import Callable

from attrs import evolve

from model.api.clock import Instant
from model.api.objects import Pod
from model.api.protocol import Crash
from model.api.selectors import Selector
from model.cache.state import ASSUMED_POD_TTL_MS, Cache, CacheError, PodState, aggregate_add, aggregate_remove, pod_key
from model.quirks import EVERY, Quirks, quirk
from model.rules import clause, declare, reached, rule

EVERYTHING = Selector()
CORRUPTED = "Schedulercache is corrupted and can badly affect scheduling decisions"

quirk("C-015", "The refusal to forget a pod names its two nodes the wrong way round")
quirk("C-018", "A pod added where it was assumed: its node goes on counting the assumed object")
quirk("C-020", "A pod re-created under another UID, seen as an update, stays under the old UID")

declare("C-010", "A pod is absent, assumed (until added, forgotten or expired), or added (until removed)", __name__)
declare(
    "C-024", "That its binding has finished is still remembered once the pod is added, and means nothing then", __name__
)


@rule("C-012", "A pod nobody knows is counted on the node it was decided for")
def assume_pod(cache: Cache, pod: Pod, quirks: Quirks = EVERY) -> Cache:
    """AssumePod."""
    uid = pod_key(pod)
    if uid in cache.pods:
        raise CacheError(f"pod {uid} is in the cache, so can't be assumed")
    counted = aggregate_add(cache, pod, quirks)
    return evolve(counted, pods={**cache.pods, uid: PodState(pod)}, assumed=cache.assumed | {uid})


@rule("C-013", "The lifetime of an assumption starts when its binding has finished")
def finish_binding(cache: Cache, pod: Pod, now: Instant, ttl_ms: int = ASSUMED_POD_TTL_MS) -> Cache:
    """FinishBinding."""
    uid = pod_key(pod)
    if uid not in cache.assumed:
        return cache
    finished = evolve(cache.pods[uid], deadline=now.plus(ttl_ms), binding_finished=True)
    return evolve(cache, pods={**cache.pods, uid: finished})


@rule("C-014", "Only an assumed pod can be forgotten, and only from the node it was assumed on")
@clause("C-015", "The pod to forget must name the node of the pod that is kept")
@clause("C-016", "A pod that is absent or added cannot be forgotten")
@clause("C-017", "What is taken off the node is the pod as given; when that fails the assumption stays")
def forget_pod(cache: Cache, pod: Pod, quirks: Quirks = EVERY) -> Cache:
    """ForgetPod."""
    uid = pod_key(pod)
    if uid in cache.pods and _node(cache.pods[uid].pod) != _node(pod):
        reached("C-015")
        names = [_node(pod), _node(cache.pods[uid].pod)]
        assumed_on, assigned_to = names if "C-015" in quirks else reversed(names)
        raise CacheError(f"pod {uid} was assumed on {assumed_on} but assigned to {assigned_to}")
    if uid not in cache.assumed:
        reached("C-016")
        raise CacheError(f"pod {uid} wasn't assumed so cannot be forgotten")
    reached("C-017")
    return _dropped(aggregate_remove(cache, pod, quirks), uid)


@rule("C-018", "An assumed pod is confirmed, and moved if it came to another node; an absent one is counted")
def add_pod(cache: Cache, pod: Pod, quirks: Quirks = EVERY) -> Cache:
    """AddPod.  Confirmed where it was assumed, its node goes on counting the assumed object.  Raises Crash."""
    uid = pod_key(pod)
    state = cache.pods.get(uid, PodState(pod))
    if uid not in cache.pods:
        cache = aggregate_add(cache, pod, quirks)
    elif uid not in cache.assumed:
        raise CacheError(f"pod {uid} was already in added state")
    elif _node(state.pod) != _node(pod) or "C-018" not in quirks:
        reached("cache: added elsewhere than assumed")
        cache = aggregate_add(_off_its_node(cache, state.pod, quirks), pod, quirks)
    confirmed = evolve(state, pod=pod, deadline=None)
    return evolve(cache, pods={**cache.pods, uid: confirmed}, assumed=cache.assumed - {uid})


def _off_its_node(cache: Cache, pod: Pod, quirks: Quirks) -> Cache:
    try:
        return aggregate_remove(cache, pod, quirks)
    except CacheError:
        return cache


@rule("C-019", "An added pod changes in place; one that changed its node means that the cache is corrupt")
@clause("C-020", "The entry stays under the UID of the old version, whatever the new version's is")
def update_pod(cache: Cache, old: Pod, new: Pod, quirks: Quirks = EVERY) -> Cache:
    """UpdatePod.  What leaves the node is the old version as given.  Raises Crash."""
    uid = pod_key(old)
    if uid not in cache.pods or uid in cache.assumed:
        raise CacheError(f"pod {uid} is not added to scheduler cache, so cannot be updated")
    state = cache.pods[uid]
    if _node(state.pod) != _node(new):
        raise Crash(CORRUPTED)
    changed = aggregate_add(aggregate_remove(cache, old, quirks), new, quirks)
    if new.uid != uid:
        reached("C-020")
        if "C-020" not in quirks:
            changed, uid = _dropped(changed, uid), new.uid
    return evolve(changed, pods={**changed.pods, uid: evolve(state, pod=new)})


@rule("C-021", "An added pod leaves; one given with another node means that the cache is corrupt")
def remove_pod(cache: Cache, pod: Pod, quirks: Quirks = EVERY) -> Cache:
    """RemovePod.  What leaves the node is the version kept.  Raises Crash."""
    uid = pod_key(pod)
    if uid not in cache.pods or uid in cache.assumed:
        raise CacheError(f"pod {uid} is not found in scheduler cache, so cannot be removed from it")
    kept = cache.pods[uid].pod
    if _node(kept) != _node(pod):
        raise Crash(CORRUPTED)
    return _dropped(aggregate_remove(cache, kept, quirks), uid)


@rule("C-022", "A pod is looked up by UID")
def get_pod(cache: Cache, pod: Pod) -> Pod:
    """GetPod."""
    uid = pod_key(pod)
    if uid not in cache.pods:
        raise CacheError(f"pod {uid} does not exist in scheduler cache")
    return cache.pods[uid].pod


def is_assumed(cache: Cache, pod: Pod) -> bool:
    """IsAssumedPod.  [C-022]"""
    return pod_key(pod) in cache.assumed


@rule("C-023", "An assumption ends after its deadline; without a finished binding it has none")
def expire(cache: Cache, now: Instant, quirks: Quirks = EVERY) -> Cache:
    """One run of the expiry; in ascending order of UIDs, where kube-scheduler's is random.  Raises Crash."""
    for uid in sorted(cache.assumed):
        state = cache.pods[uid]
        if state.binding_finished and state.deadline is not None and now > state.deadline:
            cache = _expired(cache, uid, quirks)
    return cache


def _expired(cache: Cache, uid: str, quirks: Quirks) -> Cache:
    try:
        return _dropped(aggregate_remove(cache, cache.pods[uid].pod, quirks), uid)
    except CacheError:
        reached("cache: expiry failed")
        return cache


@rule("C-046", "Listed are the pods of all aggregates, assumed ones too")
def list_pods(
    cache: Cache, keep: Callable[[Pod], bool] = lambda _: True, selector: Selector = EVERYTHING
) -> tuple[Pod, ...]:
    """List and FilteredList; the order means nothing."""
    held = (pod for info in cache.nodes.values() for pod in info.pods)
    return tuple(pod for pod in held if keep(pod) and selector.matches(pod.labels))


def _node(pod: Pod) -> str:
    return pod.spec.node_name


def _dropped(cache: Cache, uid: str) -> Cache:
    pods = dict(cache.pods)
    del pods[uid]
    return evolve(cache, pods=pods, assumed=cache.assumed - {uid})
