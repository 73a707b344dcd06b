"""Pods that have a node in the eyes of the scheduler, and are bound as soon as their volumes are.

Of the wait in between nothing is to be seen: volumes and claims were written, and their pod is not bound yet.  [V-040]
"""

from collections.abc import Iterable

from model.api.objects import Pod
from oracle.live.deeds import Bound, Deed, VolumeWritten


def binding_volumes(waiting: Iterable[Pod], deeds: Iterable[Deed]) -> set[str]:
    """Those of the waiting pods, by key."""
    claims = {pod.key: _claims(pod) for pod in waiting}
    if not any(claims.values()):
        return set()
    written: dict[str, int] = {}
    """When claims were written for a pod that is not bound yet."""
    last: dict[str, int] = {}
    """When something else was done about a pod."""
    for at, deed in enumerate(deeds):
        if isinstance(deed, VolumeWritten):
            written[deed.claim] = at
            continue
        last[deed.pod] = at
        if isinstance(deed, Bound) and deed.before is not None and deed.error is None:
            for claim in _claims(deed.before):
                written.pop(claim, None)
    return {key for key, own in claims.items() if any(written.get(claim, -1) > last.get(key, -1) for claim in own)}


def _claims(pod: Pod) -> list[str]:
    sources = (volume.persistent_volume_claim for volume in pod.spec.volumes)
    return [f"{pod.namespace}/{source.claim_name}" for source in sources if source]
